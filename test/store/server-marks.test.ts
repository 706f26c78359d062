import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { homeAt } from "../../src/store/home.ts";
import { markServer } from "../../src/store/server-marks.ts";
import { temporaryFolder, write } from "../support/world.ts";

describe("markServer", () => {
  it("names the server of a host process, and removes the mark unless another server has replaced it", () => {
    const home = homeAt(temporaryFolder());
    const file = join(home.root, "servers", "77");
    const removeFirst = markServer(home, 77, process.pid);
    expect(readFileSync(file, "utf8")).toBe(`${process.pid}\n`);
    const removeSecond = markServer(home, 77, process.ppid);
    removeFirst();
    expect(readFileSync(file, "utf8")).toBe(`${process.ppid}\n`);
    removeSecond();
    expect(existsSync(file)).toBe(false);
    removeSecond();
  });

  it("removes the marks of host processes that have ended, and no others", () => {
    const home = homeAt(temporaryFolder());
    const { pid } = spawnSync("true");
    const names = [String(pid), ".5.1.unfinished", String(process.ppid)];
    for (const name of names) write(home.root, { [`servers/${name}`]: "1\n" });
    markServer(home, process.pid, 1);
    expect(readdirSync(join(home.root, "servers")).sort()).toEqual(
      [".5.1.unfinished", String(process.pid), String(process.ppid)].sort(),
    );
  });
});
