import { readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ToolContext } from "../../../../src/moments/ports/tool.ts";
import { MEMORY_RESOURCES, memoryTools } from "../../../../src/sources/notes/ports/tools.ts";
import { callIn } from "../../../support/engine.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

function memoryWorld(notes: Record<string, string> = {}) {
  const call: ToolContext = callIn(temporaryWorld());
  const folder = join(call.home.root, "memory");
  write(folder, notes);
  const use = async (name: string, args: unknown) => {
    const tool = memoryTools([]).find((one) => one.name === name);
    if (tool === undefined) throw new Error(name);
    return tool.run(args, call);
  };
  return { use, call, folder };
}

const NOTES = {
  "tech/ledger.md": "# Ledger\n\nThe [[ledger]] is kept in [[append-only files]].",
  "tech/locks.md":
    "---\ntags: [safety]\n---\n# Locks\n\nA lock file guards the [[ledger]] against [[races]].",
};

describe("the project of a note", () => {
  test("is where the model writes it, unless it names another or none", async () => {
    const { use, folder } = memoryWorld();
    const keys = async (title: string, more: object = {}) => {
      await use("write_memory", { title, content: "Of [[it]].", ...more });
      return readFileSync(join(folder, `${title}.md`), "utf8").match(/^project.*$/gm);
    };
    expect(await keys("here")).toEqual([
      "project: project",
      expect.stringMatching(/^project_id: .*\/project"?$/),
    ]);
    expect(await keys("empty", { project: " " })).toHaveLength(2);
    expect(await keys("other", { project: "blog" })).toEqual(["project: blog"]);
    expect(await keys("global", { project: "none" })).toEqual(["project: none"]);
  });

  test("is preferred in a search, which says so and how to search all alike", async () => {
    const text = (project: string) => `---\nproject: ${project}\n---\nThe gateway retries a failed request.`;
    const { use } = memoryWorld({ "a.md": text("blog"), "b.md": text("project") });
    const found = async (more: object = {}) =>
      (await use("search_memories", { query: "gateway", ...more })).text;
    const order = (answer: string) => [...answer.matchAll(/memory:\/\/(\w)/g)].map(([, name]) => name);
    const usual = await found();
    expect(order(usual)).toEqual(["b", "a"]);
    expect(usual).toContain('Notes of project are preferred; project: "*" to search all alike.');
    expect(order(await found({ project: "*" }))).toEqual(["a", "b"]);
    expect(await found({ project: "*" })).not.toContain("preferred");
    expect(order(await found({ project: "." }))).toEqual(["b"]);
    expect(order(await found({ project: "blog" }))).toEqual(["a"]);
  });
});

describe("search_memories", () => {
  test("returns title, address, score and a snippet", async () => {
    const { use } = memoryWorld(NOTES);
    const { ok, text } = await use("search_memories", {
      query: "lock file",
      mode: "fulltext",
      pageSize: "5",
    });
    expect(ok).toBe(true);
    expect(text).toMatch(/^Notes:\n- Locks \(memory:\/\/tech\/locks\) [01]\.\d\d\n {2}.*A lock file guards/);
  });

  test("respects folder and tags", async () => {
    const { use } = memoryWorld(NOTES);
    const found = async (more: object) => (await use("search_memories", { query: "ledger", ...more })).text;
    expect(await found({ tags: ["safety"] })).not.toContain("memory://tech/ledger");
    expect(await found({ folder: "other" })).toContain("No note found.");
  });

  test("takes what models fill in: numbers in quotes, one text for a list, nothing, and more than was asked for", async () => {
    const { use } = memoryWorld(NOTES);
    const plain = await use("search_memories", { query: "lock" });
    const filled = { mode: " ", folder: "", tags: [""], since: null, project: "", pageSize: " 10 ", why: "" };
    expect(await use("search_memories", { query: " lock ", in: "Notes", ...filled })).toEqual(plain);
    const tagged = await use("search_memories", { query: "ledger", tags: "safety" });
    expect(tagged.text).not.toContain("memory://tech/ledger");
    const written = await use("write_memory", {
      title: "Spaces",
      content: "  indented\n",
      tags: [],
      folder: " ",
    });
    expect(written.text).toContain("Written: memory://spaces");
    expect((await use("write_memory", { title: "Blank", content: " \n" })).text).toBe("content is missing");
  });

  test.each([
    [{}, "query is missing"],
    [{ query: "x", pageSize: 0 }, "a whole number from 1 to 50"],
    [{ query: "x", mode: "Magic" }, "one of Hybrid, FullText, Semantic"],
    [{ query: "" }, "query is missing"],
    [{ query: " \n" }, "query is missing"],
    ["ledger", "the arguments are no object"],
    [{ query: ["x"] }, "query must be a text"],
    [{ query: "x", tags: [1] }, "tags.0 must be a text"],
    [{ query: "x", in: "mail" }, "in must be one of notes"],
    [{ query: "x", folder: [] }, "folder must be a text"],
  ])("reports what is wrong with %j", async (args, expected) => {
    const { ok, text } = await memoryWorld(NOTES).use("search_memories", args);
    expect(ok).toBe(false);
    expect(text).toContain(expected);
  });
});

describe("write_memory and read_memory", () => {
  test("store a note that can be read by title and address, without the secrets a model put into it", async () => {
    const { use, folder } = memoryWorld();
    const content = "Deploys with [[fly]]. API_KEY=abcdefgh12345678";
    const written = await use("write_memory", { title: "Deploy", content, folder: "ops", tags: ["infra"] });
    expect(written.text).toBe("Written: memory://ops/deploy");
    expect(readFileSync(join(folder, "ops", "deploy.md"), "utf8")).not.toContain("abcdefgh12345678");
    for (const identifier of ["Deploy", "memory://ops/deploy"]) {
      const { text } = await use("read_memory", { identifier });
      expect(text).toContain("Deploy (memory://ops/deploy; modified ");
      expect(text).toContain("Deploys with [[fly]].");
    }
    const again = await use("write_memory", { title: "Deploy", content, folder: "ops" });
    expect(again).toMatchObject({ ok: false, text: expect.stringContaining("already") });
  });

  test.each(["memory://../../etc/passwd", "memory://%2e%2e/x", "/etc/passwd", "Nothing like it"])(
    "refuse what is no note: %s",
    async (identifier) => {
      expect((await memoryWorld(NOTES).use("read_memory", { identifier })).ok).toBe(false);
    },
  );
});

describe("build_context", () => {
  test("lists related concepts with addresses, and text on request", async () => {
    const { use } = memoryWorld(NOTES);
    const { text } = await use("build_context", { conceptName: "Ledger", depth: 1 });
    expect(text).toBe(
      "ledger occurs in the same notes as:\n" +
        "- append-only-files (1 note): memory://tech/ledger\n- races (1 note): memory://tech/locks",
    );
    const withContent = await use("build_context", { conceptName: "ledger", includeContent: true });
    expect(withContent.text).toContain("memory://tech/locks: # Locks A lock file guards");
  });

  test("reports that no note names the concept", async () => {
    const { text } = await memoryWorld(NOTES).use("build_context", { conceptName: "submarine" });
    expect(text).toBe('No note connects "submarine" with anything.');
  });
});

describe("recent_activity", () => {
  test("lists what changed within the timespan, and refuses an invalid one", async () => {
    const { use, folder } = memoryWorld(NOTES);
    const old = Date.now() / 1000 - 3 * 86_400;
    utimesSync(join(folder, "tech/ledger.md"), old, old);
    const { text } = await use("recent_activity", { timespan: "24h" });
    expect(text).toMatch(/^- \d{4}-\d\d-\d\d \d\d:\d\d Locks \(memory:\/\/tech\/locks\): ledger, races$/);
    expect((await use("recent_activity", { timespan: "a while" })).text).toContain("24h");
  });
});

describe("notes as resources", () => {
  const [resource] = MEMORY_RESOURCES;

  test("are listed, completed and read, also with special characters in their names", async () => {
    const { call } = memoryWorld({ ...NOTES, "my notes/50% done.md": "Half of [[it]]." });
    const listed = (await resource?.list?.(call)) ?? [];
    expect(listed.map(({ uri }) => uri)).toContain("memory://my%20notes/50%25%20done");
    expect(await resource?.complete?.("path", "tech/l", call)).toEqual(["tech/ledger", "tech/locks"]);
    expect(await resource?.complete?.("path", "done", call)).toEqual(["my notes/50% done"]);
    expect(await resource?.read({ path: "my notes/50% done" }, call)).toBe("Half of [[it]].");
    expect(await resource?.read({ path: "tech/none" }, call)).toBeUndefined();
  });
});
