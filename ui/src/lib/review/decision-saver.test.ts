// Decisions on their way: retried with the same key, in order, and handed back when refused.
import { describe, expect, it } from "vitest";
import type { DecideRequest } from "$lib/generated/DecideRequest";
import type { DecisionView } from "$lib/generated/DecisionView";
import type { ErrorCode } from "$lib/generated/ErrorCode";
import { CommandError } from "$lib/platform/contract";
import { DecisionSaver } from "./decision-saver";

const request = (key: string): DecideRequest => ({
  item: `item of ${key}`,
  item_version: 1,
  token: 7,
  key,
  record_id: null,
  verdict: { kind: "correct", value: { amount: 7, unit: "years" } },
  note: null,
  segments: [],
  signature: null,
});

/** A saver over scripted answers: an error code, or null for success. */
function saver(answers: (ErrorCode | null)[]) {
  const seen = { sent: [] as DecideRequest[], waits: [] as number[], states: [] as string[], saved: [] as string[], refused: [] as string[] };
  const made = new DecisionSaver({
    async send(sent) {
      seen.sent.push(sent);
      const code = answers.shift() ?? null;
      if (code !== null) throw new CommandError({ code, message: `because ${code}` });
      return { decision: sent.key } as DecisionView;
    },
    async wait(milliseconds) {
      seen.waits.push(milliseconds);
    },
    changed: (status) => seen.states.push(`${status.state} ${status.waiting}`),
    saved: (sent) => seen.saved.push(sent.key),
    refused: (sent, error) => seen.refused.push(`${sent.key} ${error.code}`),
  });
  return { saver: made, seen };
}

describe("DecisionSaver", () => {
  it("says saving until it is answered, then saved", async () => {
    const { saver: saving, seen } = saver([null]);
    saving.add(request("one"));
    expect(seen.states).toEqual(["saving 1"]);
    expect(saving.items()).toEqual(["item of one"]);
    await saving.settled();
    expect(seen.states).toEqual(["saving 1", "saved 0"]);
    expect(saving.items()).toEqual([]);
  });

  it("sends the same request again while the store can't be used, later and later", async () => {
    const { saver: saving, seen } = saver(["unavailable", "unavailable", "unavailable", "unavailable", "unavailable", "unavailable", null]);
    saving.add(request("one"));
    await saving.settled();
    expect(new Set(seen.sent)).toEqual(new Set([seen.sent[0]]));
    expect(seen.sent).toHaveLength(7);
    expect(seen.waits).toEqual([1000, 2000, 4000, 8000, 15000, 15000]);
    expect(seen.states).toContain("not_saved_yet 1");
    expect(seen.saved).toEqual(["one"]);
  });

  it.each(["lease_lost", "item_moved", "already_decided", "bad_input", "internal"] as const)("hands back on %s, without a retry", async (code) => {
    const { saver: saving, seen } = saver([code]);
    saving.add(request("one"));
    await saving.settled();
    expect(seen.sent).toHaveLength(1);
    expect(seen.saved).toEqual([]);
    expect(seen.refused).toEqual([`one ${code}`]);
    expect(seen.states.at(-1)).toBe("saved 0");
  });

  it("keeps the order: a later decision waits for the one that is retried", async () => {
    const { saver: saving, seen } = saver(["unavailable", null, "lease_lost", null]);
    saving.add(request("one"));
    saving.add(request("two"));
    saving.add(request("three"));
    await saving.settled();
    expect(seen.sent.map((sent) => sent.key)).toEqual(["one", "one", "two", "three"]);
    expect(seen.saved).toEqual(["one", "three"]);
    expect(seen.refused).toEqual(["two lease_lost"]);
  });

  it("gives the newest decision once it is answered, and null where it is refused", async () => {
    const { saver: saving } = saver([null, null, "item_moved"]);
    expect(saving.newest()).toBeNull();
    saving.add(request("one"));
    saving.add(request("two"));
    const two = saving.newest();
    saving.add(request("three"));
    const three = saving.newest();
    expect((await two)?.decision).toBe("two");
    expect(await three).toBeNull();
    await saving.settled();
    expect(saving.newest()).toBeNull();
  });

  it("works again after it was idle", async () => {
    const { saver: saving, seen } = saver([null, null]);
    saving.add(request("one"));
    await saving.settled();
    saving.add(request("two"));
    await saving.settled();
    expect(seen.saved).toEqual(["one", "two"]);
  });
});
