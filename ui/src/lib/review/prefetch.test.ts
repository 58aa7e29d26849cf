// What is loaded ahead: once, kept for a while, forgotten when it failed.
import { describe, expect, it } from "vitest";
import { Prefetch } from "./prefetch";

function counting(limit: number, fail: (key: string, time: number) => boolean = () => false) {
  const loads: string[] = [];
  const cache = new Prefetch(async (key: string) => {
    loads.push(key);
    if (fail(key, loads.filter((loaded) => loaded === key).length)) throw new Error(key);
    return `value of ${key}`;
  }, limit);
  return { cache, loads };
}

describe("Prefetch", () => {
  it("loads once for two that ask", async () => {
    const { cache, loads } = counting(3);
    expect(await Promise.all([cache.get("a"), cache.get("a")])).toEqual(["value of a", "value of a"]);
    expect(loads).toEqual(["a"]);
  });

  it("has a value at once when it is there, and not before", async () => {
    const { cache } = counting(3);
    const loading = cache.get("a");
    expect(cache.now("a")).toBeUndefined();
    await loading;
    expect(cache.now("a")).toBe("value of a");
  });

  it("lets the longest unused go", async () => {
    const { cache, loads } = counting(2);
    await cache.get("a");
    await cache.get("b");
    await cache.get("a");
    await cache.get("c");
    expect(cache.now("b")).toBeUndefined();
    expect(cache.now("a")).toBe("value of a");
    await cache.get("b");
    expect(loads).toEqual(["a", "b", "c", "b"]);
  });

  it("tries again after a failure", async () => {
    const { cache, loads } = counting(3, (_, time) => time === 1);
    await expect(cache.get("a")).rejects.toThrow("a");
    expect(await cache.get("a")).toBe("value of a");
    expect(loads).toEqual(["a", "a"]);
  });

  it("shows what is outdated, and loads it again for whoever asks", async () => {
    const loads: string[] = [];
    const cache = new Prefetch(async (key: string) => `${key} ${loads.push(key)}`, 2);
    await cache.get("a");
    cache.outdate();
    expect(cache.now("a")).toBe("a 1");
    expect(await cache.get("a")).toBe("a 2");
    expect(cache.now("a")).toBe("a 2");
    cache.outdate();
    for (const key of ["b", "c", "d"]) await cache.get(key);
    expect(["a", "b", "c", "d"].filter((key) => cache.now(key))).toEqual(["c", "d"]);
  });

  it("does not keep what was on its way when it became outdated", async () => {
    const { cache } = counting(3);
    const loading = cache.get("a");
    cache.outdate();
    await loading;
    expect(cache.now("a")).toBeUndefined();
  });

  it("does not keep what was forgotten while it loaded", async () => {
    const { cache } = counting(3);
    const loading = cache.get("a");
    cache.forget("a");
    await loading;
    expect(cache.now("a")).toBeUndefined();
  });
});
