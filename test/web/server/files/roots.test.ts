import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { registries } from "../../../../src/entries/registries.ts";
import { openSessions } from "../../../../src/sources/sessions/library.ts";
import { homeAt } from "../../../../src/store/home.ts";
import type { RootsWorld } from "../../../../src/web/server/files/known-roots.ts";
import { allowedPath } from "../../../../src/web/server/files/roots.ts";
import { history } from "../../../support/histories.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

/** A user with a project that `continuo web` was called in, and a folder that nobody worked in. */
function place() {
  const folder = temporaryFolder();
  const user = join(folder, "user");
  const project = join(user, "shop");
  const home = homeAt(join(user, ".continuo"));
  write(folder, {
    "user/shop/src/cart.ts": "export {};\n",
    "user/shop/.git/HEAD": "ref: refs/heads/main\n",
    "user/shop/.git/objects/x": "",
    "user/other/secret.txt": "no",
    "user/.continuo/config.json": "{}",
    "user/.continuo/memory/note.md": "# Note\n",
    "outside/passwd": "no",
  });
  const env = { HOME: user, CONTINUO_HOME: home.root, TMPDIR: folder };
  const sessions = openSessions({ home, env, history });
  const world: RootsWorld = { ...registries, home, env, cwd: project, sessions: async () => sessions };
  return {
    folder,
    user,
    project,
    home,
    world,
    async code(path: string) {
      return allowedPath(world, path).then(
        ({ real }) => real,
        (error: { code: string }) => error.code,
      );
    },
  };
}

describe("a path of a request", () => {
  it("is allowed inside a known project and inside the notes, by its real path", async () => {
    const { project, home, code } = place();
    expect(await code(join(project, "src/cart.ts"))).toBe(join(project, "src/cart.ts"));
    expect(await code(join(project, "src"))).toBe(join(project, "src"));
    expect(await code(`${project}/src/../src/./cart.ts`)).toBe(join(project, "src/cart.ts"));
    expect(await code(join(home.root, "memory/note.md"))).toBe(join(home.root, "memory/note.md"));
  });

  it("is refused outside of them, whether or not something is there", async () => {
    const { folder, user, home, project, code } = place();
    for (const path of [
      "/",
      "/etc/passwd",
      user,
      folder,
      join(user, "other/secret.txt"),
      join(user, "other/nothing.txt"),
      home.root,
      home.config,
      join(home.root, "memory/../config.json"),
      `${project}/../other/secret.txt`,
      `${project}/src/../../../../../../../../etc/passwd`,
      `${project}2/src/cart.ts`,
    ])
      expect([path, await code(path)]).toEqual([path, "path-not-allowed"]);
    expect(await code(join(project, "src/nothing.ts"))).toBe("no-such-file");
    expect(await code(join(project, "src/cart.ts/more"))).toBe("no-such-file");
  });

  it("is refused in every form that is not a plain absolute path", async () => {
    const { project, code } = place();
    for (const path of [
      "",
      "src/cart.ts",
      "../shop/src/cart.ts",
      `${project}/src/cart.ts\0.md`,
      "\0",
      "file:///etc/passwd",
      "C:\\Windows\\win.ini",
      "\\\\server\\share\\x",
      "~/shop/src/cart.ts",
      `/${"a".repeat(5000)}`,
      `${project}/\ud800`,
    ])
      expect([path, await code(path)]).toEqual([path, "path-invalid"]);
    // Nothing is decoded a second time: these are names that do not exist.
    for (const path of [
      "%2e%2e/%2e%2e/outside/passwd",
      "..%2f..%2foutside%2fpasswd",
      "%2Fetc%2Fpasswd",
      "src\\cart.ts",
    ])
      expect([path, await code(join(project, path))]).toEqual([path, "no-such-file"]);
  });

  it("is refused where the system makes files up", async () => {
    const { code } = place();
    for (const path of [
      "/proc/self/environ",
      "/proc/self/root/etc/passwd",
      "/proc/self/cwd",
      "/dev/zero",
      "/sys",
    ])
      expect([path, await code(path)]).toEqual([path, "path-not-allowed"]);
  });

  it("is followed through links only to what is inside a root", async () => {
    const { folder, project, code } = place();
    symlinkSync(join(folder, "outside"), join(project, "out"));
    symlinkSync(join(project, "src"), join(project, "in"));
    symlinkSync("/etc/passwd", join(project, "src/innocent.ts"));
    symlinkSync("loop", join(project, "loop"));
    symlinkSync(join(folder, "nothing"), join(project, "dangling"));
    expect(await code(join(project, "in/cart.ts"))).toBe(join(project, "src/cart.ts"));
    expect(await code(join(project, "out/passwd"))).toBe("path-not-allowed");
    expect(await code(join(project, "out/nothing"))).toBe("path-not-allowed");
    expect(await code(join(project, "src/innocent.ts"))).toBe("path-not-allowed");
    expect(await code(join(project, "loop"))).toBe("path-not-allowed");
    expect(await code(join(project, "dangling"))).toBe("no-such-file");
  });

  it("is looked at again each time: a folder that became a link leads nowhere", async () => {
    const { folder, project, code } = place();
    write(project, { "docs/passwd": "fine" });
    expect(await code(join(project, "docs/passwd"))).toBe(join(project, "docs/passwd"));
    renameSync(join(project, "docs"), join(project, "docs-before"));
    symlinkSync(join(folder, "outside"), join(project, "docs"));
    expect(await code(join(project, "docs/passwd"))).toBe("path-not-allowed");
  });

  it("is refused for keys, passwords and git's own files, in any case", async () => {
    const { project, code } = place();
    write(project, {
      ".env": "",
      ".env.local": "",
      ".ENV": "",
      ".env.example": "",
      "deploy/id_ed25519": "",
      "deploy/id_ed25519.pub": "",
      "certs/server.PEM": "",
      ".npmrc": "",
      ".aws/credentials": "",
      "src/credentials.ts": "",
      ".gitignore": "",
      ".github/workflows/ci.yml": "",
    });
    for (const path of [
      ".env",
      ".env.local",
      ".ENV",
      "deploy/id_ed25519",
      "certs/server.PEM",
      ".npmrc",
      ".aws/credentials",
      ".git/HEAD",
      ".git",
      ".git/hooks/new",
    ])
      expect([path, await code(join(project, path))]).toEqual([path, "path-refused"]);
    for (const path of [
      ".env.example",
      "deploy/id_ed25519.pub",
      "src/credentials.ts",
      ".gitignore",
      ".github/workflows/ci.yml",
    ])
      expect(await code(join(project, path))).toBe(join(project, path));
  });
});

describe("the roots", () => {
  it("are also the projects of states, whose sessions are not indexed yet", async () => {
    const { user, home, code } = place();
    const root = join(user, "other");
    expect(await code(join(root, "secret.txt"))).toBe("path-not-allowed");
    write(home.state, {
      "codex/s1.json": JSON.stringify({ version: 1, project: { id: root, root, label: "other" } }),
    });
    expect(await code(join(root, "secret.txt"))).toBe(join(root, "secret.txt"));
  });

  it("are never the user's home, a folder around it, Continuo's home or the disk, whoever says so", async () => {
    const { folder, user, home, code } = place();
    for (const [name, root] of Object.entries({
      a: user,
      b: folder,
      c: home.root,
      d: home.state,
      e: "/",
      f: "/proc/self",
      g: "relative",
    }))
      write(home.state, {
        [`codex/${name}.json`]: JSON.stringify({ version: 1, project: { id: root, root, label: "x" } }),
      });
    write(home.state, {
      "codex/h.json": "not JSON",
      "codex/i.json": JSON.stringify({ project: { root: 7 } }),
    });
    mkdirSync(join(home.state, "codex/folder.json"));
    for (const path of [
      user,
      join(user, "other/secret.txt"),
      home.config,
      join(home.state, "codex/a.json"),
      "/etc/passwd",
      join(folder, "outside/passwd"),
    ])
      expect([path, await code(path)]).toEqual([path, "path-not-allowed"]);
  });

  it("do not include a project that a link in another one points to", async () => {
    const { user, project, code } = place();
    execFileSync("git", ["init", "-q", join(user, "vendor")]);
    write(user, { "vendor/x.txt": "" });
    symlinkSync(join(user, "vendor"), join(project, "vendor"));
    expect(await code(join(project, "vendor/x.txt"))).toBe("path-not-allowed");
  });
});
