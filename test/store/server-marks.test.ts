import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
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

  it("removes the marks of servers that were killed, and no others", () => {
    const home = homeAt(temporaryFolder());
    const { pid } = spawnSync("true");
    write(home.root, {
      "servers/1": `${pid}\n`,
      "servers/2": "nonsense",
      "servers/3": `${process.pid}\n`,
      "servers/4": "9".repeat(100),
    });
    markServer(home, 5, process.pid);
    const left = [1, 2, 3, 4, 5].filter((name) => existsSync(join(home.root, "servers", String(name))));
    expect(left).toEqual([3, 5]);
  });
});
