import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { currentBranch, findProject } from "../../src/moments/project.ts";
import { temporaryFolder, write } from "../support/world.ts";

function git(cwd: string, ...args: string[]): string {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...who, ...args], {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: cwd },
  }).trim();
}

function repository(): string {
  const root = join(temporaryFolder(), "shop");
  mkdirSync(join(root, "src", "deep"), { recursive: true });
  git(root, "init", "-q");
  write(root, { "src/a.ts": "1" });
  git(root, "add", ".");
  git(root, "commit", "-qm", "first");
  return root;
}

function commonDir(cwd: string): string {
  return realpathSync(resolve(cwd, git(cwd, "rev-parse", "--git-common-dir")));
}

describe("findProject", () => {
  it("is the git common directory, from anywhere inside the repository", () => {
    const root = repository();
    expect(findProject(join(root, "src", "deep"))).toEqual({ id: commonDir(root), root, label: "shop" });
  });

  it("is the same for every worktree, with a root of its own", () => {
    const root = repository();
    const tree = join(root, "..", "feature-x");
    git(root, "worktree", "add", "-q", "-b", "feature-x", tree);
    expect(findProject(tree)).toEqual({ id: commonDir(root), root: tree, label: "shop" });
    expect(findProject(tree).id).toBe(findProject(root).id);
    expect(commonDir(tree)).toBe(findProject(tree).id);
  });

  it("is its own for a submodule", () => {
    const outer = repository();
    const inner = repository();
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "lib");
    expect(findProject(join(outer, "lib"))).toMatchObject({
      id: commonDir(join(outer, "lib")),
      label: "lib",
    });
    expect(findProject(join(outer, "lib")).id).not.toBe(findProject(outer).id);
  });

  it("knows worktrees of a bare repository", () => {
    const folder = temporaryFolder();
    git(folder, "clone", "-q", "--bare", repository(), "shop.git");
    git(join(folder, "shop.git"), "worktree", "add", "-q", join(folder, "main"), "main");
    expect(findProject(join(folder, "main"))).toMatchObject({ id: join(folder, "shop.git"), label: "shop" });
  });

  it("is the real path outside git, whatever link leads there", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "plain"));
    symlinkSync(join(folder, "plain"), join(folder, "link"));
    expect(findProject(join(folder, "link"))).toEqual({
      id: join(folder, "plain"),
      root: join(folder, "plain"),
      label: "plain",
    });
  });

  it("does not take an empty .git folder for a repository, and survives a folder that is gone", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "p", ".git"), { recursive: true });
    expect(findProject(join(folder, "p")).id).toBe(join(folder, "p"));
    rmSync(join(folder, "p"), { recursive: true });
    expect(findProject(join(folder, "p")).id).toBe(join(folder, "p"));
  });
});

describe("currentBranch", () => {
  it("reads the branch, slashes included, in the repository and in a worktree", () => {
    const root = repository();
    git(root, "checkout", "-q", "-b", "fix/a-b");
    expect(currentBranch(join(root, "src"))).toBe("fix/a-b");
    git(root, "worktree", "add", "-q", "-b", "other", join(root, "..", "w"));
    expect(currentBranch(join(root, "..", "w"))).toBe("other");
  });

  it("is undefined when detached and outside git", () => {
    const root = repository();
    git(root, "checkout", "-q", "--detach");
    expect(currentBranch(root)).toBeUndefined();
    expect(currentBranch(temporaryFolder())).toBeUndefined();
  });
});
