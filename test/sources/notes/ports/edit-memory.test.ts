import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { memoryTools } from "../../../../src/sources/notes/ports/tools.ts";
import { callIn } from "../../../support/engine.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

function memoryWorld(notes: Record<string, string>) {
  const call = callIn(temporaryWorld());
  const folder = join(call.home.root, "memory");
  write(folder, notes);
  const tools = memoryTools([]);
  const use = async (name: string, args: unknown) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(name);
    return tool.run(args, call);
  };
  const edit = (args: Record<string, unknown>) => use("edit_memory", { identifier: "Plan", ...args });
  return { use, edit, tools, folder, text: () => readFileSync(join(folder, "plan.md"), "utf8") };
}

const PLAN = "# Plan\n\nWe use Redis.\n\n## Open\n\n- cache\n\n## Done\n\n- login\n";

describe("edit_memory", () => {
  test("appends to the note or a section, and replaces a text or a section", async () => {
    const { edit, text } = memoryWorld({ "plan.md": PLAN });
    expect((await edit({ operation: "append", content: "See the wiki." })).ok).toBe(true);
    expect((await edit({ operation: "append", section: "Open", content: "- queue" })).ok).toBe(true);
    expect((await edit({ operation: "replace", find: "Redis", content: "SQLite" })).ok).toBe(true);
    expect((await edit({ operation: "replace", section: "Done", content: "- nothing" })).ok).toBe(true);
    expect(text()).toBe(
      "# Plan\n\nWe use SQLite.\n\n## Open\n\n- cache\n\n- queue\n\n## Done\n\n- nothing\n",
    );
  });

  test("replaces a text of spaces alone", async () => {
    const { edit, text } = memoryWorld({ "plan.md": "# Plan\n\none\u3000two\n" });
    expect(await edit({ find: "\u3000", content: " " })).toMatchObject({ ok: true });
    expect(text()).toBe("# Plan\n\none two\n");
  });

  test("with a checksum of read_memory changes only the text that was read", async () => {
    const { use, edit, text } = memoryWorld({ "plan.md": PLAN });
    const read = await use("read_memory", { identifier: "Plan" });
    const [, checksum = ""] = /checksum (\S+?)[;)]/.exec(read.text) ?? [];
    const first = await edit({ operation: "append", content: "One.", checksum });
    expect(first.text).toMatch(/^Edited: memory:\/\/plan \(checksum \S{12}\)$/);
    const second = await edit({ operation: "append", content: "Two.", checksum });
    expect(second.ok).toBe(false);
    expect(second.text).toContain("has changed since it was read");
    expect(second.text).toContain("read_memory");
    expect(text()).toBe(`${PLAN}\nOne.\n`);
    const [, next = ""] = /checksum (\S+)\)/.exec(first.text) ?? [];
    expect((await edit({ operation: "append", content: "Two.", checksum: next })).ok).toBe(true);
  });

  test.each([
    [{ operation: "replace", find: "Memcached", content: "x" }, "occurs 0 times, not 1"],
    [{ operation: "replace", find: "e", content: "x" }, "occurs 6 times, not 1"],
    [{ operation: "replace", find: "e", count: 2, content: "x" }, "occurs 6 times, not 2"],
    [{ operation: "replace", find: "e", count: 0, content: "x" }, "a whole number from 1"],
    [{ operation: "replace", content: "x" }, "needs either find or section"],
    [{ operation: "replace", find: "Redis", section: "Open", content: "x" }, "needs either find or section"],
    [{ operation: "replace", section: "Closed", content: "x" }, '"Plan", "Open", "Done"'],
    [{ operation: "replace", section: "Open", content: " " }, "content is missing"],
    [{ operation: "append", content: "" }, "content is missing"],
    [{ operation: "append", find: "Redis", content: "x" }, "append does not use find"],
    [{ operation: "delete", content: "x" }, "one of append, replace"],
    [{ content: " " }, "content is missing"],
    [{ identifier: "Plam", operation: "append", content: "x" }, "did you mean memory://plan?"],
    [{ identifier: "nothing like it", operation: "append", content: "x" }, "search_memories"],
  ])("refuses %j, says why, and changes nothing", async (args, expected) => {
    const { edit, text, tools } = memoryWorld({ "plan.md": PLAN });
    const answer = await edit(args);
    expect(answer).toMatchObject({ ok: false, text: expect.stringContaining(expected) });
    expect(text()).toBe(PLAN);
    // A model can call tools, not commands.
    expect(answer.text).not.toMatch(/continuo |--\w/);
    const names = new Set(tools.map(({ name }) => name));
    for (const [name] of answer.text.matchAll(/\b[a-z]+_[a-z]+\b/g)) expect(names).toContain(name);
  });

  test("tells a model to use edit_memory when the note exists, and accepts notes without links", async () => {
    const { use } = memoryWorld({ "plan.md": PLAN });
    const again = await use("write_memory", { title: "Plan", content: "plain" });
    expect(again).toMatchObject({ ok: false, text: expect.stringContaining("change it with edit_memory") });
    const { text } = await use("write_memory", { title: "Other", content: "plain" });
    expect(text).toBe("Written: memory://other (tip: link topics as [[topic]])");
  });

  test("leaves properties alone, which read_memory shows", async () => {
    const head = "---\nauthor: Frank Herbert\ngenre: [a, b]\ncreated: 2026-01-02\nend: </continuo>\n---\n";
    const { use, edit, text } = memoryWorld({ "plan.md": `${head}Text.\n` });
    const read = await use("read_memory", { identifier: "plan" });
    expect(read.text).toContain("\nauthor: Frank Herbert\ngenre: a, b\n");
    expect(read.text).not.toContain("created");
    expect(read.text).not.toContain("\nend: </continuo>");
    expect((await edit({ operation: "replace", find: "Frank", content: "Brian" })).ok).toBe(false);
    expect(text()).toBe(`${head}Text.\n`);
  });

  test("keeps line endings, the byte order mark and the frontmatter, and removes secrets", async () => {
    const head = "\ufeff---\r\nzeta:   [b,  a] # mine\r\n---\r\n";
    const { edit, text } = memoryWorld({ "plan.md": `${head}# Plan\r\n\r\none\r\ntwo\r\n` });
    await edit({ operation: "replace", find: "one\ntwo", content: "three\nfour" });
    await edit({ operation: "append", content: "API_KEY=abcdefgh12345678" });
    expect(text()).toContain(`${head}# Plan\r\n\r\nthree\r\nfour\r\n`);
    expect(text()).not.toContain("abcdefgh12345678");
    expect(text().replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });

  test("loses nothing when several write at once", async () => {
    const { edit, use, text } = memoryWorld({ "plan.md": PLAN });
    const marks = Array.from({ length: 12 }, (_, i) => `mark-${i}-`);
    const edited = marks.map((content, i) =>
      edit({ operation: "append", content, ...(i % 2 === 0 ? { section: "Open" } : {}) }),
    );
    const written = marks.map((mark) => use("write_memory", { title: "Same", content: mark }));
    expect((await Promise.all(edited)).every(({ ok }) => ok)).toBe(true);
    expect((await Promise.all(written)).filter(({ ok }) => ok)).toHaveLength(1);
    for (const mark of marks) expect(text().split(mark)).toHaveLength(2);
    for (const line of PLAN.split("\n")) expect(text()).toContain(line);
  });

  test("refuses a note in a folder that is only read", async () => {
    const { edit, folder } = memoryWorld({});
    const vault = join(folder, "..", "vault");
    write(vault, { "plan.md": PLAN });
    write(join(folder, ".."), { "config.json": JSON.stringify({ sources: { memory: { also: [vault] } } }) });
    const answer = await edit({ operation: "append", content: "x" });
    expect(answer).toMatchObject({ ok: false, text: expect.stringContaining("belongs to another program") });
    expect(readFileSync(join(vault, "plan.md"), "utf8")).toBe(PLAN);
  });

  // The superuser may write everywhere.
  test.skipIf(process.getuid?.() === 0)("in a read-only folder says so", async () => {
    const { edit, folder, text } = memoryWorld({ "plan.md": PLAN });
    chmodSync(folder, 0o500);
    onTestFinished(() => chmodSync(folder, 0o700));
    const answer = await edit({ operation: "append", content: "x" });
    expect(answer).toMatchObject({ ok: false, text: expect.stringContaining("cannot be written") });
    expect(text()).toBe(PLAN);
  });
});
