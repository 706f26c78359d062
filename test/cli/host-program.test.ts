import { expect, it } from "vitest";
import { askVersion, startOnWindows } from "../../src/cli/host-program.ts";
import { temporaryFolder, write } from "../support/world.ts";

const COMMAND = ["claude", "--version"];
const NPM = "C:\\Users\\A & B\\AppData\\npm";

function start(files: readonly string[], path: string) {
  return startOnWindows(COMMAND, { Path: path, SystemRoot: "D:\\Windows" }, (file) => files.includes(file));
}

it("on Windows a program is started by itself, the first on the PATH", () => {
  const native = "C:\\bin\\claude.exe";
  const found = start([native, `${NPM}\\claude.cmd`], `C:\\bin;${NPM}`);
  expect(found).toEqual({ file: native, args: ["--version"] });
});

it("on Windows npm's .cmd is run by cmd.exe, its path one quoted word", () => {
  expect(start([`${NPM}\\claude.cmd`], `"C:\\x y";${NPM}`)).toEqual({
    file: "D:\\Windows\\System32\\cmd.exe",
    args: ["/d", "/s", "/c", `""${NPM}\\claude.cmd" --version"`],
    verbatim: true,
  });
});

it("on Windows a path that cmd.exe would change, and a folder of the project, are left alone", () => {
  expect(start(["C:\\%TEMP%\\claude.cmd"], "C:\\%TEMP%")).toBeUndefined();
  expect(start(["bin\\claude.cmd", ".\\claude.cmd"], "bin;.;")).toBeUndefined();
  expect(start([], "C:\\bin")).toBeUndefined();
});

it.skipIf(process.platform === "win32")("the version is what the program on the PATH says", async () => {
  const folder = temporaryFolder();
  write(folder, { claude: "#!/bin/sh\necho 'Claude 2.3.4 (x)'\n" });
  const { chmodSync } = await import("node:fs");
  chmodSync(`${folder}/claude`, 0o755);
  expect(askVersion(COMMAND, { PATH: folder })).toBe("2.3.4");
  expect(askVersion(COMMAND, { PATH: "/nowhere" })).toBeUndefined();
});
