import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { notesWorld } from "../../../support/notes.ts";
import { write } from "../../../support/world.ts";

/** Folders as four other programs create them. */
function others() {
  const world = notesWorld();
  write(world.root, {
    "vault/.obsidian/app.json": "{}",
    "vault/daily/day.md": "---\ntags: [a]\n---\n# Day\n[[Topic A|alias]], ![[Other#h]], [[sqlite]]\n",
    "vault/Other.md": "# Other\n[[sqlite]]\n",
    "basic-memory/coffee.md": "---\ntitle: Coffee\ntype: note\n---\n- relates_to [[Beans]]\n",
    "claude/projects/-home-x/memory/MEMORY.md": "# Memory\nuse pnpm\n",
    "maenifold/memory.db": "",
    "maenifold/memory/tech/old.md": "---\ntitle: Old\n---\n# Old\n[[sqlite]]\n",
  });
  return world;
}

describe("continuo memory", () => {
  it("adds folders of other programs, names the program, and reads them in place", async () => {
    const { run, data, root } = others();
    const before = snapshot(root);
    for (const [folder, whose, name] of [
      ["vault", "Obsidian vault, 2 notes", "@vault"],
      ["basic-memory", "basic-memory, 1 note", "@basic-memory"],
      ["claude/projects/-home-x/memory", "Claude Code's memory, 1 note", "@claude-home-x"],
      ["maenifold/memory", "maenifold, 1 note", "@memory"],
    ] as const) {
      const { stdout } = await run(["memory", "add", folder]);
      expect(stdout).toContain(whose);
      expect(stdout).toContain(`memory://${name}/`);
    }
    expect((await data("search", "pnpm"))["results"]).toMatchObject([
      { uri: "memory://@claude-home-x/MEMORY" },
    ]);
    expect((await data("search", "sqlite", "--folder", "@vault/daily"))["results"]).toMatchObject([
      { uri: "memory://@vault/daily/day" },
    ]);
    expect(await data("context", "sqlite")).toMatchObject({
      direct: [{ name: "other#h" }, { name: "topic-a|alias" }],
    });
    expect((await data("list"))["also"]).toEqual(["@vault", "@basic-memory", "@claude-home-x", "@memory"]);
    const edit = await run(["edit", "memory://@vault/Other", "append", "[[x]]"]);
    expect([edit.code, edit.stderr]).toEqual([1, expect.stringContaining("does not change it")]);
    await data("sync");
    expect(snapshot(root)).toEqual(before);
  });

  it("changes only its own entry in config.json, and removes it again", async () => {
    const { run, home, root } = others();
    write(home.root, { "config.json": '\ufeff{\n\t"tokenLimit": 3000\n}\n' });
    await run(["memory", "add", "vault"]);
    expect(readFileSync(home.config, "utf8")).toBe(
      `\ufeff{\n\t"tokenLimit": 3000,\n\t"sources": {\n\t\t"memory": {\n\t\t\t"also": [\n\t\t\t\t${JSON.stringify(join(root, "vault"))}\n\t\t\t]\n\t\t}\n\t}\n}\n`,
    );
    await run(["memory", "add", "basic-memory"]);
    expect((await run(["memory", "remove", "@vault"])).code).toBe(0);
    expect((await run(["memory", "remove", "basic-memry"])).stderr).toContain("did you mean");
    expect((await run(["memory", "remove", "basic-memory"])).code).toBe(0);
    expect(JSON.parse(readFileSync(home.config, "utf8").slice(1))).toEqual({
      tokenLimit: 3000,
      sources: { memory: {} },
    });
    expect(existsSync(join(root, "vault/Other.md"))).toBe(true);
  });

  it("removes a folder that config.json has with a ~", async () => {
    const { run, env, home } = others();
    write(env["HOME"] ?? "", { "notes/a.md": "# A\n" });
    write(home.root, { "config.json": '{"sources":{"memory":{"also":["~/notes"]}}}' });
    expect((await run(["memory", "remove", "@notes"])).code).toBe(0);
    expect(readFileSync(home.config, "utf8")).not.toContain("notes");
  });

  it("refuses folders that would not work, and a config.json that cannot be parsed", async () => {
    const { run, home } = others();
    await run(["memory", "add", "vault"]);
    for (const [folder, why] of [
      ["vault", "is already added"],
      ["vault/daily", "which is read already"],
      [".", "contains"],
      ["nowhere", "is not a folder"],
      ["vault/Other.md", "is not a folder"],
    ] as const) {
      const done = await run(["memory", "add", folder]);
      expect([done.code, done.stderr]).toEqual([1, expect.stringContaining(why)]);
      expect(done.stderr).not.toContain("it is ignored");
    }
    writeFileSync(home.config, "{ broken");
    const broken = await run(["memory", "add", "basic-memory"]);
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining("correct that file first")]);
    expect(broken.stderr).toContain(`${home.config} is not valid JSON: unexpected symbol in line 1`);
    expect(readFileSync(home.config, "utf8")).toBe("{ broken");
  });

  it("refuses the root of the disk and the home folder, but not a folder of notes in it", async () => {
    const { run, env, home } = others();
    const own = env["HOME"] ?? "";
    write(own, { "readme.md": "# Mine\n" });
    for (const folder of ["/", own]) {
      const done = await run(["memory", "use", folder]);
      expect([done.code, done.stderr]).toEqual([1, expect.stringContaining("far more than notes")]);
    }
    expect(existsSync(home.config)).toBe(false);
    write(own, { "memory/a.md": "# A\n" });
    expect((await run(["memory", "use", own])).stdout).toContain("The main notes folder is now ~/memory\n");
  });

  it("makes a read-only folder the main one: each note appears once, under its new address", async () => {
    const { run, data, root } = others();
    await run(["memory", "add", "vault"]);
    expect((await data("search", "sqlite"))["total"]).toBe(2);
    const used = await run(["memory", "use", "vault"]);
    expect(used.stdout).not.toContain("Trouble");
    const found = await run(["search", "sqlite", "--json"]);
    expect(found.stderr).toBe("");
    const { results } = (JSON.parse(found.stdout) as { data: { results: { uri: string }[] } }).data;
    expect(results.map(({ uri }) => uri).sort()).toEqual(["memory://Other", "memory://daily/day"]);
    rmSync(join(root, "vault/Other.md"));
    expect((await data("search", "sqlite"))["total"]).toBe(1);
  });

  it("says which notes are no longer read when another folder becomes the main one", async () => {
    const { run, data, home } = others();
    await data("write", "[[x]]", "--title", "Old one");
    const { stdout } = await run(["memory", "use", "vault"]);
    expect(stdout).toContain(`continuo memory add ${join(home.root, "memory")}`);
    await run(["memory", "add", join(home.root, "memory")]);
    expect((await data("read", "memory://@memory/old-one"))["title"]).toBe("Old one");
  });

  it("uses a maenifold folder as the main one", async () => {
    const { data, run, root } = others();
    expect(await data("memory", "use", "maenifold")).toMatchObject({
      main: { path: join(root, "maenifold/memory"), kind: "maenifold", notes: 1 },
    });
    expect((await data("read", "memory://tech/old"))["title"]).toBe("Old");
    await data("write", "[[x]]", "--title", "New");
    expect(existsSync(join(root, "maenifold/memory/new.md"))).toBe(true);
    expect((await run(["memory", "list"])).stdout).toMatch(/memory:\/\/ +maenifold +2 +read and write/);
  });

  it("exports notes with their folders and times, and overwrites nothing", async () => {
    const { run, data, home, root } = others();
    write(join(home.root, "memory"), {
      "a/b.md": "one",
      "c.md": "two",
      "d.md": "three",
      ".hidden/e.md": "no",
      "f.txt": "no",
    });
    write(root, { "out/c.md": "two", "out/d.md": "mine" });
    await run(["memory", "add", "vault"]);
    const done = await run(["memory", "export", "out", "--json"]);
    expect(done.code).toBe(1);
    expect(JSON.parse(done.stdout)).toMatchObject({
      ok: false,
      data: {
        copied: [join(root, "out/a/b.md")],
        same: [join(root, "out/c.md")],
        different: [join(root, "out/d.md")],
        failed: [],
      },
    });
    expect(readFileSync(join(root, "out/d.md"), "utf8")).toBe("mine");
    expect(statSync(join(root, "out/a/b.md")).mtimeMs).toBeCloseTo(
      statSync(join(home.root, "memory/a/b.md")).mtimeMs,
      -1,
    );
    expect((await data("memory", "export", "all", "--all"))["copied"]).toHaveLength(5);
    expect(existsSync(join(root, "all/@vault/daily/day.md"))).toBe(true);
    expect((await run(["memory", "export", join(home.root, "memory/x")])).stderr).toContain(
      "is inside the notes folder",
    );
  });

  it.skipIf(process.getuid?.() === 0)("reports files that it cannot write", async () => {
    const { run, home, root } = others();
    write(home.root, { "config.json": "{}" });
    chmodSync(home.config, 0o400);
    expect((await run(["memory", "add", "vault"])).stderr).toContain("read-only");
    write(join(home.root, "memory"), { "a.md": "one" });
    write(root, { "out/x": "" });
    chmodSync(join(root, "out"), 0o500);
    expect((await run(["memory", "export", "out"])).stdout).toContain("not copied");
    chmodSync(join(root, "out"), 0o700);
  });
});

function snapshot(folder: string): unknown[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [entry.parentPath, entry.name, readFileSync(join(entry.parentPath, entry.name), "utf8")])
    .sort();
}
