import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Edit,
  editNote,
  editText,
  shortChecksum,
} from "../../../../src/sources/notes/files/edit-note.ts";
import { contractCode } from "../../../../src/sources/notes/files/failures.ts";
import { readNote } from "../../../../src/sources/notes/files/note.ts";
import { contextFor, located, memoryWith, NOW, NOW_TEXT, textOf } from "./memory.ts";

const edit = (text: string, change: Edit) => editText(text, change, NOW);

describe("an edit's text", () => {
  it.each<[string, Edit, string]>([
    ["a", { operation: "append", content: "b" }, "a\n\nb\n"],
    ["a\n", { operation: "append", content: "b\n" }, "a\n\nb\n"],
    ["a\n\n", { operation: "append", content: "b" }, "a\n\nb\n"],
    ["", { operation: "append", content: "b" }, "b\n"],
    ["a\r\nb\r\n", { operation: "append", content: "c\nd" }, "a\r\nb\r\n\r\nc\r\nd\r\n"],
    ["a\n", { operation: "prepend", content: "b" }, "b\n\na\n"],
    ["# T\n\na\n", { operation: "prepend", content: "b" }, "# T\n\nb\n\na\n"],
    ["---\nx: 1\n---\n# T", { operation: "prepend", content: "b" }, "---\nx: 1\n---\n# T\n\nb\n"],
    ["T\n=\na", { operation: "prepend", content: "b" }, "T\n=\n\nb\n\na"],
    ["a x a", { operation: "find_replace", findText: "a", content: "$&" }, "$& x $&"],
    ["a\r\nb", { operation: "find_replace", findText: "a\nb", content: "c\nd" }, "c\r\nd"],
    [
      "# T\n\n## One\nold\n### Sub\nold\n## Two\nkeep",
      { operation: "replace_section", sectionName: "one", content: "new" },
      "# T\n\n## One\n\nnew\n\n## Two\nkeep",
    ],
    [
      "## One\nold",
      { operation: "replace_section", sectionName: "## One", content: "## One\n\nnew\n\n" },
      "## One\n\nnew\n",
    ],
    [
      "## One\n```\n## Two\n```\n## Two\nx\n",
      { operation: "replace_section", sectionName: "Two", content: "y" },
      "## One\n```\n## Two\n```\n## Two\n\ny\n",
    ],
    [
      "# T\n\n## Log\n\n- a\n\n## Two\nkeep",
      { operation: "append", sectionName: "log", content: "- b" },
      "# T\n\n## Log\n\n- a\n\n- b\n\n## Two\nkeep",
    ],
    [
      "## Log\r\na\r\n### Old\r\nb",
      { operation: "append", sectionName: "Log", content: "own text" },
      "## Log\r\na\r\n\r\nown text\r\n\r\n### Old\r\nb",
    ],
    [
      "## Log\na\n### Old\nb\n## Two",
      { operation: "append", sectionName: "Log", content: "### New\nc" },
      "## Log\na\n### Old\nb\n\n### New\nc\n\n## Two",
    ],
    ["## Log", { operation: "append", sectionName: "Log", content: "a" }, "## Log\n\na\n"],
  ])("of %j by %j is %j", (text, change, result) => {
    expect(edit(text, change)).toBe(result);
  });

  it.each<[string, Edit, RegExp]>([
    ["a", { operation: "find_replace", findText: "b", content: "c" }, /does not have/],
    ["a", { operation: "find_replace", findText: "", content: "c" }, /no text to find/],
    ["a a", { operation: "find_replace", findText: "a", content: "c", expectedCount: 1 }, /2 times, not 1/],
    ["[[a b]]", { operation: "find_replace", findText: "a b", content: "[[c]]" }, /inside another link/],
    ["a", { operation: "find_replace", findText: "b", content: "c", expectedCount: 2 }, /0 times, not 2/],
    ["## A", { operation: "replace_section", sectionName: "B", content: "c" }, /no section "B"/],
    ["## A", { operation: "append", sectionName: "B", content: "c" }, /no section "B"/],
    ["## A\n## a", { operation: "replace_section", sectionName: "A", content: "c" }, /2 sections/],
    ["---\nx: find\n---\n", { operation: "find_replace", findText: "find", content: "c" }, /does not have/],
  ])("of %j by %j is refused", (text, change, message) => {
    expect(() => edit(text, change)).toThrow(message);
  });

  it.each([
    ["modified: 2020-01-01T00:00:00.0000000Z", `modified: ${NOW_TEXT}`],
    ["modified: 2020-01-01 10:00  # by hand", `modified: ${NOW_TEXT}  # by hand`],
    ["modified: '2020-01-01'", `modified: '${NOW_TEXT}'`],
    ["other: modified: x", "other: modified: x"],
    ["x: |\n  modified: a", "x: |\n  modified: a"],
    ["x: 1", "x: 1"],
  ])("dates the frontmatter %j as %j", (front, result) => {
    const text = `---\n${front}\nz: 1\n---\nmodified: a\n`;
    expect(edit(text, { operation: "append", content: "b" })).toBe(
      `---\n${result}\nz: 1\n---\nmodified: a\n\nb\n`,
    );
  });

  const line = fc.constantFrom(
    "a [[x]]",
    "# H",
    "## S",
    "",
    "---",
    "```",
    "- i",
    "  modified: x",
    "é 日",
    "\ttab ",
    "key: v",
  );
  const end = fc.constantFrom("\n", "\r\n");
  const front = fc.constantFrom(
    "",
    "---\n# comment\nzeta: 1\nmodified: 2020-01-01T00:00:00Z # c\nalpha: [b,  c]\n---\n",
    "---\nno yaml: [\n---\n",
    "---\n---\n",
    "---\nunclosed\n",
  );
  const anyText = fc
    .tuple(front, fc.array(line), end)
    .map(([head, lines, eol]) => (head + lines.join("\n")).replaceAll("\n", eol));
  /** The same note apart from its date. */
  const undated = (text: string) => text.replace(/^(modified: )\S+/m, "$1-");

  it("keeps every existing byte: append and prepend", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const before = undated(text);
        const content = "[[new]] text";
        const after = undated(edit(text, { operation: "append", content }));
        expect(after.startsWith(before)).toBe(true);
        const prepended = undated(edit(text, { operation: "prepend", content }));
        const at = prepended.indexOf(content);
        const [head, tail] = [prepended.slice(0, at), prepended.slice(at + content.length)];
        const rest = before.slice(commonStart(before, head));
        expect(head.replace(/[\r\n]+$/, "")).toBe(
          before.slice(0, before.length - rest.length).replace(/[\r\n]+$/, ""),
        );
        expect(tail.endsWith(rest.replace(/^[\r\n]+/, ""))).toBe(true);
      }),
    );
  });

  it("keeps every existing byte: append to a section", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom("new text", "### New\ntext"), (text, content) => {
        const note = `${text}${/^(?!.*\r)/s.test(text) ? "\n" : "\r\n"}## Only\nits text\n`;
        let result: string;
        try {
          result = undated(edit(note, { operation: "append", sectionName: "Only", content }));
        } catch {
          return; // the heading is in code
        }
        const lines = (given: string) => given.split(/\r\n|\n/).filter((one) => one !== "");
        const [added, kept] = [lines(content), lines(undated(note))];
        expect(lines(result).length).toBe(kept.length + added.length);
        const at = lines(result).lastIndexOf(added[0] ?? "");
        const rest = lines(result);
        rest.splice(at, added.length);
        expect(rest).toEqual(kept);
      }),
    );
  });

  it("replaces exactly as often as expected, or not at all", () => {
    const words = fc.array(fc.constantFrom("a", "aa", "b", " ", "\n", "\r\n"), { maxLength: 20 });
    fc.assert(
      fc.property(
        words,
        fc.constantFrom("a", "aa", "b", "a\nb"),
        fc.integer({ min: 1, max: 4 }),
        (parts, findText, expectedCount) => {
          const text = parts.join("");
          const end = /\r\n|\n/.exec(text)?.[0] ?? "\n";
          const pieces = text.split(findText.replace("\n", end));
          const change: Edit = { operation: "find_replace", findText, content: "Z", expectedCount };
          if (pieces.length - 1 === expectedCount) expect(edit(text, change)).toBe(pieces.join("Z"));
          else expect(() => edit(text, change)).toThrow(`${pieces.length - 1} times, not ${expectedCount}`);
        },
      ),
    );
  });

  it("can be reverted: find and replace in both directions", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const marked = edit(text, { operation: "append", content: "OLD" });
        const there = edit(marked, {
          operation: "find_replace",
          findText: "OLD",
          content: "[[NEW]]",
          expectedCount: 1,
        });
        const back = edit(there, { operation: "find_replace", findText: "[[NEW]]", content: "OLD" });
        expect(back).toBe(marked);
      }),
    );
  });

  it("changes no other section", () => {
    const part = fc.array(fc.constantFrom("text", "", "- [[a]]", "### sub", "```\n## Two\n```"), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(part, part, part, end, (a, b, c, eol) => {
        const before = `# T\n${a.join("\n")}\n`.replaceAll("\n", eol);
        const after = `## Three\n${c.join("\n")}`.replaceAll("\n", eol);
        const text = `${before}${`## Middle\n${b.join("\n")}\n`.replaceAll("\n", eol)}${after}`;
        const result = edit(text, {
          operation: "replace_section",
          sectionName: "Middle",
          content: "[[new]]",
        });
        expect(result).toBe(`${before}## Middle${eol}${eol}[[new]]${eol}${eol}${after}`);
      }),
    );
  });
});

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

describe("editing a note", () => {
  const append: Edit = { operation: "append", content: "[[more]]" };

  it("returns the checksum of the new text, and keeps the byte order mark", async () => {
    const root = memoryWith({ "a.md": "\ufeffold [[x]]\r\n" });
    const { checksum } = await editNote(contextFor(root), located(root, "a"), append);
    expect(textOf(root, "a.md")).toBe("\ufeffold [[x]]\r\n\r\n[[more]]\r\n");
    expect((await readNote(root, located(root, "a").path))?.checksum).toBe(checksum);
  });

  it("with an old checksum is refused", async () => {
    const root = memoryWith({ "a.md": "old" });
    const note = located(root, "a");
    const { checksum = "" } = (await readNote(root, note.path)) ?? {};
    writeFileSync(note.path, "changed by hand");
    await expect(editNote(contextFor(root), note, append, { checksum })).rejects.toMatchObject({
      code: "note-changed",
    });
    expect(textOf(root, "a.md")).toBe("changed by hand");
  });

  it.each<[string, Edit, string | Uint8Array, string]>([
    ["of no UTF-8", append, Buffer.from([0x61, 0xff]), "VALIDATION_ERROR"],
    ["of a binary file", append, Buffer.from([1, 0, 2]), "VALIDATION_ERROR"],
    ["of 50 MB", append, Buffer.alloc(50 * 2 ** 20, "a"), "VALIDATION_ERROR"],
  ])("%s is refused and changes nothing", async (_, change, content, code) => {
    const root = memoryWith({ "a.md": content });
    const note = located(root, "a");
    const refused = await editNote(contextFor(root), note, change).then(() => undefined, contractCode);
    expect(refused).toBe(code);
    expect(readFileSync(note.path).equals(Buffer.from(content))).toBe(true);
  });

  it("needs a link only in maenifold's contract", async () => {
    const root = memoryWith({ "a.md": "[[x]]\n" });
    const note = located(root, "a");
    const plain: Edit = { operation: "append", content: "plain" };
    const strict = editNote(contextFor(root), note, plain, { isLinkRequired: true });
    expect(await strict.then(() => undefined, contractCode)).toBe("WIKILINK_REQUIRED");
    expect(textOf(root, "a.md")).toBe("[[x]]\n");
    await editNote(contextFor(root), note, plain);
    await editNote(contextFor(root), note, { operation: "find_replace", findText: "[[x]]", content: "x" });
    expect(textOf(root, "a.md")).toBe("x\n\nplain\n");
  });

  it("accepts the beginning of the checksum that a model is given, and nothing shorter", async () => {
    const root = memoryWith({ "a.md": "old" });
    const note = located(root, "a");
    const { checksum = "" } = (await readNote(root, note.path)) ?? {};
    const withSum = (sum: string) => editNote(contextFor(root), note, append, { checksum: sum });
    await expect(withSum(checksum.slice(0, 3))).rejects.toMatchObject({ code: "note-changed" });
    await expect(withSum("")).rejects.toMatchObject({ code: "note-changed" });
    await withSum(shortChecksum(checksum));
    await expect(withSum(shortChecksum(checksum))).rejects.toMatchObject({ code: "note-changed" });
    expect(textOf(root, "a.md")).toBe("old\n\n[[more]]\n");
  });

  it("edits what an editor saved in the meantime", async () => {
    const root = memoryWith({ "a.md": "old\n" });
    const note = located(root, "a");
    let calls = 0;
    const now = () => {
      // The clock is read while the new text is created: the editor saves at that moment.
      if (calls++ === 0) writeFileSync(note.path, "saved by an editor\n");
      return NOW;
    };
    await editNote({ ...contextFor(root), now }, note, append);
    expect(textOf(root, "a.md")).toBe("saved by an editor\n\n[[more]]\n");
  });
});
