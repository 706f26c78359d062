import { chmodSync, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { askVersion, startOf } from "../../../../src/cli/commands/install/host-program.ts";
import { CONTINUO, runScript } from "../../../support/child.ts";
import { temporaryFolder, temporaryWorld, write } from "../../../support/world.ts";

const COMMAND = ["claude", "--version"];
const NPM = "C:\\Users\\A & B\\AppData\\npm";
const WINDOWS = { SystemRoot: "D:\\Windows" };

it("a program is started directly, without a shell", () => {
  const native = "C:\\bin\\claude.exe";
  expect(startOf(native, ["--version"], {})).toEqual({ file: native, args: ["--version"] });
});

it("on Windows npm's .cmd is run by cmd.exe, with its path as one quoted word", () => {
  const env = process.platform === "win32" ? { systemroot: "D:\\Windows" } : WINDOWS;
  expect(startOf(`${NPM}\\claude.cmd`, ["--version"], env)).toEqual({
    file: "D:\\Windows\\System32\\cmd.exe",
    args: ["/d", "/s", "/c", `""${NPM}\\claude.cmd" --version"`],
    verbatim: true,
  });
});

it("on Windows a path that cmd.exe would change is not run", () => {
  expect(startOf("C:\\%TEMP%\\claude.cmd", [], WINDOWS)).toBeUndefined();
});

/** A folder with a program of that name that prints its version. */
function withProgram(folder: string, version: string): string {
  write(folder, { claude: `#!/bin/sh\necho ran >> "$(dirname "$0")/RAN"\necho 'Claude ${version} (x)'\n` });
  chmodSync(join(folder, "claude"), 0o755);
  return folder;
}

it.skipIf(process.platform === "win32")("the version comes from the program on the PATH", async () => {
  const folder = withProgram(temporaryFolder(), "2.3.4");
  expect(await askVersion(COMMAND, { PATH: folder }, "/")).toBe("2.3.4");
  expect(await askVersion(COMMAND, { PATH: "/nowhere" }, "/")).toBeUndefined();
});

it.skipIf(process.platform === "win32")(
  "continuo install never runs a host's program inside the project",
  async () => {
    const { root, env } = temporaryWorld();
    const places = ["node_modules/.bin", "bin", "."].map((name) => withProgram(join(root, name), "9.9.9"));
    const PATH = ["", ".", "bin", ...places, env["PATH"]].join(delimiter);
    const { code } = await runScript(CONTINUO, ["install", "claude-code", "--dry-run"], {
      cwd: root,
      env: { ...env, PATH },
    });
    expect(code).toBe(0);
    expect(places.filter((place) => existsSync(join(place, "RAN")))).toEqual([]);
  },
);
