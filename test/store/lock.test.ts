import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lockHolder, withLock } from "../../src/store/lock.ts";
import { childScript } from "../support/child.ts";
import { temporaryFolder } from "../support/world.ts";

/** A process that adds 1 to a number in a file, many times, each time under the lock. */
const COUNTER = `
import { readFileSync, writeFileSync } from "node:fs";
import { withLock } from "./src/store/lock.ts";
const [, , lock, file, times, leaves] = process.argv;
const leavesNothing = leaves === "nothing";
for (let i = 0; i < Number(times); i++) {
  await withLock(lock, () => writeFileSync(file, String(Number(readFileSync(file, "utf8")) + 1)), { waitMs: 60000, leavesNothing });
}
`;

function count(script: string, folder: string, times: number, leaves = "free") {
  const args = [script, join(folder, "lock"), join(folder, "n"), String(times), leaves];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  return { child, done: new Promise<number | null>((resolve) => child.on("exit", resolve)) };
}

describe("withLock", () => {
  it("lets eight processes count without losing one step", async () => {
    const folder = temporaryFolder();
    const script = await childScript(folder, COUNTER);
    writeFileSync(join(folder, "n"), "0");
    const codes = await Promise.all(Array.from({ length: 8 }, () => count(script, folder, 50).done));
    expect(codes).toEqual(Array(8).fill(0));
    expect(readFileSync(join(folder, "n"), "utf8")).toBe("400");
    expect(readdirSync(join(folder, "lock"))).toEqual(["free"]);
  });

  it.skipIf(process.platform === "win32")(
    "loses no step either if the lock is removed after each use, and leaves nothing",
    async () => {
      const folder = temporaryFolder();
      const script = await childScript(folder, COUNTER);
      writeFileSync(join(folder, "n"), "0");
      const codes = await Promise.all(
        Array.from({ length: 8 }, (_, i) => count(script, folder, 50, i < 6 ? "nothing" : "free").done),
      );
      expect(codes).toEqual(Array(8).fill(0));
      expect(readFileSync(join(folder, "n"), "utf8")).toBe("400");
      const lock = join(folder, "lock");
      const failing = withLock(lock, () => Promise.reject(new Error("no")), {
        waitMs: 10,
        leavesNothing: true,
      });
      await expect(failing).rejects.toThrow("no");
      expect(readdirSync(folder).filter((name) => name.startsWith("lock"))).toEqual([]);
    },
  );

  it("takes over from holders that were killed, again and again", async () => {
    const folder = temporaryFolder();
    const script = await childScript(folder, COUNTER);
    writeFileSync(join(folder, "n"), "0");
    for (let round = 0; round < 8; round++) {
      const victims = [count(script, folder, 1e9), count(script, folder, 1e9)];
      await new Promise((resolve) => setTimeout(resolve, 120 + round * 10));
      for (const { child } of victims) child.kill("SIGKILL");
      await Promise.all(victims.map((victim) => victim.done));
      const lock = join(folder, "lock");
      expect(await withLock(lock, () => "mine", { waitMs: 20_000 })).toBe("mine");
      expect(readdirSync(lock)).toEqual(["free"]);
      // The writers' file is not written atomically: a killed process may have left it empty. Only the lock is tested.
      writeFileSync(join(folder, "n"), "0");
    }
  });

  it("gives up in time if a live process holds it, and says so", async () => {
    const lock = join(temporaryFolder(), "lock");
    await withLock(
      lock,
      async () => {
        await expect(withLock(lock, () => 0, { waitMs: 60 })).rejects.toMatchObject({ code: "lock-busy" });
        expect(lockHolder(lock)).toMatchObject({ pid: process.pid, alive: true });
      },
      { waitMs: 1000 },
    );
  });

  it("breaks an old lock whose process id is in use again, even if the clock was set back", async () => {
    const lock = join(temporaryFolder(), "lock");
    await withLock(lock, () => 0, { waitMs: 1000 });
    const machine = await withLock(lock, () => readdirSync(lock)[0]!.split(".")[3], { waitMs: 1000 });
    for (const since of [Date.now() - 3_600_000, Date.now() + 3_600_000]) {
      renameSync(join(lock, "free"), join(lock, `held.${process.pid}.${since}.${machine}.abcdef`));
      expect(await withLock(lock, () => "mine", { waitMs: 1000 })).toBe("mine");
    }
  });

  it("dates a lock at its taking, not before the wait for it", async () => {
    const lock = join(temporaryFolder(), "lock");
    let clock = 1_000_000;
    const options = { waitMs: 60_000, now: () => clock };
    let second: Promise<number | undefined> | undefined;
    await withLock(
      lock,
      async () => {
        second = withLock(lock, () => lockHolder(lock)?.since, options);
        await new Promise((resolve) => setTimeout(resolve, 5));
        clock += 29_000;
      },
      options,
    );
    expect(await second).toBe(clock);
  });

  it("reports to a holder that its lock was taken over", async () => {
    const lock = join(temporaryFolder(), "lock");
    const work = () => renameSync(join(lock, readdirSync(lock)[0]!), join(lock, "free"));
    await expect(withLock(lock, work, { waitMs: 1000 })).rejects.toMatchObject({ code: "lock-lost" });
  });

  it("releases when the work throws", async () => {
    const lock = join(temporaryFolder(), "lock");
    await expect(
      withLock(
        lock,
        () => {
          throw new Error("work");
        },
        { waitMs: 1000 },
      ),
    ).rejects.toThrow("work");
    expect(readdirSync(lock)).toEqual(["free"]);
  });

  it("repairs a lock folder that lost its token", async () => {
    const lock = join(temporaryFolder(), "lock");
    mkdirSync(lock);
    expect(await withLock(lock, () => 7, { waitMs: 1000 })).toBe(7);
  });
});
