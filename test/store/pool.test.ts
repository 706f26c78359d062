import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clearPools, createPool } from "../../src/store/pool.ts";

describe("a pool", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    clearPools();
    vi.useRealTimers();
  });

  function pool(most = 2) {
    const closed: string[] = [];
    return { closed, ...createPool<string>({ most, idleMs: 1000, close: (value) => closed.push(value) }) };
  }

  test("gives each value to one user at a time", () => {
    const { take, put } = pool();
    expect(take("a")).toBe(undefined);
    put("a", "first");
    expect(take("b")).toBe(undefined);
    expect(take("a")).toBe("first");
    expect(take("a")).toBe(undefined);
  });

  test("keeps those that were used last and closes the others", () => {
    const { take, put, closed } = pool();
    put("a", "first");
    put("b", "second");
    put("c", "third");
    expect(closed).toEqual(["first"]);
    expect(take("b")).toBe("second");
  });

  test("closes what nobody used for a while, and has no timer afterwards", () => {
    const { take, put, closed } = pool();
    put("a", "first");
    vi.advanceTimersByTime(600);
    put("b", "second");
    vi.advanceTimersByTime(600);
    expect(closed).toEqual(["first"]);
    vi.advanceTimersByTime(600);
    expect(closed).toEqual(["first", "second"]);
    expect(vi.getTimerCount()).toBe(0);
    expect(take("a")).toBe(undefined);
  });

  test("does not close what somebody has", () => {
    const { take, put, closed } = pool();
    put("a", "first");
    expect(take("a")).toBe("first");
    vi.advanceTimersByTime(5000);
    clearPools();
    expect(closed).toEqual([]);
  });

  test("closes everything when told to", () => {
    const { put, closed } = pool();
    put("a", "first");
    put("b", "second");
    clearPools();
    expect(closed).toEqual(["first", "second"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
