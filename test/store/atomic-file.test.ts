import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { UNFINISHED, writeFileAtomic } from "../../src/store/atomic-file.ts";
import { childScript } from "../support/child.ts";
import { device } from "../support/planting.ts";
import { temporaryFolder } from "../support/world.ts";

const WRITER = `
import { writeSync } from "node:fs";
import { writeFileAtomic } from "./src/store/atomic-file.ts";
for (let i = 0; ; i++) {
  writeFileAtomic(process.argv[2], JSON.stringify({ i, fill: "x".repeat(200000), end: i }));
  if (i === 0) writeSync(1, "written");
}
`;

describe("writeFileAtomic", () => {
  it("leaves the old or the new content, whole, when writers are killed", async () => {
    const folder = temporaryFolder();
    const script = await childScript(folder, WRITER);
    const target = join(folder, "data", "file.json");
    for (let round = 0; round < 15; round++) {
      const child = spawn(process.execPath, [script, target]);
      // Killed in the middle of later writes, however slow the machine is.
      await once(child.stdout, "data");
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
      child.kill("SIGKILL");
      await new Promise((resolve) => child.on("exit", resolve));
      const value = JSON.parse(readFileSync(target, "utf8"));
      expect(value.end).toBe(value.i);
    }
    expect(
      readdirSync(join(folder, "data")).filter((name) => name !== "file.json" && !UNFINISHED.test(name)),
    ).toEqual([]);
  });

  it("writes through a link, so that dotfiles stay links", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "real.json"), "old");
    symlinkSync(join(folder, "real.json"), join(folder, "link.json"));
    writeFileAtomic(join(folder, "link.json"), "new");
    expect(lstatSync(join(folder, "link.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "real.json"), "utf8")).toBe("new");
  });

  it("keeps the mode of what it replaces and is private otherwise", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "open"), "");
    chmodSync(join(folder, "open"), 0o644);
    writeFileAtomic(join(folder, "open"), "x");
    writeFileAtomic(join(folder, "new"), "x");
    expect(statSync(join(folder, "open")).mode & 0o777).toBe(0o644);
    expect(statSync(join(folder, "new")).mode & 0o777).toBe(0o600);
  });

  it("leaves nothing behind when it cannot write", () => {
    const folder = temporaryFolder();
    writeFileAtomic(join(folder, "sub", "a"), "x");
    expect(() => writeFileAtomic(join(folder, "sub"), "x")).toThrow();
    expect(readdirSync(folder)).toEqual(["sub"]);
  });
});

describe.skipIf(process.platform === "win32")("a link to what is no file", () => {
  it("is replaced itself: the device or folder that it leads to stays", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "target"));
    symlinkSync("target", join(folder, "a"));
    symlinkSync(device("zero"), join(folder, "b"));
    for (const name of ["a", "b"]) {
      writeFileAtomic(join(folder, name), "text");
      expect(readFileSync(join(folder, name), "utf8")).toBe("text");
    }
    expect(statSync(join(folder, "target")).isDirectory()).toBe(true);
    expect(statSync(device("zero")).isCharacterDevice()).toBe(true);
    expect(lstatSync(join(folder, "b")).mode & 0o777).toBe(0o600);
  });
});
