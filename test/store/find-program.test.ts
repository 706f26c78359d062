import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { candidates, findProgram } from "../../src/store/find-program.ts";
import { temporaryFolder, write } from "../support/world.ts";

/** A simulated machine in a folder: a home with a project, and a system folder. */
function machine() {
  const root = temporaryFolder("path");
  const home = join(root, "home");
  const project = join(home, "src", "project");
  for (const folder of [join(project, "sub"), join(root, "usr", "bin")])
    mkdirSync(folder, { recursive: true });
  const program = (...folder: string[]): string => {
    const place = join(root, ...folder);
    write(place, { git: "#!/bin/sh\n" });
    chmodSync(join(place, "git"), 0o755);
    return place;
  };
  const found = (path: readonly string[], near: readonly string[] = [], more: NodeJS.ProcessEnv = {}) =>
    findProgram("git", { env: { HOME: home, PATH: path.join(delimiter), ...more }, near });
  return { root, home, project, program, found, system: program("usr", "bin") };
}

describe.skipIf(process.platform === "win32")("a program on the PATH", () => {
  it("is found where programs are usually installed, even in the home and in a home that is a repository", () => {
    const { root, home, project, program, found, system } = machine();
    write(home, { ".git/HEAD": "", ".nvm/.git/HEAD": "", ".config/nvm/.git/HEAD": "", "package.json": "{}" });
    const places = [
      system,
      program("opt", "homebrew", "bin"),
      program("home", ".local", "bin"),
      program("home", "bin"),
      program("home", ".nvm", "versions", "node", "v24", "bin"),
      program("home", ".config", "nvm", "versions", "bin"),
      program("home", "scoop", "shims"),
      program("nix", "store", "git-2", "bin"),
    ];
    for (const place of places)
      for (const near of [home, project, "/"]) expect(found([place], [near])).toBe(join(place, "git"));
    symlinkSync(join(root, "nix", "store", "git-2"), join(home, ".nix-profile"));
    expect(found([join(home, ".nix-profile", "bin")], [home])).toBe(join(home, ".nix-profile", "bin", "git"));
  });

  it("is not one that npm installed in a project, wherever the session is", () => {
    const { root, program, found, system } = machine();
    const planted = program("home", "src", "project", "node_modules", ".bin");
    expect(found([planted, system])).toBe(join(system, "git"));
    symlinkSync(planted, join(root, "shortcut"));
    expect(found([join(root, "shortcut"), system])).toBe(join(system, "git"));
    // Installed globally: a link to a file of a package.
    program("usr", "lib", "node_modules", "git");
    write(join(root, "usr", "lib", "node_modules", "git"), { "package.json": "{}" });
    mkdirSync(join(root, "usr", "global"));
    symlinkSync("../lib/node_modules/git/git", join(root, "usr", "global", "git"));
    expect(found([join(root, "usr", "global")])).toBe(join(root, "usr", "global", "git"));
  });

  it.each([".git/HEAD", ".git", "package.json", ".envrc", "pyproject.toml", ".hg/store", ".jj/repo"])(
    "is not one below a folder with %s, whichever folder is asked about",
    (mark) => {
      const { project, program, found, system } = machine();
      write(project, { [mark]: "x" });
      const planted = program("home", "src", "project", "tools", "bin");
      expect(found([planted, system], ["/"])).toBe(join(system, "git"));
      expect(found([planted, system])).toBe(join(system, "git"));
    },
  );

  it("is not one in the session's folders, by any of their names, or a link into them", () => {
    const { root, home, project, program, found, system } = machine();
    const planted = program("home", "src", "project", "bin");
    expect(found([planted, system], [project])).toBe(join(system, "git"));
    expect(found([planted, system], [], { CLAUDE_PROJECT_DIR: project })).toBe(join(system, "git"));
    expect(found([planted, system], [], { INIT_CWD: project })).toBe(join(system, "git"));
    symlinkSync(project, join(root, "alias"));
    expect(found([join(root, "alias", "bin"), system], [project])).toBe(join(system, "git"));
    expect(found([planted, system], [join(root, "alias")])).toBe(join(system, "git"));
    mkdirSync(join(home, ".local", "bin"), { recursive: true });
    symlinkSync(join(planted, "git"), join(home, ".local", "bin", "git"));
    expect(found([join(home, ".local", "bin"), system], [project])).toBe(join(system, "git"));
  });

  it("is not one that any user could have put there, one that cannot be run, or one in a relative folder", () => {
    const { root, program, found, system } = machine();
    const open = program("open");
    chmodSync(open, 0o1777);
    const changed = program("changed");
    chmodSync(join(changed, "git"), 0o757);
    const text = program("text");
    chmodSync(join(text, "git"), 0o644);
    mkdirSync(join(root, "folder", "git"), { recursive: true });
    expect(found([open, changed, text, join(root, "folder"), "", ".", "bin", system])).toBe(
      join(system, "git"),
    );
    expect(found([open])).toBeUndefined();
    expect(findProgram("git", { env: {} })).toBeUndefined();
  });
});

it("on Windows it is searched by its endings, in absolute folders, quoted or not", () => {
  const env = { Path: 'C:\\bin;"C:\\x y";bin;.;;\\\\server\\share' };
  expect(candidates("claude", env, [".exe", ".cmd"], "win32").slice(0, 4)).toEqual([
    "C:\\bin\\claude.exe",
    "C:\\bin\\claude.cmd",
    "C:\\x y\\claude.exe",
    "C:\\x y\\claude.cmd",
  ]);
  expect(candidates("claude", { PATH: "bin;.;;..\\x" }, [".exe"], "win32")).toEqual([]);
});
