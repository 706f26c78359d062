import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { notesWorld } from "../../../support/notes.ts";
import { write } from "../../../support/world.ts";

describe("the project of a note", () => {
  it("is where it is written, by name and identity; a given one is taken as it is", async () => {
    const { data, tool, root, env } = notesWorld();
    write(root, { ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/a": "", ".git/refs/a": "" });
    write(root, { ".git/config": '[remote "origin"]\n\turl = https://me:secret@github.com/acme/shop.git\n' });
    const keys = async (title: string, ...more: string[]) => {
      const { path } = await data("write", "Of [[it]].", "--title", title, ...more);
      return readFileSync(String(path), "utf8").match(/^project.*$/gm);
    };
    expect(await keys("here")).toEqual(["project: shop", "project_id: github.com/acme/shop"]);
    expect(await keys("by a name", "--project", "acme/SHOP")).toEqual([
      "project: shop",
      "project_id: github.com/acme/shop",
    ]);
    expect(await keys("other", "--project", "blog: new")).toEqual(['project: "blog: new"']);
    expect(await keys("global", "--project", "none")).toEqual(["project: none"]);
    // Programs that use the interface of maenifold expect its frontmatter.
    const { said } = await tool("WriteMemory", { title: "contract", content: "Of [[it]]." });
    const contract = await data("read", String(said["uri"]));
    expect(readFileSync(String(contract["path"]), "utf8")).not.toContain("project");
    env["HOME"] = root;
    expect(await keys("at home")).toBeNull();
  });

  it("is preferred in a search, which says so; --all-projects searches all alike", async () => {
    const { run, data, home } = notesWorld();
    const text = (project: string) =>
      `---\nproject: ${project}\n---\nThe gateway retries a failed request.\n`;
    write(join(home.root, "memory"), { "a.md": text("blog"), "b.md": text("project") });
    const uris = async (...args: string[]) =>
      ((await data("search", "gateway", ...args))["results"] as { uri: string }[]).map(({ uri }) => uri);
    expect(await uris()).toEqual(["memory://b", "memory://a"]);
    expect(await uris("--all-projects")).toEqual(["memory://a", "memory://b"]);
    expect(await uris("--project", ".")).toEqual(["memory://b"]);
    expect(await uris("--project", "blog")).toEqual(["memory://a"]);
    expect(await data("search", "gateway")).toMatchObject({ preferred: "project" });
    const said = "Notes of project are preferred; --all-projects searches all alike.";
    expect((await run(["search", "gateway"])).stdout).toContain(`\n\n${said}\n`);
    expect((await run(["search", "gateway", "--all-projects"])).stdout).not.toContain("preferred");
    expect((await run(["search", "gateway", "--project", "blog"])).stdout).not.toContain("preferred");
    expect(((await data("recent", "--project", "."))["items"] as unknown[]).length).toBe(1);
  });
});

describe("continuo write, read, edit, move, delete, list", () => {
  it("cover the life of a note", async () => {
    const { run, data, home } = notesWorld();
    const written = await data(
      "write",
      "Uses [[SQLite]].",
      "--title",
      "Why 東京",
      "--folder",
      "tech/db",
      "--tag",
      "a,b",
      "--tag",
      "c",
    );
    expect(written).toMatchObject({ uri: "memory://tech/db/why-東京", title: "Why 東京", folder: "tech/db" });
    const path = join(home.root, "memory/tech/db/why-東京.md");
    expect(written).toMatchObject({ path });

    const read = await data("read", "why 東京");
    expect(read).toMatchObject({
      uri: "memory://tech/db/why-東京",
      tags: ["a", "b", "c"],
      concepts: ["sqlite"],
    });
    expect(read).toMatchObject({
      checksum: written["checksum"],
      content: "# Why 東京\n\nUses [[SQLite]].\n",
    });

    const edited = await data(
      "edit",
      "memory://tech/db/why-東京",
      "append",
      "And [[Bun]].",
      "--checksum",
      String(written["checksum"]),
    );
    expect(
      (await run(["edit", "why 東京", "append", "[[x]]", "--checksum", String(written["checksum"])])).stderr,
    ).toContain("has changed");
    expect(await data("read", "why 東京")).toMatchObject({
      checksum: edited["checksum"],
      concepts: ["sqlite", "bun"],
    });
    await data("edit", "why 東京", "find-replace", "[[Deno]]", "--find", "[[Bun]]", "--expected", "1");
    await data("edit", "why 東京", "prepend", "First [[x]].");
    await data("edit", "why 東京", "replace_section", "All new: [[y]].", "--section", "Why 東京");
    expect((await run(["read", "why 東京"])).stdout).toBe("# Why 東京\n\nAll new: [[y]].\n");

    expect((await run(["list", "tech/db"])).stdout).toMatch(/memory:\/\/tech\/db\/why-東京 {2}just now\n$/);
    expect(await data("list")).toMatchObject({ folders: [{ name: "tech", notes: 1 }], notes: [] });
    expect(await data("move", "why 東京", "archive/")).toMatchObject({
      from: "memory://tech/db/why-東京",
      uri: "memory://archive/why-東京",
    });

    const unsure = await run(["delete", "memory://archive/why-東京"]);
    expect([unsure.code, unsure.stderr]).toEqual([1, expect.stringContaining("--yes")]);
    expect(await data("delete", "memory://archive/why-東京", "--yes")).toMatchObject({
      uri: "memory://archive/why-東京",
      deleted: true,
    });
    expect((await run(["read", "why 東京"])).code).toBe(1);
    expect(await data("restore", "Why 東京")).toMatchObject({ kind: "note", restored: true });
    expect((await run(["read", "why 東京"])).code).toBe(0);
  });

  it("write takes its text from an argument, a file or standard input, and its title from a heading", async () => {
    const { run, data, root } = notesWorld();
    write(root, { "draft.md": "# From a file\n\n[[x]]\n" });
    expect(await data("write", "--file", "draft.md")).toMatchObject({ uri: "memory://from-a-file" });
    expect((await run(["write"], "# Piped ü\n[[x]]")).stdout).toContain("Written: memory://piped-ü\n");
    expect((await run(["write", "-", "--title", "Dash"], "[[x]]")).code).toBe(0);
    expect((await run(["write", "[[x]]", "--file", "draft.md"])).stderr).toContain("pass one of them");
    expect((await run(["write", "[[x]]"])).stderr).toContain("--title");
    expect((await run(["write", "no link", "--title", "T"])).stdout).toContain(
      "tip: link topics as [[topic]]",
    );
    expect((await run(["write", "[[link]]", "--title", "U"])).stdout).not.toContain("tip:");
    const twice = await run(["write", "--file", "draft.md"]);
    expect([twice.code, twice.stderr]).toEqual([
      1,
      expect.stringContaining("already a note memory://from-a-file"),
    ]);
    expect((await run(["write", "--file", "gone.md", "--title", "x"])).stderr).toContain("file that exists");
    expect((await run(["write", "--file", ".", "--title", "x"])).stderr).toContain("is not a file");
  });

  it("note makes a title of the first sentence, never replaces a note, and reads standard input", async () => {
    const { run, data, home } = notesWorld();
    const first = await run(["note", "The staging database is reset every night. Ask Ada."]);
    expect(first.stdout).toContain("Written: memory://the-staging-database-is-reset-every-night\n");
    expect(first.stdout).toContain(join(home.root, "memory", "the-staging-database-is-reset-every-night.md"));
    expect(first.stdout).toContain("New sessions in project begin with a list of its latest notes.");
    expect(first.stdout).toContain("To undo: continuo delete memory://the-staging");
    expect(await data("read", "The staging database is reset every night")).toMatchObject({
      title: "The staging database is reset every night",
      content: "The staging database is reset every night. Ask Ada.\n",
    });
    expect(await data("note", "The staging database is reset every night! Again.")).toMatchObject({
      uri: "memory://the-staging-database-is-reset-every-night-2",
    });
    expect(await data("note", "Ask", "Ada", "first", "--tag", "people")).toMatchObject({
      uri: "memory://ask-ada-first",
      title: "Ask Ada first",
    });
    expect((await run(["note", "--folder", "log"], "# Piped ü\n\nText.\n")).stdout).toContain(
      "Written: memory://log/piped-ü\n",
    );
    expect(await data("note", "- a list item")).toMatchObject({ title: "a list item" });
    const listed = await run(["edit", "a list item", "append", "- another", "--tag"]);
    expect(listed.stderr).toContain("unknown option --tag");
    await run(["edit", "a list item", "append", "- another"]);
    await run(["edit", "a list item", "find_replace", "- last", "--find", "- another"]);
    expect(await data("read", "a list item")).toMatchObject({ content: "- a list item\n\n- last\n" });
    expect((await run(["note"], " \n")).stderr).toMatch(/the text is empty\n.*for example: continuo note "/);
    expect((await run(["note", "x", "--folder", "../up"])).code).toBe(1);
  });

  it("read replaces control characters, and --json keeps them escaped", async () => {
    const { run, data, home } = notesWorld();
    write(join(home.root, "memory"), { "evil.md": "# A \u001b]0;title\u0007 b\r\nc\n" });
    expect((await run(["read", "evil"])).stdout).toBe("# A \ufffd]0;title\ufffd b\nc\n");
    expect((await data("read", "evil"))["content"]).toBe("# A \u001b]0;title\u0007 b\r\nc\n");
    expect((await run(["recent"])).stdout).not.toContain("\u001b");
  });
});

describe("continuo search, recent, context, graph, sync", () => {
  const filled = async () => {
    const world = notesWorld();
    write(join(world.home.root, "memory"), {
      "tech/a.md": "---\ntags: [db]\n---\n# Alpha\nWe chose [[SQLite]] with [[full text search]] here.\n",
      "tech/b.md": "# Beta\n[[SQLite]] runs in [[Bun]] too. getUserName\n",
      "shop/c.md": '# Gamma\n[[Bun]] and [[Mermaid "quoted" #1]].\n',
    });
    return world;
  };

  it("search finds notes written by hand, filters, pages and prints results", async () => {
    const { run, data } = await filled();
    const found = await data("search", "sqlite");
    expect(found).toMatchObject({
      total: 2,
      results: expect.arrayContaining([
        expect.objectContaining({
          uri: "memory://tech/a",
          title: "Alpha",
          concepts: ["sqlite", "full-text-search"],
          snippet: expect.stringContaining("SQLite"),
        }),
      ]),
    });
    const uris = async (...args: string[]) =>
      ((await data("search", ...args))["results"] as { uri: string }[]).map(({ uri }) => uri);
    expect(await uris("sqlite", "--tag", "db")).toEqual(["memory://tech/a"]);
    expect(await uris("bun", "--folder", "shop")).toEqual(["memory://shop/c"]);
    expect(await uris("bun", "--project", "shop")).toEqual(["memory://shop/c"]);
    expect(await uris("user", "name", "--mode", "fulltext")).toEqual(["memory://tech/b"]);
    expect(await uris("sqlite", "--since", "2100-01-01")).toEqual([]);
    expect(await uris("sqlite", "--min-score", "1")).toEqual([]);
    const pages = [await uris("sqlite", "--limit", "1"), await uris("sqlite", "--limit", "1", "--page", "2")];
    expect(pages.flat().sort()).toEqual(["memory://tech/a", "memory://tech/b"]);
    const text = await run(["search", "sqlite", "--limit", "1"]);
    expect(text.stdout).toMatch(
      /^Notes \(1 of 2\)\n\n {2}(Alpha|Beta)\n {4}memory:\/\/tech\/[ab], just now; matches: sqlite\n/,
    );
    expect((await run(["search", "sqlite", "--page", "9"])).stdout).toContain("the last page is 1");
    expect((await run(["search", "nowhere-to-be-found"])).stdout).toContain("No matching notes");
  });

  it("recent lists changed notes, also with .NET time spans", async () => {
    const { run, data } = await filled();
    expect((await data("recent", "--timespan", "1.00:00:00"))["items"]).toHaveLength(3);
    expect((await data("recent", "--since", "24h", "--limit", "1"))["items"]).toHaveLength(1);
    expect((await data("recent", "--kind", "thinking"))["items"]).toEqual([]);
    expect((await run(["recent"])).stdout).toMatch(/just now {2}Gamma {2}memory:\/\/shop\/c\n/);
  });

  it("context and graph show relations, and suggest similar names for an unknown concept", async () => {
    const { run, data } = await filled();
    expect(await data("context", "[[SQLite]]", "--depth", "1")).toMatchObject({
      concept: "sqlite",
      direct: [{ name: "bun", notes: 1, files: ["memory://tech/b"] }, { name: "full-text-search" }],
      expanded: [],
    });
    expect((await run(["context", "sqlite", "--content"])).stdout).toContain("We chose [[SQLite]]");
    expect((await run(["context", "sqllite"])).stdout).toContain("Did you mean [[sqlite]]?");
    await data("write", "The [[SLO]] is 99.9 %.", "--title", "Goal");
    expect((await run(["context", "slo"])).stdout).toBe(
      "[[slo]] has no related concepts. It is named by 1 note:\n  memory://goal\n",
    );
    const { stdout } = await run(["graph", "bun"]);
    expect(stdout).toMatch(/^graph TD\n {4}n0\["bun"\]\n/);
    expect(stdout).toContain('["mermaid-#quot;quoted#quot;-#35;1"]');
    expect(stdout).toContain("n0 ---|1| n1");
    expect((await data("graph", "sqlite", "--depth", "1"))["nodes"]).not.toContain('mermaid-"quoted"-#1');
    const none = await run(["graph", "bunn"]);
    expect([none.stdout, none.stderr]).toEqual([
      "graph TD\n",
      expect.stringContaining("Did you mean [[bun]]?"),
    ]);
  });

  it("sync prints counts, and --rebuild gives the same", async () => {
    const { run, data } = await filled();
    expect(await data("sync")).toMatchObject({
      indexed: 3,
      notes: 3,
      concepts: 4,
      relations: 3,
      isComplete: true,
    });
    expect(await data("sync")).toMatchObject({ indexed: 0, notes: 3 });
    const before = await data("search", "sqlite");
    expect(await data("sync", "--rebuild")).toMatchObject({
      indexed: 3,
      notes: 3,
      concepts: 4,
      relations: 3,
    });
    expect((await data("search", "sqlite"))["results"]).toEqual(before["results"]);
    expect((await run(["sync"])).stdout).toContain("3 notes, 4 concepts, 3 relations");
  });

  it("say how to start when there are no notes", async () => {
    const { run } = notesWorld();
    for (const args of [["search", "x"], ["recent"], ["context", "x"], ["list"]]) {
      const done = await run(args);
      expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("continuo note")]);
    }
    expect((await run(["sync"])).stdout).toContain("There are no notes yet");
  });
});

it.each([
  [["search"], "QUERY is missing"],
  [["search", "x", "--mode", "hybird"], "did you mean Hybrid?"],
  [["search", "x", "--limit", "0"], "a whole number from 1"],
  [["search", "x", "--min-score", "2"], "a number from 0 to 1"],
  [["search", "x", "--since", "some day"], "24h"],
  [["search", "x", "--foldr", "y"], "--folder"],
  [["recent", "x"], "too many arguments"],
  [["context"], "CONCEPT is missing"],
  [["graph", "x", "--nodes", "3"], "from 5 to 100"],
  [["edit", "x"], "usage: continuo edit"],
  [["edit", "x", "appnd", "y"], "did you mean append?"],
  [["move", "x"], "usage: continuo move"],
  [["move", "a", "b", "c"], "quotes"],
  [["memory", "ad"], 'did you mean "continuo memory add"?'],
])("%j is a wrong call, and says what would be right", async (args, hint) => {
  const done = await notesWorld().run(args);
  expect([done.code, done.stdout, done.stderr]).toEqual([2, "", expect.stringContaining(hint)]);
});

it("the help of a notes command explains every option", async () => {
  const { stdout } = await notesWorld().run(["help", "search"]);
  expect(stdout).toMatch(/--since TIME {2,}only what changed since/);
  expect(readFileSync(new URL("../../../../docs/notes.md", import.meta.url), "utf8")).toContain(
    "continuo search",
  );
});
