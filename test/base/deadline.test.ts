import { describe, expect, it } from "vitest";
import { orUndefinedAfter, withDeadline } from "../../src/base/deadline.ts";

const late = () => new Error("too late");
const never = new Promise<never>(() => undefined);

describe("withDeadline", () => {
  it("returns the result of work that finishes in time", async () => {
    expect(await withDeadline(1000, late, async () => 7)).toBe(7);
  });

  it("returns what is ready when work that blocked the process for longer than its time is done", async () => {
    const work = async () => {
      for (const until = Date.now() + 400; Date.now() < until; );
      await new Promise((resolve) => setImmediate(resolve));
      return "ready";
    };
    expect(await withDeadline(10, late, work)).toBe("ready");
    // Not for ever.
    const unfinished = () => {
      for (const until = Date.now() + 400; Date.now() < until; );
      return never;
    };
    await expect(withDeadline(10, late, unfinished)).rejects.toThrow("too late");
  });

  it("throws what the work throws, even before it returns a promise", async () => {
    const failing = () => {
      throw new Error("broken");
    };
    await expect(withDeadline(1000, late, failing)).rejects.toThrow("broken");
    await expect(withDeadline(1000, late, async () => failing())).rejects.toThrow("broken");
  });

  it("throws the late error and aborts the work's signal with it", async () => {
    let seen: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      seen = signal;
      return never;
    };
    await expect(withDeadline(5, late, work)).rejects.toThrow("too late");
    expect(seen?.aborted).toBe(true);
    expect(seen?.reason).toEqual(late());
  });

  it("ignores a failure of work that continues after the deadline", async () => {
    const work = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw new Error("after the deadline");
    };
    await expect(withDeadline(5, late, work)).rejects.toThrow("too late");
    await new Promise((resolve) => setTimeout(resolve, 40)); // an unhandled rejection would fail the run
  });

  it("ends with the outer signal's reason, and does not begin if that signal is already aborted", async () => {
    const outer = new AbortController();
    const waiting = withDeadline(1000, late, () => never, outer.signal);
    outer.abort(new Error("no longer wanted"));
    await expect(waiting).rejects.toThrow("no longer wanted");
    let hasBegun = false;
    const begin = async () => {
      hasBegun = true;
    };
    await expect(withDeadline(1000, late, begin, outer.signal)).rejects.toThrow("no longer wanted");
    expect(hasBegun).toBe(false);
  });

  it("does not abort the signal once the work is done", async () => {
    const outer = new AbortController();
    let seen: AbortSignal | undefined;
    await withDeadline(
      5,
      late,
      async (signal) => {
        seen = signal;
      },
      outer.signal,
    );
    outer.abort();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen?.aborted).toBe(false);
  });
});

describe("orUndefinedAfter", () => {
  it("returns the promise's result, or undefined if it takes too long", async () => {
    expect(await orUndefinedAfter(1000, Promise.resolve(7))).toBe(7);
    expect(await orUndefinedAfter(5, never)).toBeUndefined();
    await expect(orUndefinedAfter(1000, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  });
});
