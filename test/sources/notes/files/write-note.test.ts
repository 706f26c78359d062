import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editNote } from "../../../../src/sources/notes/files/edit-note.ts";
import { contractCode } from "../../../../src/sources/notes/files/failures.ts";
import { listNotes } from "../../../../src/sources/notes/files/list-notes.ts";
import { deleteNote, moveNote } from "../../../../src/sources/notes/files/move-delete.ts";
import { readNote } from "../../../../src/sources/notes/files/note.ts";
import { type NewNote, writeNote } from "../../../../src/sources/notes/files/write-note.ts";
import { childScript, runScript } from "../../../support/child.ts";
import { temporaryFolder } from "../../../support/world.ts";
import { contextFor, located, memoryWith, NOW, NOW_TEXT, textOf } from "./memory.ts";

const codeOf = (work: Promise<unknown>) => work.then(() => undefined, contractCode);

describe("writing a note", () => {
  it("adds maenifold's frontmatter and the title as a heading", async () => {
    const root = memoryWith();
    const written = await writeNote(contextFor(root), root, {
      title: "Hello: World",
      content: "About [[Things]].",
      folder: "tech/deep",
      tags: ["one", "no"],
    });
    expect(written).toMatchObject({
      uri: "memory://tech/deep/hello-world",
      title: "Hello: World",
      folder: "tech/deep",
    });
    expect(textOf(root, "tech/deep/hello-world.md")).toBe(
      `---\ntitle: "Hello: World"\npermalink: hello-world\ntype: memory\nstatus: saved\ncreated: ${NOW_TEXT}\n` +
        `modified: ${NOW_TEXT}\ntags:\n- one\n- "no"\n---\n# Hello: World\n\nAbout [[Things]].\n`,
    );
    const read = await readNote(root, written.path);
    expect(read).toMatchObject({ title: "Hello: World", tags: ["one", "no"], created: NOW, problems: [] });
    expect(read?.checksum).toBe(written.checksum);
    expect(readdirSync(join(root.path, "tech/deep"))).toEqual(["hello-world.md"]);
  });

  it("adds no heading to a text that has one", async () => {
    const root = memoryWith();
    await writeNote(contextFor(root), root, { title: "T", content: "\n# Own\n[[x]]\n" });
    expect(textOf(root, "t.md")).toMatch(/---\n\n# Own\n\[\[x\]\]\n$/);
  });

  it.each(["t", "T", " t ", "T!"])("never replaces an existing note: title %j", async (title) => {
    const root = memoryWith({ "T.md": "mine" });
    expect(await codeOf(writeNote(contextFor(root), root, { title, content: "[[x]]" }))).toBe(
      "VALIDATION_ERROR",
    );
    expect(textOf(root, "T.md")).toBe("mine");
    expect(readdirSync(root.path)).toEqual(["T.md"]);
  });

  it.each([
    ["../../evil", "evil"],
    ["..\\x/y", "x/y"],
    [".env and CI/CD", ".env and CI/CD"],
    ["why ../shared is ignored", "why ../shared is ignored"],
  ])("lists %j under a title that is no path: %j", async (given, title) => {
    const root = memoryWith();
    const written = await writeNote(contextFor(root), root, { title: given, content: "[[x]]" });
    expect(written.title).toBe(title);
    expect((await readNote(root, written.path))?.title).toBe(title);
  });

  it("gives titles that are not ASCII distinct names", async () => {
    const root = memoryWith();
    for (const title of ["日本語", "日本", "Ω", "🎉", "🎈", "Привет"]) {
      await writeNote(contextFor(root), root, { title, content: "[[x]]" });
    }
    expect(readdirSync(root.path)).toHaveLength(6);
  });

  it("writes into the existing folder, whatever the case of the given name", async () => {
    const root = memoryWith({ "Tech/a.md": "x" });
    const { uri } = await writeNote(contextFor(root), root, { title: "B", content: "[[x]]", folder: "tech" });
    expect(uri).toBe("memory://Tech/b");
  });

  it.each<[string, Partial<NewNote>, string]>([
    [
      "without a link in maenifold's contract",
      { content: "plain", isLinkRequired: true },
      "WIKILINK_REQUIRED",
    ],
    ["with a link in code only", { content: "`[[x]]`", isLinkRequired: true }, "WIKILINK_REQUIRED"],
    ["with a banned link", { content: "[[Tool]] [[x]]" }, "FILTERED_WIKILINKS"],
    ["without a title", { title: " \n " }, "INVALID_ARGUMENT"],
    ["into a folder above", { folder: "../up" }, "PATH_VALIDATION_ERROR"],
    ["into an absolute folder", { folder: "/tmp" }, "PATH_VALIDATION_ERROR"],
    ["into a hidden folder", { folder: ".obsidian" }, "PATH_VALIDATION_ERROR"],
    ["into a folder that Windows cannot have", { folder: "a:b" }, "PATH_VALIDATION_ERROR"],
    ["into a linked folder", { folder: "out" }, "PATH_VALIDATION_ERROR"],
    ["into a folder of a very long name", { folder: "x".repeat(300) }, "PATH_TOO_LONG"],
    ["into a very deep folder", { folder: "folder/".repeat(200) }, "PATH_TOO_LONG"],
  ])("%s is refused", async (_, given, code) => {
    const root = memoryWith({ ".wikilink-filter.json": '{"TOOL":"says nothing"}' });
    symlinkSync(temporaryFolder(), join(root.path, "out"));
    const work = writeNote(contextFor(root), root, { title: "T", content: "[[x]]", ...given });
    expect(await codeOf(work)).toBe(code);
    expect(readdirSync(root.path).sort()).toEqual([".wikilink-filter.json", "out"]);
  });

  it("into another program's folder is refused", async () => {
    const root = { ...memoryWith({ "a.md": "[[x]]" }, "vault"), isWritable: false };
    expect(await codeOf(writeNote(contextFor(root), root, { title: "T", content: "[[x]]" }))).toBe(
      "PATH_VALIDATION_ERROR",
    );
    expect(await codeOf(deleteNote(contextFor(root), located(root, "@vault/a"), true))).toBe(
      "PATH_VALIDATION_ERROR",
    );
    expect(readdirSync(root.path)).toEqual(["a.md"]);
  });

  it("needs no link, and says whether there is one", async () => {
    const root = memoryWith();
    const isLinked = async (content: string) =>
      (await writeNote(contextFor(root), root, { title: content.slice(0, 7), content })).isLinked;
    expect(await isLinked("plain text")).toBe(false);
    expect(await isLinked("in code `[[x]]`")).toBe(false);
    expect(await isLinked("with a [[link]]")).toBe(true);
    expect(readdirSync(root.path)).toHaveLength(3);
  });

  it("in maenifold's contract, replaces a word by one without a link, but not the note's last link", async () => {
    const root = memoryWith({ "a.md": "[[x]] is teh best" });
    const replace = (findText: string, content: string) =>
      editNote(
        contextFor(root),
        located(root, "a"),
        { operation: "find_replace", findText, content },
        { isLinkRequired: true },
      );
    await replace("teh", "the");
    expect(textOf(root, "a.md")).toBe("[[x]] is the best");
    expect(await codeOf(replace("[[x]]", "it"))).toBe("WIKILINK_REQUIRED");
  });

  it("is refused when the note would be too long to be read", async () => {
    const root = memoryWith({ "a.md": "[[x]]" });
    const content = `[[x]] ${"word ".repeat(900_000)}`;
    expect(await codeOf(writeNote(contextFor(root), root, { title: "T", content }))).toBe("INVALID_ARGUMENT");
    const edit = editNote(contextFor(root), located(root, "a"), { operation: "append", content });
    expect(await codeOf(edit)).toBe("INVALID_ARGUMENT");
    expect(readdirSync(root.path)).toEqual(["a.md"]);
  });

  it("removes secrets from what a model wrote, and keeps a person's text unchanged", async () => {
    const root = memoryWith();
    const secret = `sk-ant-${"a".repeat(20)}`;
    await writeNote(contextFor(root), root, { title: "model", content: `[[key]] ${secret}`, redacted: true });
    await writeNote(contextFor(root), root, { title: "human", content: `[[key]] ${secret}` });
    expect(textOf(root, "model.md")).not.toContain(secret);
    expect(textOf(root, "human.md")).toContain(secret);
  });

  it("by several processes at once creates one note and loses none", async () => {
    const root = memoryWith();
    const script = await childScript(
      temporaryFolder(),
      `import { writeNote } from "./src/sources/notes/files/write-note.ts";
       import { editNote } from "./src/sources/notes/files/edit-note.ts";
       import { identify } from "./src/sources/notes/files/identify.ts";
       const root = JSON.parse(process.argv[2]), me = process.argv[3];
       const context = { locks: root.path + "/../locks", now: Date.now };
       let won = "lost";
       try { await writeNote(context, root, { title: "One", content: "[[first " + me + "]]" }); won = "won"; } catch (e) { if (e.code !== "note-exists") throw e; }
       for (let i = 0; i < 5; i++) await editNote(context, identify("memory://one", [root]), { operation: "append", content: "[[" + me + "-" + i + "]]" });
       console.log(won);`,
    );
    const done = await Promise.all(
      ["a", "b", "c"].map((me) => runScript(script, [JSON.stringify(root), me])),
    );
    expect(done.map((one) => one.stderr)).toEqual(["", "", ""]);
    expect(done.filter((one) => one.stdout.trim() === "won")).toHaveLength(1);
    const note = await readNote(root, join(root.path, "one.md"));
    expect(note?.concepts).toHaveLength(1 + 15);
    expect(readdirSync(root.path)).toEqual(["one.md"]);
  });
});

describe("moving a note", () => {
  it("keeps every byte and leaves nothing behind", async () => {
    const root = memoryWith({ "a.md": "\ufeff[[x]]\r\n" });
    const moved = await moveNote(contextFor(root), located(root, "a"), "deep/er/New Name.md");
    expect(moved).toMatchObject({ uri: "memory://deep/er/new-name", from: "memory://a" });
    expect(textOf(root, "deep/er/new-name.md")).toBe("\ufeff[[x]]\r\n");
    expect(existsSync(join(root.path, "a.md"))).toBe(false);
    expect((await moveNote(contextFor(root), located(root, "deep/er/new-name"), "memory://top/")).uri).toBe(
      "memory://top/new-name",
    );
  });

  it.each([
    ["b", "VALIDATION_ERROR"],
    ["B", "VALIDATION_ERROR"],
    ["a", "VALIDATION_ERROR"],
    ["../c", "PATH_VALIDATION_ERROR"],
    ["", "PATH_VALIDATION_ERROR"],
  ])("to %j is refused", async (destination, code) => {
    const root = memoryWith({ "a.md": "1", "b.md": "2" });
    expect(await codeOf(moveNote(contextFor(root), located(root, "a"), destination))).toBe(code);
    expect([textOf(root, "a.md"), textOf(root, "b.md")]).toEqual(["1", "2"]);
  });

  it("onto itself does not suggest deleting it", async () => {
    const root = memoryWith({ "A.md": "1" });
    await expect(moveNote(contextFor(root), located(root, "A"), "a")).rejects.toMatchObject({
      hint: expect.not.stringContaining("delete"),
    });
  });
});

describe("deleting a note", () => {
  it("needs to be confirmed", async () => {
    const root = memoryWith({ "a.md": "1" });
    expect(await codeOf(deleteNote(contextFor(root), located(root, "a"), false))).toBe(
      "CONFIRMATION_REQUIRED",
    );
    await deleteNote(contextFor(root), located(root, "a"), true);
    expect(readdirSync(root.path)).toEqual([]);
  });
});

describe("a listing", () => {
  it("has the notes of a folder, and its subfolders with their counts", () => {
    const root = memoryWith({ "a.md": "1", "x/b.md": "", "x/y/c.md": "", "z/d.txt": "", ".git/e.md": "" });
    const { folders, notes } = listNotes(root);
    expect(folders).toEqual([
      { name: "x", notes: 2 },
      { name: "z", notes: 0 },
    ]);
    expect(notes.map((note) => note.uri)).toEqual(["memory://a"]);
    expect(listNotes(root, "x").notes.map((note) => note.uri)).toEqual(["memory://x/b"]);
    expect(() => listNotes(root, "none")).toThrow(expect.objectContaining({ code: "note-not-found" }));
    expect(() => listNotes(root, "../..")).toThrow(expect.objectContaining({ code: "note-path" }));
  });

  it("of a memory folder that does not exist yet is empty", () => {
    const root = memoryWith();
    expect(listNotes({ ...root, path: join(root.path, "none") })).toEqual({ folders: [], notes: [] });
  });
});
