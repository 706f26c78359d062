import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { knownProject } from "../../../../src/moments/project/known-project.ts";
import { findProject } from "../../../../src/moments/project/project.ts";
import { openMemory } from "../../../../src/sources/notes/memory.ts";
import { seenFrom } from "../../../../src/sources/notes/note-project.ts";
import type { Relation } from "../../../../src/sources/notes/search/project-notes.ts";
import { homeAt } from "../../../../src/store/home.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

const WORD = "zeppelin";

/** Projects as folders below a user's home, and one store of notes that all have a word. */
function worldOf(files: Record<string, string> = {}, also: readonly string[] = []) {
  const base = temporaryFolder();
  const user = join(base, "user");
  mkdirSync(user);
  write(user, files);
  const env = { HOME: user };
  const home = homeAt(join(base, "home"));
  const memory = openMemory({
    home,
    env,
    settings: { also: also.map((one) => join(user, one)) },
    syncMs: 10_000,
  });
  onTestFinished(() => memory.close());
  const see = (folder: string) => {
    const cwd = join(user, folder);
    mkdirSync(cwd, { recursive: true });
    return seenFrom(knownProject(findProject(cwd), { home, env, cwd }), env);
  };
  /** How the note with this frontmatter, at this path, relates to the project in this folder. */
  const relation = async (folder: string): Promise<Record<string, Relation | undefined>> => {
    const seen = see(folder);
    const { hits } = await memory.search({
      query: WORD,
      pageSize: 50,
      ...(seen === undefined ? {} : { seenFrom: seen }),
    });
    return Object.fromEntries(hits.map((hit) => [hit.uri.replace("memory://", ""), hit.relation]));
  };
  const notes = (given: Record<string, string>) =>
    write(
      join(home.root, "memory"),
      Object.fromEntries(
        Object.entries(given).map(([path, keys]) => [`${path}.md`, `---\n${keys}\n---\nA ${WORD} lands.`]),
      ),
    );
  return { base, user, env, home, memory, see, relation, notes };
}

const git = (folder: string, remote: string) => ({
  [`${folder}/.git/HEAD`]: "ref: refs/heads/main\n",
  [`${folder}/.git/objects/.keep`]: "",
  [`${folder}/.git/refs/.keep`]: "",
  [`${folder}/.git/config`]: remote === "" ? "[core]\n" : `[remote "origin"]\n\turl = ${remote}\n`,
});

const SHOP = "work/shop";

describe("a note belongs to a project", () => {
  test("by its frontmatter, a tag, a folder above it or the name of its file, in any case", async () => {
    const { relation, notes } = worldOf(git(SHOP, "git@github.com:acme/shop-api.git"));
    notes({
      named: "project: Shop-API",
      linked: 'project: "[[shop-api]]"',
      "by-folder-name": "project: shop",
      owner: "project: acme/shop-api",
      tagged: "tags: [shop-api]",
      "notes/shop-api/inside": "x: 1",
      "shop-api": "x: 1",
      nothing: "x: 1",
      other: "project: blog",
      "other-tagged": "project: blog\ntags: [shop-api]",
      global: "project: none",
    });
    expect(await relation(SHOP)).toEqual({
      named: "own",
      linked: "own",
      "by-folder-name": "own",
      owner: "own",
      tagged: "own",
      "notes/shop-api/inside": "own",
      "shop-api": "own",
      nothing: "unknown",
      other: "other",
      "other-tagged": "other",
      global: "global",
    });
  });

  test("by its id alone where it has one: of two projects with one name each has its own notes", async () => {
    const { relation, notes } = worldOf({
      ...git("a/shop", "git@github.com:acme/shop.git"),
      ...git("b/shop", "git@github.com:bolt/shop.git"),
    });
    notes({
      acme: "project: shop\nproject_id: github.com/acme/shop",
      bolt: "project: shop\nproject_id: github.com/bolt/shop",
      both: "project: shop",
    });
    expect(await relation("a/shop")).toEqual({ acme: "own", bolt: "other", both: "own" });
    expect(await relation("b/shop")).toEqual({ acme: "other", bolt: "own", both: "own" });
  });

  test("by its name if its id is a folder that does not exist any more", async () => {
    const { relation, notes } = worldOf(git("new/shop", ""));
    notes({
      moved: "project: shop\nproject_id: ~/old/shop",
      moved_unnamed: "project_id: ~/old/shop",
      other_name: "project: blog\nproject_id: ~/old/blog",
    });
    expect(await relation("new/shop")).toEqual({ moved: "own", moved_unnamed: "own", other_name: "other" });
  });

  test("not by its name if its id is a folder that exists: another project of that name", async () => {
    const { relation, notes } = worldOf({ ...git("a/shop", ""), ...git("b/shop", "") });
    notes({ here: "project: shop\nproject_id: ~/a/shop" });
    expect(await relation("a/shop")).toEqual({ here: "own" });
    expect(await relation("b/shop")).toEqual({ here: "other" });
  });

  test("in every worktree of a repository without a remote", async () => {
    const { relation, notes, see, user } = worldOf({
      ...git(SHOP, ""),
      [`${SHOP}/.git/worktrees/fix/HEAD`]: "ref: refs/heads/fix\n",
      [`${SHOP}/.git/worktrees/fix/commondir`]: "../..\n",
    });
    write(user, {
      [`${SHOP}/.git/worktrees/fix/gitdir`]: `${user}/work/fix/.git\n`,
      "work/fix/.git": `gitdir: ${user}/${SHOP}/.git/worktrees/fix\n`,
    });
    expect(see("work/fix")?.identities[0]).toBe("~/work/shop");
    notes({ here: "project: shop\nproject_id: ~/work/shop" });
    expect(await relation("work/fix")).toEqual({ here: "own" });
  });

  test("after the repository got a remote, or another one that the user names as an alias", async () => {
    const { relation, notes, home } = worldOf(git(SHOP, "git@github.com:acme/store.git"));
    write(home.root, {
      "config.json": JSON.stringify({ projects: { "~/work/shop": { aliases: ["acme/shop"] } } }),
    });
    notes({
      before: "project: shop\nproject_id: ~/work/shop",
      renamed: "project: shop\nproject_id: github.com/acme/shop",
    });
    expect(await relation(SHOP)).toEqual({ before: "own", renamed: "own" });
  });

  test("a package that takes another project's name gets none of its stamped notes", async () => {
    const { relation, notes } = worldOf({
      ...git("evil", "git@github.com:evil/evil.git"),
      "evil/package.json": JSON.stringify({ name: "shop" }),
      "evil/go.mod": "module github.com/acme/shop\n",
    });
    notes({ stamped: "project: shop\nproject_id: github.com/acme/shop", unstamped: "project: shop" });
    expect(await relation("evil")).toEqual({ stamped: "other", unstamped: "own" });
  });

  test("a common word as the name of a project is found in `project` only; other words in it never", async () => {
    const { relation, notes } = worldOf({ ...git("work/app", ""), ...git("work/my-app", "") });
    notes({ named: "project: app", tagged: "tags: [app]", "app/inside": "x: 1" });
    expect(await relation("work/app")).toEqual({ named: "own", tagged: "unknown", "app/inside": "unknown" });
    expect(await relation("work/my-app")).toEqual({
      named: "other",
      tagged: "unknown",
      "app/inside": "unknown",
    });
  });

  test("in folders of notes inside the project, and in Claude Code's memory of it", async () => {
    const { memory, see, user } = worldOf(git(SHOP, ""));
    memory.close();
    const claude = `.claude/projects/${join(user, SHOP).replace(/[^A-Za-z0-9]/g, "-")}/memory`;
    const made = worldOf({}, []);
    write(user, {
      [`${claude}/MEMORY.md`]: `A ${WORD} lands.`,
      ".claude/projects/-other-place/memory/MEMORY.md": `A ${WORD} lands.`,
      [`${SHOP}/docs/notes/a.md`]: `A ${WORD} lands.`,
    });
    const all = openMemory({
      home: made.home,
      env: { HOME: user },
      settings: {
        also: [claude, ".claude/projects/-other-place/memory", `${SHOP}/docs/notes`].map((one) =>
          join(user, one),
        ),
      },
      syncMs: 10_000,
    });
    onTestFinished(() => all.close());
    const seen = see(SHOP);
    const { hits } = await all.search({ query: WORD, ...(seen === undefined ? {} : { seenFrom: seen }) });
    expect(hits.map(({ path, relation }) => [path.slice(user.length + 1), relation]).toSorted()).toEqual(
      [
        [`${claude}/MEMORY.md`, "own"],
        [".claude/projects/-other-place/memory/MEMORY.md", "other"],
        [`${SHOP}/docs/notes/a.md`, "own"],
      ].toSorted(),
    );
  });

  test.each([["% or 1=1"], ["'; DROP TABLE note; --"], ["\\"], ["_"]])(
    "whatever characters its project has: %s",
    async (name) => {
      const { relation, notes } = worldOf(git(SHOP, ""));
      notes({ odd: `project: ${JSON.stringify(name)}\nproject_id: ${JSON.stringify(name)}` });
      expect(await relation(SHOP)).toEqual({ odd: "other" });
    },
  );
});

describe("outside of any project", () => {
  test("no note is seen from the home folder or the root of the disk", () => {
    const { see, env, home } = worldOf();
    expect(see("")).toBeUndefined();
    expect(seenFrom(knownProject(findProject("/"), { home, env }), env)).toBeUndefined();
  });
});

describe("a search from a project", () => {
  test("puts its notes before equally good ones, but not before much better ones", async () => {
    const { memory, see, home } = worldOf(git(SHOP, ""));
    const text = (project: string, body: string) => `---\nproject: ${project}\n---\n${body}`;
    write(join(home.root, "memory"), {
      "a.md": text("blog", "How the payment gateway retries a failed request."),
      "b.md": text("shop", "How the payment gateway retries a failed request."),
      "c.md": text("shop", "The kitchen has a gateway to the garden, with a bench in the sun."),
    });
    const seen = see(SHOP);
    const found = async (query: string, more: object) =>
      (await memory.search({ query, ...more })).hits.map(({ uri }) => uri.slice(-1));
    expect((await found("payment gateway retries", {})).slice(0, 2)).toEqual(["a", "b"]);
    expect((await found("payment gateway retries", { seenFrom: seen })).slice(0, 2)).toEqual(["b", "a"]);
    write(join(home.root, "memory"), { "b.md": "Nothing." });
    expect(await found("payment gateway", { seenFrom: seen })).toEqual(["a", "c"]);
  });
});
