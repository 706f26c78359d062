import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { currentBranch, findProject } from "../../../src/moments/project/project.ts";
import { git } from "../../git/hostile.ts";
import { device } from "../../support/planting.ts";
import { temporaryFolder, write } from "../../support/world.ts";

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

  it("is the same for every worktree, with a separate root", () => {
    const root = repository();
    const tree = join(root, "..", "feature-x");
    git(root, "worktree", "add", "-q", "-b", "feature-x", tree);
    expect(findProject(tree)).toEqual({ id: commonDir(root), root: tree, label: "shop" });
    expect(findProject(tree).id).toBe(findProject(root).id);
    expect(commonDir(tree)).toBe(findProject(tree).id);
  });

  it("is separate for a submodule", () => {
    const outer = repository();
    const inner = repository();
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "lib");
    expect(findProject(join(outer, "lib"))).toMatchObject({
      id: commonDir(join(outer, "lib")),
      label: "lib",
    });
    expect(findProject(join(outer, "lib")).id).not.toBe(findProject(outer).id);
  });

  it("recognises worktrees of a bare repository", () => {
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

  it("does not mistake an empty .git folder for a repository, and handles a deleted folder", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "p", ".git"), { recursive: true });
    expect(findProject(join(folder, "p")).id).toBe(join(folder, "p"));
    rmSync(join(folder, "p"), { recursive: true });
    expect(findProject(join(folder, "p")).id).toBe(join(folder, "p"));
  });
});

/** A folder that falsely claims to belong to somebody else's repository, in each way that git's format allows. */
const CLAIMS: Readonly<Record<string, (folder: string, trusted: string) => void>> = {
  "a folder like a bare repository with commondir": (folder, trusted) => {
    mkdirSync(join(folder, "objects"), { recursive: true });
    write(folder, { HEAD: "ref: refs/heads/main\n", commondir: `${join(trusted, ".git")}\n` });
  },
  "a .git folder with commondir": (folder, trusted) => {
    mkdirSync(join(folder, ".git", "objects"), { recursive: true });
    write(folder, { ".git/HEAD": "ref: refs/heads/main\n", ".git/commondir": `${join(trusted, ".git")}\n` });
  },
  "a .git file that names the repository": (folder, trusted) =>
    write(folder, { ".git": `gitdir: ${join(trusted, ".git")}\n` }),
  "a .git file that names a worktree of others": (folder, trusted) => {
    git(trusted, "worktree", "add", "-q", "-b", "w", join(trusted, "..", "w"));
    write(folder, { ".git": `gitdir: ${join(trusted, ".git", "worktrees", "w")}\n` });
  },
  "a worktrees folder of its own with commondir": (folder, trusted) => {
    write(folder, {
      ".git": "gitdir: x/worktrees/w\n",
      "x/worktrees/w/HEAD": "ref: refs/heads/main\n",
      "x/worktrees/w/commondir": `${join(trusted, ".git")}\n`,
      "x/worktrees/w/gitdir": `${join(folder, ".git")}\n`,
    });
  },
  "a .git link to the repository": (folder, trusted) =>
    symlinkSync(join(trusted, ".git"), join(folder, ".git")),
  "a submodule's .git file copied elsewhere": (folder, trusted) => {
    const inner = repository();
    git(trusted, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "lib");
    write(folder, { ".git": `gitdir: ${join(trusted, ".git", "modules", "lib")}\n` });
  },
};

describe("the identity of somebody else's repository", () => {
  it.each(Object.entries(CLAIMS))("is not taken by %s", (_, claim) => {
    const trusted = repository();
    const folder = join(temporaryFolder(), "evil");
    mkdirSync(folder);
    claim(folder, trusted);
    const { id, root } = findProject(folder);
    expect(root).toBe(folder);
    expect(id.startsWith(folder)).toBe(true);
  });

  it("is not taken by a folder inside it whose .git names another one", () => {
    const folder = join(repository(), "inner");
    write(folder, { ".git": `gitdir: ${join(repository(), ".git")}\n` });
    expect(findProject(folder)).toMatchObject({ id: folder, root: folder });
    expect(currentBranch(folder)).toBeUndefined();
  });

  it("is not taken by a worktree that was copied, and is kept by one that was moved with git", () => {
    const root = repository();
    const tree = join(root, "..", "tree");
    git(root, "worktree", "add", "-q", "-b", "tree", tree);
    cpSync(tree, `${tree}-copy`, { recursive: true });
    expect(findProject(`${tree}-copy`).id).toBe(`${tree}-copy`);
    git(root, "worktree", "move", tree, `${tree}-moved`);
    expect(findProject(`${tree}-moved`)).toEqual({
      id: commonDir(root),
      root: `${tree}-moved`,
      label: "shop",
    });
    git(root, "worktree", "remove", "--force", `${tree}-moved`);
    write(`${tree}-moved`, { ".git": `gitdir: ${join(root, ".git", "worktrees", "tree")}\n` });
    expect(findProject(`${tree}-moved`).id).toBe(`${tree}-moved`);
  });

  it("is kept by a worktree with relative paths, as newer versions of git write them", () => {
    const root = repository();
    const tree = join(root, "..", "tree");
    git(root, "worktree", "add", "-q", "-b", "tree", tree);
    write(tree, { ".git": "gitdir: ../shop/.git/worktrees/tree\n" });
    write(root, { ".git/worktrees/tree/gitdir": "../../../../tree/.git\n" });
    expect(findProject(tree).id).toBe(commonDir(root));
  });

  it("is the clone's for a folder inside it that looks like a bare repository", () => {
    const root = repository();
    const sub = join(root, "sub");
    mkdirSync(join(sub, "objects"), { recursive: true });
    mkdirSync(join(sub, "refs"));
    write(sub, { HEAD: "ref: refs/heads/main\n", config: "[core]\n\tworktree = .\n" });
    expect(findProject(sub)).toEqual(findProject(root));
    expect(findProject(join(root, ".git", "objects"))).toEqual(findProject(root));
  });

  it("is a bare repository's own, even from inside it, and that of a hidden one beside its worktrees", () => {
    const folder = temporaryFolder();
    git(folder, "clone", "-q", "--bare", repository(), "shop.git");
    expect(findProject(join(folder, "shop.git", "refs"))).toMatchObject({
      id: join(folder, "shop.git"),
      label: "shop",
    });
    const beside = join(folder, "beside");
    git(folder, "clone", "-q", "--bare", repository(), join(beside, ".bare"));
    write(beside, { ".git": "gitdir: ./.bare\n" });
    expect(findProject(beside).id).toBe(join(beside, ".bare"));
  });
});

describe.skipIf(process.platform === "win32")("what is at .git, HEAD, commondir or gitdir", () => {
  it("may be a pipe or a device: then it is no repository, and nothing blocks or fills the memory", () => {
    const root = repository();
    const tree = join(root, "..", "tree");
    git(root, "worktree", "add", "-q", "-b", "tree", tree);
    for (const path of [
      join(root, ".git/worktrees/tree/commondir"),
      join(root, ".git/worktrees/tree/gitdir"),
    ]) {
      const kept = readFileSync(path);
      rmSync(path);
      symlinkSync(device("zero"), path);
      expect(findProject(tree).id).toBe(tree);
      rmSync(path);
      execFileSync("mkfifo", [path]);
      expect(findProject(tree).id).toBe(tree);
      rmSync(path);
      writeFileSync(path, kept);
    }
    rmSync(join(tree, ".git"));
    execFileSync("mkfifo", [join(tree, ".git")]);
    expect(findProject(tree).id).toBe(tree);
    rmSync(join(root, ".git", "HEAD"));
    symlinkSync(device("zero"), join(root, ".git", "HEAD"));
    expect(findProject(root).id).toBe(root);
    expect(currentBranch(root)).toBeUndefined();
    const bare = join(root, "..", "bare");
    write(bare, { "objects/x": "", "refs/x": "", config: "[core]\n\tbare = true\n" });
    symlinkSync(device("zero"), join(bare, "HEAD"));
    expect(findProject(bare).id).toBe(bare);
    expect(currentBranch(bare)).toBeUndefined();
  });
});

describe("a directory's name of 200,000 characters", () => {
  it.each([
    ["/a", 100_000],
    ["/abcdefghi", 20_000],
    ["x", 200_000],
    ["/../a", 40_000],
  ])("%s %i times: is treated like any project that does not exist", (part, times) => {
    const long = `/${part.repeat(times)}`;
    const project = findProject(long);
    expect(project.root.length).toBeLessThan(5000);
    expect(findProject(long)).toEqual(project);
    expect(findProject(`${long}b`).id).not.toBe(project.id);
    expect(currentBranch(long)).toBeUndefined();
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

  it("is undefined if HEAD is detached, and outside git", () => {
    const root = repository();
    git(root, "checkout", "-q", "--detach");
    expect(currentBranch(root)).toBeUndefined();
    expect(currentBranch(temporaryFolder())).toBeUndefined();
  });
});
