import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TOOLS } from "../../../../src/cli/commands/maenifold/tools.ts";
import { notesWorld } from "../../../support/notes.ts";
import { write } from "../../../support/world.ts";

async function filled() {
  const world = notesWorld();
  write(join(world.home.root, "memory"), {
    "tech/a.md":
      "---\ntitle: Alpha\ncreated: 2026-01-02T03:04:05.000Z\n---\n# Alpha\nWe chose [[SQLite]] with [[full text search]].\n",
    "b.md": "# Beta\n[[SQLite]] in [[Bun]].\n",
    "thinking/sequential/2026/01/27/session-1.md": "# Sequential Thinking Session\non [[Bun]]\n",
  });
  return world;
}

describe("continuo --tool, as a drop-in for maenifold", () => {
  it("SearchMemories, RecentActivity and BuildContext print the shapes of the contract", async () => {
    const { tool } = await filled();
    const search = await tool("SearchMemories", { query: "sqlite", mode: "Hybrid", pageSize: 5 });
    expect(search.code).toBe(0);
    expect(Object.keys(search.said)).toEqual(["results"]);
    expect(search.said["results"]).toHaveLength(2);
    expect(search.said["results"]).toContainEqual({
      uri: "memory://tech/a",
      title: "Alpha",
      score: expect.any(Number),
      concepts: ["sqlite", "full-text-search"],
    });
    const recent = await tool("RecentActivity", { timespan: "1.00:00:00", limit: 10, filter: "memory" });
    expect(Object.keys(recent.said)).toEqual(["items"]);
    expect(recent.said["items"]).toHaveLength(2);
    expect(recent.said["items"]).toContainEqual({
      uri: "memory://b",
      title: "Beta",
      modified: expect.stringMatching(/^\d{4}-.*Z$/),
      concepts: ["sqlite", "bun"],
    });
    const context = await tool("BuildContext", { conceptName: "SQLite", depth: 1, maxEntities: 10 });
    expect(context.said).toEqual({
      concept: "sqlite",
      relatedConcepts: [
        { name: "bun", relationship: "co-occurs-with", files: 1 },
        { name: "full-text-search", relationship: "co-occurs-with", files: 1 },
      ],
      fileReferences: ["memory://b", "memory://tech/a"],
    });
    expect((await tool("BuildContext", { conceptName: "nobody" })).said).toEqual({
      concept: "nobody",
      relatedConcepts: [],
      fileReferences: [],
    });
  });

  it("the tools that change notes work, in any case of their names", async () => {
    const { tool } = notesWorld();
    const written = await tool("writememory", {
      title: "Plan",
      content: "[[A]] b",
      folder: "x",
      tags: ["t"],
    });
    expect(written.said).toEqual({
      uri: "memory://x/plan",
      checksum: expect.any(String),
      title: "Plan",
      folder: "x",
    });
    const edited = await tool("EDITMEMORY", {
      identifier: "memory://x/plan",
      operation: "append",
      content: "[[C]]",
      checksum: written.said["checksum"],
    });
    expect(edited.said).toEqual({
      uri: "memory://x/plan",
      operation: "append",
      checksum: expect.any(String),
    });
    const plain = { identifier: "Plan", operation: "append", content: "plain" };
    expect((await tool("EditMemory", plain)).said).toMatchObject({ error: { code: "WIKILINK_REQUIRED" } });
    expect((await tool("ReadMemory", { identifier: "Plan" })).said).toEqual({
      uri: "memory://x/plan",
      title: "Plan",
      location: expect.stringMatching(/plan\.md$/),
      created: expect.any(String),
      modified: expect.any(String),
      checksum: edited.said["checksum"],
      content: "# Plan\n\n[[A]] b\n\n[[C]]\n",
    });
    expect((await tool("ExtractConceptsFromFile", { identifier: "Plan" })).said).toMatchObject({
      concepts: ["a", "c"],
    });
    expect((await tool("MoveMemory", { source: "Plan", destination: "y/plan" })).said).toEqual({
      uri: "memory://y/plan",
      from: "memory://x/plan",
    });
    expect((await tool("ListMemories", { path: "y" })).said).toMatchObject({
      notes: [{ uri: "memory://y/plan" }],
    });
    expect((await tool("Sync")).said).toMatchObject({ indexed: expect.any(Number), unreadable: [] });
    expect((await tool("FindSimilarConcepts", { conceptName: "aa" })).said).toMatchObject({ concept: "aa" });
    expect((await tool("DeleteMemory", { identifier: "Plan", confirm: "true" })).said).toEqual({
      uri: "memory://y/plan",
      deleted: true,
    });
  });

  it("--json wraps every tool in the envelope, with more details for the search", async () => {
    const { tool } = await filled();
    const { said } = await tool("SearchMemories", { query: "sqlite", pagesize: "1" }, "--json");
    expect(said).toMatchObject({
      success: true,
      error: null,
      data: {
        mode: "Hybrid",
        query: "sqlite",
        totalCount: 2,
        page: 1,
        pageSize: 1,
        results: [
          {
            path: expect.stringMatching(/^memory:/),
            snippet: expect.any(String),
            fusedScore: expect.any(Number),
          },
        ],
      },
    });
    const payloads: Record<string, object> = {
      WriteMemory: { title: "N", content: "[[x]]" },
      ReadMemory: { identifier: "N" },
      EditMemory: { identifier: "N", operation: "append", content: "[[y]]" },
      MoveMemory: { source: "N", destination: "m" },
      ExtractConceptsFromFile: { identifier: "memory://m" },
      DeleteMemory: { identifier: "memory://m", confirm: true },
      SearchMemories: { query: "x" },
      BuildContext: { conceptName: "bun" },
      FindSimilarConcepts: { conceptName: "bun" },
      Visualize: { conceptName: "bun" },
    };
    const order = [
      "WriteMemory",
      "ReadMemory",
      "EditMemory",
      "MoveMemory",
      "ExtractConceptsFromFile",
      "DeleteMemory",
    ];
    const rest = TOOLS.map(({ name }) => name).filter((name) => !order.includes(name));
    expect(order.length + rest.length).toBe(15);
    for (const name of [...order, ...rest]) {
      const done = await tool(name, payloads[name] ?? {}, "--json");
      expect([name, done.code, Object.keys(done.said)]).toEqual([name, 0, ["success", "data", "error"]]);
    }
  });

  it("--format text prints the texts of maenifold", async () => {
    const { tool } = await filled();
    const text = async (name: string, payload: object) =>
      (await tool(name, payload, "--format", "text")).stdout;
    expect(await text("SearchMemories", { query: "full text search" })).toMatch(
      /📄 \*\*Alpha\*\* \(memory:\/\/tech\/a\)\n {3}📊 Scores - Fused: [\d.]+ \| Text: [\d.]+ \| Semantic: [\d.]+\n {3}📝 .*SQLite/,
    );
    expect(await text("SearchMemories", { query: "sqlite", pageSize: 1 })).toContain("💡 Next: page 2");
    const recent = await text("RecentActivity", { includeContent: true });
    expect(recent).toMatch(/^# Recent Activity\n/);
    expect(recent).toMatch(/\*\*session-1\*\* \(sequential\)\n {2}Modified: \d{4}-\d\d-\d\d \d\d:\d\d\n/);
    expect(recent).toContain('First: "# Beta');
    expect(await text("BuildContext", { conceptName: "sqlite" })).toMatch(
      /^Context for CONCEPT: sqlite\n\nDirect relations \(2 CONCEPTS\):\n {2}• bun \(co-occurs in 1 files\).*\n {4}Files: memory:\/\/b\n/,
    );
    expect(await text("Visualize", { conceptName: "bun" })).toMatch(/^graph TD\n/);
    expect(await text("ListMemories", {})).toContain("📁 tech (1 files)");
    expect(await text("SearchMemories", { learn: true })).toContain("- query (required): a string");
  });

  it.each([
    [["--tool", "SerchMemories", "--payload", "{}"], 2, "UNKNOWN_TOOL", "did you mean SearchMemories?"],
    [["--tool", "SequentialThinking", "--payload", "{}"], 2, "UNKNOWN_TOOL", "WriteMemory"],
    [["--payload", "{}"], 2, "UNKNOWN_TOOL", "--tool is missing"],
    [["--tool", "Sync", "--payload", "{"], 2, "INVALID_PAYLOAD", "not JSON"],
    [["--tool", "Sync", "--payload", "[]"], 2, "INVALID_PAYLOAD", "not an object"],
    [
      ["--tool", "Sync", "--payload", `{"a":${"[".repeat(40)}${"]".repeat(40)}}`],
      2,
      "INVALID_PAYLOAD",
      "32 levels",
    ],
    [["--tool", "SearchMemories", "--payload", "{}"], 2, "INVALID_ARGUMENT", "query is missing"],
    [["--tool", "SearchMemories", "--payload", '{"qery":"x"}'], 2, "INVALID_ARGUMENT", 'instead of "qery"'],
    [
      ["--tool", "SearchMemories", "--payload", '{"query":["x"]}'],
      2,
      "INVALID_ARGUMENT",
      "expected a string",
    ],
    [
      ["--tool", "SearchMemories", "--payload", '{"query":"x","pageSize":0}'],
      2,
      "INVALID_ARGUMENT",
      "from 1 to 200",
    ],
    [
      ["--tool", "SearchMemories", "--payload", '{"query":"x","mode":"Fuzzy"}'],
      2,
      "INVALID_ARGUMENT",
      "Hybrid, Semantic, FullText",
    ],
    [["--tool", "SearchMemories", "--payload", '{"query":"  "}'], 1, "INVALID_ARGUMENT", "empty"],
    [
      ["--tool", "RecentActivity", "--payload", '{"timespan":"soon"}'],
      1,
      "INVALID_ARGUMENT",
      "not a time span",
    ],
    [
      ["--tool", "BuildContext", "--payload", '{"conceptName":"--"}'],
      1,
      "INVALID_ARGUMENT",
      "is not a concept",
    ],
    [["--tool", "ReadMemory", "--payload", '{"identifier":"gone"}'], 1, "NOT_FOUND", "gone"],
    [
      ["--tool", "ReadMemory", "--payload", '{"identifier":"memory://../x"}'],
      1,
      "PATH_VALIDATION_ERROR",
      "leads out",
    ],
    [
      ["--tool", "WriteMemory", "--payload", '{"title":"x","content":"no link"}'],
      1,
      "WIKILINK_REQUIRED",
      "WikiLink",
    ],
    [
      ["--tool", "WriteMemory", "--payload", `{"title":"x","content":"[[y]]","folder":"${"a".repeat(300)}"}`],
      1,
      "PATH_TOO_LONG",
      "too long",
    ],
    [["--tool", "DeleteMemory", "--payload", '{"identifier":"here"}'], 1, "CONFIRMATION_REQUIRED", "confirm"],
    [
      [
        "--tool",
        "EditMemory",
        "--payload",
        '{"identifier":"here","operation":"find_replace","content":"[[x]]"}',
      ],
      1,
      "INVALID_ARGUMENT",
      "findText",
    ],
    [["--tool", "Sync", "--format", "xml"], 2, "INVALID_ARGUMENT", "json or text"],
    [["--tool", "Sync", "--json", "--format", "text"], 2, "INVALID_ARGUMENT", "exclude each other"],
    [["--tool", "Sync", "--what"], 2, "INVALID_ARGUMENT", "usage: continuo --tool"],
  ])("%j ends with %i and %s", async (args, exit, code, message) => {
    const { run, home } = notesWorld();
    write(join(home.root, "memory"), { "here.md": "# Here\n[[x]]\n" });
    const plain = await run(args);
    const envelope = args.includes("--json") || args.includes("--format");
    if (!envelope) {
      expect([plain.code, JSON.parse(plain.stdout)]).toEqual([
        exit,
        { error: { code, message: expect.stringContaining(message) } },
      ]);
      const text = await run([...args, "--format", "text"]);
      expect([text.code, text.stdout, text.stderr]).toEqual([
        exit,
        "",
        expect.stringContaining(`ERROR ${code}: `),
      ]);
    }
    const json = envelope ? plain : await run([...args, "--json"]);
    const failure = { code, message: expect.stringContaining(message) };
    expect(json.code).toBe(exit);
    expect(JSON.parse(json.stdout)).toMatchObject(
      args.includes("--json") || !envelope
        ? { success: false, data: null, error: failure }
        : { error: failure },
    );
  });

  it("a payload that is too long for an argument is read from standard input", async () => {
    const { run, tool } = notesWorld();
    const content = `[[x]] ${"long ".repeat(100_000)}`;
    const done = await run(
      ["--tool", "WriteMemory", "--payload", "-"],
      JSON.stringify({ title: "Long", content }),
    );
    expect([done.code, JSON.parse(done.stdout)]).toMatchObject([0, { uri: "memory://long" }]);
    expect((await tool("ReadMemory", { identifier: "Long" })).said["content"]).toContain(content);
  });

  it("secrets in notes that a program writes are redacted", async () => {
    const { tool } = notesWorld();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    await tool("WriteMemory", { title: "Key", content: `[[x]] token ${secret}` });
    expect((await tool("ReadMemory", { identifier: "Key" })).said["content"]).not.toContain(secret);
  });

  it("an unknown key is reported on stderr", async () => {
    const { tool } = await filled();
    const done = await tool("SearchMemories", { query: "sqlite", zap: 1 });
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('ignores the unknown "zap"')]);
  });
});
