// Asking the core while typing: when it is asked, and which answer counts.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CommandError } from "$lib/platform/contract";
import { ValueCheck } from "./value-check.svelte";

const answers = (trouble: string | null = null) => ({ value: 7, text: "7", trouble });

describe("ValueCheck", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("asks once typing pauses, for what stands there then", async () => {
    const ask = vi.fn(async () => answers());
    const check = new ValueCheck(ask);
    for (const typed of ["4", "45", "450"]) check.typed(typed);
    expect(ask).not.toHaveBeenCalled();
    await vi.runAllTimersAsync();
    expect(ask.mock.calls).toEqual([["450"]]);
    expect(check.said).toEqual({ state: "holds", value: 7, text: "7" });
  });

  it("says what is wrong, and that it could not be asked, as two things", async () => {
    const check = new ValueCheck(async (typed) => {
      if (typed === "x") return answers("This is not one number.");
      throw new CommandError({ code: "unavailable", message: "The workspace is locked." });
    });
    expect(await check.now("x")).toEqual({ state: "wrong", line: "This is not one number." });
    expect(await check.now("7")).toMatchObject({ state: "unknown", line: expect.stringContaining("locked") });
  });

  it("drops an answer that comes after something else was typed", async () => {
    const gates: ((trouble: string | null) => void)[] = [];
    const check = new ValueCheck(() => new Promise((resolve) => gates.push((trouble) => resolve(answers(trouble)))));
    const first = check.now("1");
    check.typed("12");
    gates[0]?.("too late");
    expect(await first).toBeNull();
    expect(check.said.state).toBe("none");
    await vi.runAllTimersAsync();
    gates[1]?.(null);
    await vi.runAllTimersAsync();
    expect(check.said.state).toBe("holds");
    check.typed("");
    check.clear();
    await vi.runAllTimersAsync();
    expect(gates).toHaveLength(2);
    expect(check.said.state).toBe("none");
  });
});
