import { describe, expect, it } from "vitest";
import { ContinuoError } from "../../../src/base/errors.ts";
import { bounded } from "../../../src/web/server/bounded.ts";

const busy = () => new ContinuoError("busy", "too much is waiting");

/** Work that ends when it is told to. */
function work() {
  const begun: (() => void)[] = [];
  return { begun, one: () => new Promise<void>((resolve) => void begun.push(resolve)) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("bounded work", () => {
  it("runs a few at once, the others in their order, and refuses what would wait too long", async () => {
    const run = bounded(2, 3, busy);
    const { begun, one } = work();
    const all = Array.from({ length: 5 }, () => run(one));
    await expect(run(one)).rejects.toMatchObject({ code: "busy" });
    await settled();
    expect(begun).toHaveLength(2);
    for (let ended = 0; ended < 5; ended++) {
      begun[ended]?.();
      await settled();
      expect(begun).toHaveLength(Math.min(5, ended + 3));
    }
    await Promise.all(all);
    const later = Array.from({ length: 3 }, () => run(one)); // no place was given back twice
    await settled();
    expect(begun).toHaveLength(7);
    for (let ended = 5; ended < 8; ended++) {
      begun[ended]?.();
      await settled();
    }
    await Promise.all(later);
  });

  it("goes on after work that failed", async () => {
    const run = bounded(1, 1, busy);
    await expect(run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await run(async () => "yes")).toBe("yes");
  });
});
