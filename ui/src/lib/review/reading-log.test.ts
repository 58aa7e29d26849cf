// What is logged, on a clock that the test moves; what follows from it is the core's to say, and its tests'.
import { describe, expect, it } from "vitest";
import type { ReadingSegment } from "$lib/generated/ReadingSegment";
import { IDLE_AFTER, ReadingLog } from "./reading-log";

function logging({ focused = true, visible = true, keeps = true } = {}) {
  let now = 1000.4;
  let made = 0;
  const kept: [string, ReadingSegment][] = [];
  const log = new ReadingLog(
    {
      now: () => now,
      id: () => `id-${++made}`,
      keep: (item, segment) => {
        if (!keeps) return Promise.reject(new Error("the store is away"));
        kept.push([item, segment]);
        return Promise.resolve();
      },
    },
    focused,
    visible,
  );
  const line = (segment: ReadingSegment | undefined) => segment?.events.map(({ at, event }) => `${at - 1000} ${event}`);
  return { log, kept, line, pass: (milliseconds: number) => (now += milliseconds) };
}

describe("ReadingLog", () => {
  it("has nothing before anything is painted, which is not zero", () => {
    expect(logging().log.decided("one")).toEqual([]);
  });

  it("logs painted and decided", () => {
    const { log, line, pass } = logging();
    log.start("one");
    pass(41_000);
    const segments = log.decided("one");
    expect(segments).toHaveLength(1);
    expect(line(segments[0])).toEqual(["0 painted", "41000 decided"]);
    expect(log.decided("one")).toEqual([]);
  });

  it("notices an idle minute when something happens next, and gives it its own time", () => {
    const { log, line, pass } = logging();
    log.start("one");
    pass(10_000);
    log.input();
    pass(10 * IDLE_AFTER);
    log.input();
    pass(5_000);
    log.input();
    pass(2 * IDLE_AFTER);
    expect(line(log.decided("one")[0])).toEqual([
      "0 painted",
      "70000 idle",
      "610000 returned",
      "675000 idle",
      "735000 decided",
    ]);
  });

  it("logs focus and visibility, once each, and coming back as input", () => {
    const { log, line, pass } = logging();
    log.start("one");
    pass(3_000);
    log.focus(false);
    log.focus(false);
    log.visibility(false);
    pass(100_000);
    log.visibility(true);
    log.focus(true);
    pass(2_000);
    expect(line(log.decided("one")[0])).toEqual([
      "0 painted",
      "3000 blurred",
      "3000 hidden",
      "60000 idle",
      "103000 visible",
      "103000 focused",
      "103000 returned",
      "105000 decided",
    ]);
  });

  it("says at painting that the window is behind another, or hidden", () => {
    const { log, line, pass } = logging({ focused: false, visible: false });
    log.start("one");
    pass(7);
    expect(line(log.decided("one")[0])).toEqual(["0 painted", "0 blurred", "0 hidden", "7 decided"]);
  });

  it("sends what ends without a decision, and it goes with the decision no more once it is kept", async () => {
    const { log, kept, line, pass } = logging();
    log.start("one");
    pass(60);
    log.start("two");
    pass(5);
    log.stop();
    log.stop();
    await log.settled();
    expect(kept.map(([item, segment]) => [item, line(segment)])).toEqual([
      ["one", ["0 painted", "60 left"]],
      ["two", ["60 painted", "65 left"]],
    ]);
    expect(new Set(kept.map(([, segment]) => segment.process)).size).toBe(1);
    expect(new Set(kept.map(([, segment]) => segment.segment)).size).toBe(2);
    log.start("one");
    pass(3);
    const segments = log.decided("one");
    expect(segments.map(line)).toEqual([["65 painted", "68 decided"]]);
  });

  it("gives what is not acknowledged to the decision, under the same id, so that it is kept once", async () => {
    const { log, line, pass } = logging({ keeps: false });
    log.start("one");
    pass(60);
    log.stop();
    await log.settled();
    log.start("one");
    pass(4);
    const segments = log.decided("one");
    expect(segments.map(line)).toEqual([
      ["0 painted", "60 left"],
      ["60 painted", "64 decided"],
    ]);
    expect(segments[0]?.segment).not.toBe(segments[1]?.segment);
  });

  it("gives the time of a decision that came back to the next one, before what came after", () => {
    const { log, line, pass } = logging({ keeps: false });
    log.start("one");
    pass(60);
    const refused = log.decided("one");
    log.start("one");
    pass(5);
    log.takeBack("one", refused);
    expect(log.decided("one").map(line)).toEqual([
      ["0 painted", "60 decided"],
      ["60 painted", "65 decided"],
    ]);
  });

  it("forgets everything for another reviewer", () => {
    const { log, pass } = logging({ keeps: false });
    log.start("one");
    pass(9);
    log.stop();
    log.start("two");
    log.clear();
    expect(log.decided("one")).toEqual([]);
    expect(log.decided("two")).toEqual([]);
  });
});
