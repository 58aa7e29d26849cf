// Wall and active time, on a clock that the test moves.
import { describe, expect, it } from "vitest";
import { IDLE_AFTER, Stopwatch } from "./stopwatch";

function watch(focused = true) {
  let now = 1000;
  const stopwatch = new Stopwatch(() => now, focused);
  return { stopwatch, pass: (milliseconds: number) => (now += milliseconds) };
}

describe("Stopwatch", () => {
  it("has no time before anything is painted, which is not zero", () => {
    expect(watch().stopwatch.elapsed()).toBeNull();
  });

  it("counts both while somebody is there", () => {
    const { stopwatch, pass } = watch();
    stopwatch.start();
    pass(41_000);
    expect(stopwatch.elapsed()).toEqual({ wall_milliseconds: 41_000, active_milliseconds: 41_000 });
  });

  it("stops the active time a minute after the last input", () => {
    const { stopwatch, pass } = watch();
    stopwatch.start();
    pass(10_000);
    stopwatch.input();
    pass(10 * IDLE_AFTER);
    stopwatch.input();
    pass(5_000);
    expect(stopwatch.elapsed()).toEqual({
      wall_milliseconds: 15_000 + 10 * IDLE_AFTER,
      active_milliseconds: 15_000 + IDLE_AFTER,
    });
  });

  it("counts nothing active while another window has the focus", () => {
    const { stopwatch, pass } = watch();
    stopwatch.start();
    pass(3_000);
    stopwatch.focus(false);
    pass(20_000);
    stopwatch.focus(true);
    pass(2_000);
    expect(stopwatch.elapsed()).toEqual({ wall_milliseconds: 25_000, active_milliseconds: 5_000 });
  });

  it("begins anew for the next item", () => {
    const { stopwatch, pass } = watch();
    stopwatch.start();
    pass(9_000);
    stopwatch.stop();
    expect(stopwatch.elapsed()).toBeNull();
    pass(1_000);
    stopwatch.start();
    pass(500);
    expect(stopwatch.elapsed()).toEqual({ wall_milliseconds: 500, active_milliseconds: 500 });
  });
});
