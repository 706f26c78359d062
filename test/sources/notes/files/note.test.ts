import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readNote } from "../../../../src/sources/notes/files/note.ts";
import { tellingProperties } from "../../../../src/sources/notes/files/properties.ts";
import { memoryWith } from "./memory.ts";

async function read(content: string | Uint8Array) {
  const root = memoryWith({ "dir/a-note.md": content });
  const note = await readNote(root, join(root.path, "dir/a-note.md"));
  if (note === undefined) throw new Error("the note is gone");
  return note;
}

describe("reading a note", () => {
  it("reads a note that maenifold wrote", async () => {
    const text =
      "---\ntitle: A Note\npermalink: a-note\ntype: memory\nstatus: saved\ncreated: 2026-01-29T08:15:30.1234567Z\n" +
      "modified: 2026-01-30T00:00:00.0000000Z\ntags:\n- one\n- two\n---\n# A Note\n\nAbout [[Machine Learning]].\n";
    const note = await read(text);
    expect(note).toMatchObject({
      uri: "memory://dir/a-note",
      title: "A Note",
      body: "# A Note\n\nAbout [[Machine Learning]].\n",
      tags: ["one", "two"],
      concepts: ["machine-learning"],
      created: Date.parse("2026-01-29T08:15:30.123Z"),
      checksum: createHash("sha256").update(text).digest("base64"),
      size: text.length,
      problems: [],
    });
  });

  it.each([
    ["---\ntitle: From the front\n---\n# Heading", "From the front"],
    ["\n# Heading ##\ntext", "Heading"],
    ["text\n# Heading", "a-note"],
    ["---\ntitle: 2024\n---\n", "2024"],
    ['---\ntitle: "One\\n- Two (memory://two)"\n---\n', "One - Two (memory://two)"],
    ["", "a-note"],
  ])("finds in %j the title %j", async (text, title) => {
    expect((await read(text)).title).toBe(title);
  });

  it("accepts Windows line ends, a byte order mark, and tags in one text", async () => {
    const note = await read("\ufeff---\r\ntitle: T\r\ntags: '#a, b'\r\n---\r\n[[x]]\r\n");
    expect(note).toMatchObject({ title: "T", tags: ["a", "b"], body: "[[x]]\r\n", problems: [] });
  });

  it("reads the links, names and values in the frontmatter", async () => {
    const front = [
      'parent: "[[a|A]]"',
      "up: [[c]]",
      "related:",
      "  - '[[d]]'",
      "  - plain text",
      'cover: "[[front.jpg]]"',
      "rating: 7",
      "due: 2026-11-16",
      "done: true",
      "empty:",
      "aliases: [Other Name, Third]",
      "place: { city: Zürich, deeper: { still: unseen } }",
    ];
    const note = await read(`---\n${front.join("\n")}\n---\n[[b]] ![[view.base#x]] ![[picture.png|300]]`);
    expect(note.concepts).toEqual(["a|a", "c", "d", "b"]);
    expect(note.links.map(({ target }) => target)).toEqual([
      "a",
      "c",
      "d",
      "front.jpg",
      "b",
      "view.base",
      "picture.png",
    ]);
    expect(note.aliases).toEqual(["Other Name", "Third"]);
    expect(tellingProperties(note.properties).map(({ key, text }) => `${key}: ${text}`)).toEqual([
      "parent: [[a|A]]",
      "up: [[c]]",
      "related: [[d]]",
      "related: plain text",
      "cover: [[front.jpg]]",
      "rating: 7",
      "due: 2026-11-16",
      "place: Zürich",
    ]);
  });

  it("takes its tags from the frontmatter and the text, not from code, headings or numbers", async () => {
    const text =
      "---\ntags: [a]\n---\n# Title\n\nSee #b/c and (#d_e), #12, x#y, `#code` #größe.\n\n    #indented\n";
    expect((await read(text)).tags).toEqual(["a", "b/c", "d_e", "größe"]);
  });

  it("reads what it can of a frontmatter that is a template", async () => {
    const note = await read('---\ncategories:\n  - "[[Books]]"\ncreated: {{date}}\nyear: 1965\n---\n');
    expect(note.concepts).toEqual(["books"]);
    expect(note.frontmatter).toEqual({ categories: ["[[Books]]"], year: 1965 });
    expect(note.problems).toEqual([expect.stringMatching(/not YAML/)]);
  });

  it.each([
    ["10,000 properties", Array.from({ length: 10_000 }, (_, i) => `p${i}: "[[c${i}]]"`).join("\n")],
    ["a long list", `list:\n${'- "[[x]]"\n'.repeat(1500)}`],
    ["a long text", `text: "${"word ".repeat(3000)}"`],
    ["deep lists", `a: ${"[".repeat(8000)}${"]".repeat(8000)}`],
    ["deep records", `a: ${"{b: ".repeat(2000)}1${"}".repeat(2000)}`],
    [
      "repeated anchors",
      `a: &a [x, x]\n${"bcdefghi".replace(/./g, (k, i: number) => `${k}: &${k} [*${"abcdefgh"[i]}, *${"abcdefgh"[i]}]\n`)}`,
    ],
    ["broken parts", `a: [\n${"b: {{x}}\n".repeat(1500)}`],
  ])("is bounded for %s", async (_, front) => {
    const note = await read(`---\n${front}\n---\n[[x]]`);
    expect(note.properties.length).toBeLessThanOrEqual(300);
    for (const { text } of note.properties) expect(text.length).toBeLessThanOrEqual(504);
    expect(note.concepts).toContain("x");
    expect(note.body).toBe("[[x]]");
  });

  it.each([
    ["a frontmatter that is not YAML", "---\na: [b\n: :\n---\n[[x]]", /not YAML/, "[[x]]"],
    ["a frontmatter that is a list", "---\n- a\n---\n[[x]]", /holds no keys/, "[[x]]"],
    ["an endless frontmatter", `---\n${"a: b\n".repeat(9000)}---\n[[x]]`, /16384/, "[[x]]"],
    ["50 MB", Buffer.alloc(50 * 2 ** 20, "a"), /50 MB/, ""],
    ["a binary file", Buffer.from([0x89, 0x50, 0, 1, 2]), /not text/, ""],
    ["no UTF-8", Buffer.from([0x61, 0xff, 0x62]), /not UTF-8/, "a\ufffdb"],
    ["UTF-16", Buffer.from("\ufeff[[x]]", "utf16le"), /UTF-16/, "[[x]]"],
  ])("of %s reports the problem", async (_, content, problem, body) => {
    const note = await read(content);
    expect(note.problems).toEqual([expect.stringMatching(problem)]);
    expect(note.body).toBe(body);
  });

  it("treats a line of dashes without a closing line as text", async () => {
    expect(await read("---\n[[x]]")).toMatchObject({ body: "---\n[[x]]", problems: [] });
  });

  it("takes the time of a maenifold session from its file name, if nothing else has it", async () => {
    const root = memoryWith({ "thinking/session-1769674530123-12345.md": "[[x]]", "session-1.md": "[[x]]" });
    const created = async (name: string) => (await readNote(root, join(root.path, name)))?.created;
    expect(await created("thinking/session-1769674530123-12345.md")).toBe(1769674530123);
    expect(await created("session-1.md")).toBeUndefined();
  });

  it("never fails, whatever a file contains", async () => {
    const root = memoryWith({ "x.md": "" });
    const path = join(root.path, "x.md");
    const { writeFileSync } = await import("node:fs");
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array(),
          fc.string({ unit: "binary" }).map((yaml) => `---\n${yaml}\n---\n[[x]]`),
        ),
        async (content) => {
          writeFileSync(path, content);
          expect(await readNote(root, path)).toBeDefined();
        },
      ),
    );
  });

  it("returns undefined for a deleted file, a folder, or a pipe", async () => {
    const root = memoryWith({ "folder.md/x": "" });
    execFileSync("mkfifo", [join(root.path, "pipe.md")]);
    for (const name of ["gone.md", "folder.md", "pipe.md"]) {
      expect(await readNote(root, join(root.path, name))).toBeUndefined();
    }
  });
});
