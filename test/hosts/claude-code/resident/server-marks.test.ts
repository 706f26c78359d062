import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  isServerGone,
  markServer,
  markStarting,
} from "../../../../src/hosts/claude-code/resident/server-marks.ts";
import { homeAt } from "../../../../src/store/home.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

describe("markServer", () => {
  it("names the server of a host process, and marks its end unless another server has replaced it", () => {
    const home = homeAt(temporaryFolder());
    const file = join(home.root, "servers", "77");
    const endFirst = markServer(home, 77, process.pid);
    expect(readFileSync(file, "utf8")).toBe(`${process.pid}\n`);
    const endSecond = markServer(home, 77, process.ppid);
    endFirst();
    expect(readFileSync(file, "utf8")).toBe(`${process.ppid}\n`);
    endSecond();
    expect(readFileSync(file, "utf8")).toBe("ended\n");
    endSecond();
  });

  it("removes the marks and open requests of host processes that have ended, and no others", () => {
    const home = homeAt(temporaryFolder());
    const { pid } = spawnSync("true");
    const names = [String(pid), ".5.1.unfinished", String(process.ppid)];
    for (const name of names) write(home.root, { [`servers/${name}`]: "1\n", [`requests/${name}`]: "[]" });
    markServer(home, process.pid, 1);
    expect(readdirSync(join(home.root, "servers")).sort()).toEqual(
      [".5.1.unfinished", String(process.pid), String(process.ppid)].sort(),
    );
    expect(readdirSync(join(home.root, "requests")).sort()).toEqual(
      [".5.1.unfinished", String(process.ppid)].sort(),
    );
  });
});

describe("isServerGone", () => {
  const host = String(process.pid);
  const { pid: dead = 0 } = spawnSync("true");

  it("is false before anything is known, and while the host starts", () => {
    const home = homeAt(temporaryFolder());
    const now = Date.now();
    expect(isServerGone(home, host, now)).toBe(false);
    markStarting(home, host);
    utimesSync(join(home.root, "servers", host), now / 1000, now / 1000);
    expect(isServerGone(home, host, now + 9_000)).toBe(false);
    expect(isServerGone(home, host, now + 11_000)).toBe(true);
  });

  it("is false while the server runs, or the shell that starts it again", () => {
    const home = homeAt(temporaryFolder());
    const end = markServer(home, process.pid, process.pid);
    markStarting(home, host);
    expect(isServerGone(home, host, Date.now() + 60_000)).toBe(false);
    end();
    expect(isServerGone(home, host, Date.now())).toBe(true);
    markServer(home, process.pid, dead, process.pid);
    expect(isServerGone(home, host, Date.now())).toBe(false);
    markServer(home, process.pid, dead, dead);
    expect(isServerGone(home, host, Date.now())).toBe(true);
    markServer(home, process.pid, dead);
    expect(isServerGone(home, host, Date.now())).toBe(true);
  });

  it.skipIf(process.platform !== "linux")("is true for a server that nobody has collected yet", async () => {
    const home = homeAt(temporaryFolder());
    // The shell becomes a program that does not wait for its child.
    const parent = spawn("/bin/sh", ["-c", "sleep 0 & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    onTestFinished(() => void parent.kill());
    const server = Number(await new Promise<Buffer>((resolve) => parent.stdout.once("data", resolve)));
    markServer(home, process.pid, server);
    await expect.poll(() => isServerGone(home, host, Date.now())).toBe(true);
    expect(process.kill(server, 0)).toBe(true);
  });

  it.each(["", "0", "-1", "../x", "12345678901"])("knows no host process %j", (odd) => {
    const home = homeAt(temporaryFolder());
    markStarting(home, odd);
    expect(isServerGone(home, odd, Date.now() + 60_000)).toBe(false);
  });
});
