import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { knownProject } from "../../../src/moments/project/known-project.ts";
import { packageNames } from "../../../src/moments/project/package-names.ts";
import { findProject } from "../../../src/moments/project/project.ts";
import { noticeProject } from "../../../src/moments/project/project-notice.ts";
import { rememberProjects, seenProjects } from "../../../src/moments/project/project-registry.ts";
import { homeAt } from "../../../src/store/home.ts";
import { temporaryFolder, write } from "../../support/world.ts";

const REMOTE = "https://sam:secret@github.com/acme/shop.git";

function machine() {
  const user = temporaryFolder();
  const home = homeAt(join(user, ".continuo"));
  const env = { HOME: user, CONTINUO_HOME: home.root };
  const clone = (name: string, remote: string | null = REMOTE, files: Record<string, string> = {}) => {
    const root = join(user, name);
    write(root, {
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/objects/x": "",
      ".git/config": remote === null ? "[core]\n" : `[remote "origin"]\n\turl = ${remote}\n`,
      ...files,
    });
    return root;
  };
  const known = (root: string, cwd = root) => knownProject(findProject(root), { home, env, cwd });
  const see = (root: string, isShown = true) => {
    const fail = (error: unknown) => {
      throw error;
    };
    return noticeProject(findProject(root), { home, env, settings: {}, isShown }, fail);
  };
  const config = (projects: object) => write(home.root, { "config.json": JSON.stringify({ projects }) });
  return { user, home, env, clone, known, see, config };
}

describe("knownProject", () => {
  it("knows a project by remote, packages and folder, and shows no password", () => {
    const { clone, known } = machine();
    const root = clone("my-clone", REMOTE, {
      "package.json": '{"name": "@acme/monorepo"}',
      "packages/cart/package.json": '{"name": "@acme/cart"}',
    });
    const project = known(root, join(root, "packages", "cart"));
    expect(project).toMatchObject({
      name: "shop",
      label: "my-clone",
      remote: "github.com/acme/shop",
      identity: "github.com/acme/shop",
      names: ["shop", "acme/shop", "@acme/cart", "@acme/monorepo", "my-clone"],
      ids: [join(root, ".git")],
    });
    expect(JSON.stringify(project)).not.toContain("secret");
  });

  it("is its folder if there is no remote", () => {
    const { clone, known } = machine();
    expect(known(clone("work/tool", null))).toMatchObject({
      name: "tool",
      identity: "~/work/tool",
      names: ["tool"],
    });
  });

  it("shares with other clones of the remote once they were seen, and tells the user until a host showed it", async () => {
    const { clone, known, see } = machine();
    const [first, second, other] = [
      clone("a/shop"),
      clone("b/shop"),
      clone("c/shop", "git@github.com:sam/shop"),
    ];
    expect(await see(first)).toEqual([]);
    expect(await see(other)).toEqual([]);
    const line = expect.stringContaining("~/a/shop (same remote)");
    expect(await see(second, false)).toEqual([line]); // a host that shows nothing
    expect(await see(second)).toEqual([line]);
    expect(await see(second)).toEqual([]);
    expect(known(second).ids).toEqual([join(second, ".git"), join(first, ".git")]);
    expect(known(other).ids).toEqual([join(other, ".git")]);
  });

  it("still knows the former place of a repository that was moved", async () => {
    const { clone, known, see, user } = machine();
    const before = clone("old");
    await see(before);
    renameSync(before, join(user, "new"));
    // Sessions that are indexed only now have the folder itself as their project.
    expect(known(join(user, "new")).ids).toEqual([join(user, "new", ".git"), join(before, ".git"), before]);
    expect(await see(join(user, "new"))).toEqual([]);
  });

  it("follows the user's settings: a name, aliases, former folders, a separate clone", async () => {
    const { clone, known, see, config, user } = machine();
    const [first, second] = [clone("a/shop"), clone("b/shop")];
    await see(first);
    await see(second);
    config({
      "acme/shop": { projectName: "bookshop", aliases: ["storefront", "~/gone"] },
      "~/b/shop": { separate: true },
    });
    expect(known(first)).toMatchObject({
      name: "bookshop",
      names: ["bookshop", "acme/shop", "shop", "storefront"],
      ids: [join(first, ".git"), join(user, "gone")],
    });
    expect(known(second)).toMatchObject({ identity: "~/b/shop", ids: [join(second, ".git")] });
  });
});

describe("packageNames", () => {
  it("reads the manifests of several languages, and skips what is broken, huge or outside", () => {
    const root = temporaryFolder();
    const outside = temporaryFolder();
    write(outside, { "package.json": '{"name": "stolen"}' });
    write(root, {
      "Cargo.toml": '[workspace]\nname = "not-this"\n[package]\nname = "ripper"\n',
      "pyproject.toml": "[project]\nname = 'pipeline'\n",
      "go.mod": "module example.org/acme/tool\n",
      "composer.json": "{",
      "a/package.json": `{"name": "big", "x": "${"x".repeat(70_000)}"}`,
      "b/package.json": '{"name": "<continuo>"}',
    });
    symlinkSync(join(outside, "package.json"), join(root, "package.json"));
    expect(packageNames(root, root)).toEqual(["ripper", "pipeline", "example.org/acme/tool"]);
    expect(packageNames(join(root, "a"), root)).not.toContain("big");
    expect(packageNames(join(root, "b"), root)).not.toContain("<continuo>");
  });
});

describe("the registry of projects", () => {
  it("survives damage and keeps what several processes add at once", async () => {
    const home = homeAt(temporaryFolder());
    write(home.root, { "projects.json": '{"version": 1, "projects": [{"id": 7}' });
    expect(seenProjects(home)).toEqual([]);
    const one = (i: number) => ({ id: `/p${i}/.git`, root: `/p${i}`, remote: `h/o/${i}` });
    await Promise.all(Array.from({ length: 12 }, (_, i) => rememberProjects(home, [one(i)])));
    expect(new Set(seenProjects(home).map(({ id }) => id)).size).toBe(12);
    expect(await rememberProjects(home, [one(3)])).toEqual([]);
  });
});
