import { chmodSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { askVersion, packagedVersion, startOf } from "../../src/setup/host-program.ts";
import { CONTINUO, runScript } from "../support/child.ts";
import { temporaryFolder, temporaryWorld, write } from "../support/world.ts";

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
  "the version of a program in an npm package comes from its manifest, and the program is not started",
  async () => {
    const prefix = temporaryFolder();
    const folder = join(prefix, "lib", "node_modules", "@acme", "claude");
    withProgram(join(folder, "dist"), "0.0.1");
    write(folder, { "package.json": '{"version":"2.3.4-linux-x64"}' });
    mkdirSync(join(prefix, "bin"));
    symlinkSync("../lib/node_modules/@acme/claude/dist/claude", join(prefix, "bin", "claude"));
    expect(await askVersion(COMMAND, { PATH: join(prefix, "bin") }, "/")).toBe("2.3.4");
    expect(existsSync(join(folder, "dist", "RAN"))).toBe(false);
    write(folder, { "package.json": "no manifest" });
    expect(await askVersion(COMMAND, { PATH: join(prefix, "bin") }, "/")).toBe("0.0.1");
  },
);

it("npm's .cmd on Windows names the package in which the manifest is", () => {
  const folder = temporaryFolder();
  write(folder, {
    "gemini.cmd": '@ECHO off\r\n"%_prog%"  "%dp0%\\node_modules\\@google\\gemini-cli\\dist\\index.js" %*\r\n',
    "node_modules/@google/gemini-cli/package.json": '{"version":"0.61.0"}',
  });
  expect(packagedVersion(join(folder, "gemini.cmd"))).toBe("0.61.0");
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
