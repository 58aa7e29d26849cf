// One question for one item at a time, and the good token of two.
import { describe, expect, it } from "vitest";
import type { Claim } from "$lib/generated/Claim";
import { Leases, replaces } from "./leases";

const claim = (item: string, token: number): Claim => ({ item, token, item_version: 1, expires_at: "" });

function desk() {
  const asked: { item: string | null; answer: (claim: Claim | null) => void; fail: (cause: Error) => void }[] = [];
  const released: Claim[] = [];
  const leases = new Leases({
    claim: (item) => new Promise((answer, fail) => asked.push({ item, answer, fail })),
    release: async (given) => void released.push(given),
  });
  return { leases, asked, released };
}

describe("Leases", () => {
  it("asks once for an item that is being asked for, and again after the answer", async () => {
    const { leases, asked } = desk();
    const first = leases.ask("one");
    void leases.ask("two");
    expect(leases.ask("one")).toBe(first);
    expect(asked.map((question) => question.item)).toEqual(["one", "two"]);
    asked[0]?.answer(claim("one", 7));
    expect((await first)?.token).toBe(7);
    await Promise.resolve();
    void leases.ask("one");
    expect(asked).toHaveLength(3);
  });

  it("never shares an answer between two that want any free item", () => {
    const { leases, asked } = desk();
    void leases.ask(null);
    void leases.ask(null);
    expect(asked).toHaveLength(2);
  });

  it("is settled once every claim is answered, and what was given back then is too", async () => {
    const { leases, asked, released } = desk();
    void leases.ask("one").then((answer) => answer && leases.give(answer));
    const failing = leases.ask("two");
    let settled = false;
    const waiting = leases.settled().then(() => (settled = true));
    asked[0]?.answer(claim("one", 1));
    await Promise.resolve();
    expect(settled).toBe(false);
    asked[1]?.fail(new Error("held"));
    await expect(failing).rejects.toThrow("held");
    await waiting;
    expect(released).toEqual([claim("one", 1)]);
  });

  it("takes the higher token of one item, and any of another", () => {
    expect(replaces(claim("one", 2), null)).toBe(true);
    expect(replaces(claim("one", 2), claim("one", 3))).toBe(false);
    expect(replaces(claim("one", 3), claim("one", 2))).toBe(true);
    expect(replaces(claim("one", 1), claim("two", 9))).toBe(true);
  });
});
