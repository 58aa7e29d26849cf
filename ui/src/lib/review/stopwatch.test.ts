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
    expect(watch().stopwatch.elapsed("one")).toBeNull();
  });

  it("counts both while somebody is there", () => {
    const { stopwatch, pass } = watch();
    stopwatch.start("one");
    pass(41_000);
    expect(stopwatch.elapsed("one")).toEqual({ wall_milliseconds: 41_000, active_milliseconds: 41_000 });
  });

  it("stops the active time a minute after the last input", () => {
    const { stopwatch, pass } = watch();
    stopwatch.start("one");
    pass(10_000);
    stopwatch.input();
    pass(10 * IDLE_AFTER);
    stopwatch.input();
    pass(5_000);
    expect(stopwatch.elapsed("one")).toEqual({
      wall_milliseconds: 15_000 + 10 * IDLE_AFTER,
      active_milliseconds: 15_000 + IDLE_AFTER,
    });
  });

  it("counts nothing active while another window has the focus", () => {
    const { stopwatch, pass } = watch();
    stopwatch.start("one");
    pass(3_000);
    stopwatch.focus(false);
    pass(20_000);
    stopwatch.focus(true);
    pass(2_000);
    expect(stopwatch.elapsed("one")).toEqual({ wall_milliseconds: 25_000, active_milliseconds: 5_000 });
  });

  it("adds up the segments of an item that is left and opened again, and none of another's", () => {
    const { stopwatch, pass } = watch();
    stopwatch.start("one");
    pass(60_000);
    stopwatch.stop();
    pass(1_000);
    stopwatch.start("two");
    pass(500);
    stopwatch.stop();
    expect(stopwatch.elapsed("two")).toEqual({ wall_milliseconds: 500, active_milliseconds: 500 });
    stopwatch.start("one");
    pass(2_000);
    expect(stopwatch.elapsed("one")).toEqual({ wall_milliseconds: 62_000, active_milliseconds: 62_000 });
  });

  it("never adds the same time twice, however often it is asked, stopped or started", () => {
    const { stopwatch, pass } = watch();
    stopwatch.start("one");
    pass(3_000);
    stopwatch.elapsed("one");
    stopwatch.elapsed("one");
    stopwatch.start("one");
    pass(1_000);
    stopwatch.stop();
    stopwatch.stop();
    pass(9_000);
    expect(stopwatch.elapsed("one")).toEqual({ wall_milliseconds: 4_000, active_milliseconds: 4_000 });
  });

  it("begins anew once the decision is saved, and for another reviewer", () => {
    const { stopwatch, pass } = watch();
    stopwatch.start("one");
    pass(9_000);
    stopwatch.stop();
    stopwatch.forget("one");
    expect(stopwatch.elapsed("one")).toBeNull();
    stopwatch.start("one");
    pass(500);
    expect(stopwatch.elapsed("one")).toEqual({ wall_milliseconds: 500, active_milliseconds: 500 });
    stopwatch.clear();
    expect(stopwatch.elapsed("one")).toBeNull();
  });
});
