// When a lease is renewed, and when it is over.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Claim } from "$lib/generated/Claim";
import { LeaseClock } from "./lease-clock";

const lease = (milliseconds: number): Claim => ({
  item: "A",
  item_version: 1,
  token: 1,
  expires_at: new Date(Date.now() + milliseconds).toISOString(),
});

describe("LeaseClock", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function clock() {
    const renew = vi.fn();
    const lapsed = vi.fn();
    return { renew, lapsed, clock: new LeaseClock({ length: () => 900, renew, lapsed }) };
  }

  it("asks for a renewal at a third, and says it is over at its end where none came", () => {
    const { renew, lapsed, clock: one } = clock();
    const claim = lease(900);
    one.start(claim);
    vi.advanceTimersByTime(299);
    expect(renew).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(renew).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(599);
    expect(lapsed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(lapsed.mock.calls).toEqual([[claim]]);
  });

  it("counts anew for a renewed lease, and not at all once stopped", () => {
    const { lapsed, clock: one } = clock();
    one.start(lease(900));
    vi.advanceTimersByTime(800);
    one.start(lease(900));
    vi.advanceTimersByTime(800);
    expect(lapsed).not.toHaveBeenCalled();
    one.stop();
    vi.advanceTimersByTime(2_000);
    expect(lapsed).not.toHaveBeenCalled();
  });

  it("never takes a far end for a near one", () => {
    const { lapsed, clock: one } = clock();
    one.start(lease(1e12));
    vi.advanceTimersByTime(60_000);
    expect(lapsed).not.toHaveBeenCalled();
  });
});
