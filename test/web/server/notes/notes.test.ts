import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Failure } from "../../../../src/web/api/failure.ts";
import type {
  NoteAnswer,
  NoteChanged,
  NoteConflict,
  NoteFacets,
  NoteHits,
  NoteList,
  NoteTitles,
} from "../../../../src/web/api/notes.ts";
import { memory } from "../../../../src/web/server/notes/routes.ts";
import { json, type TestWeb, temporaryWeb } from "../../../support/web.ts";
import { write } from "../../../support/world.ts";

function notesWeb(notes: Record<string, string | Uint8Array> = {}, config?: object): TestWeb {
  const made = temporaryWeb({}, [memory]);
  write(join(made.home.root, "memory"), notes);
  if (config !== undefined) write(made.home.root, { "config.json": JSON.stringify(config) });
  return made;
}

const at = (uri: string, rest = ""): string => `/api/notes/${encodeURIComponent(uri)}${rest}`;

async function get<T>({ app }: TestWeb, path: string, status = 200): Promise<T> {
  const answer = await app.request(path);
  expect(answer.status, path).toBe(status);
  return (await answer.json()) as T;
}

async function send<T>({ app }: TestWeb, path: string, init: RequestInit, status = 200): Promise<T> {
  const answer = await app.request(path, init);
  const body = await answer.text();
  expect(answer.status, body).toBe(status);
  return JSON.parse(body) as T;
}

const file = ({ home }: TestWeb, name: string): string => join(home.root, "memory", name);

describe("the list of notes", () => {
  it("has the notes of this project first, then the newest, in pages", async () => {
    const web = notesWeb({
      "a.md": "---\nproject: elsewhere\n---\n# A\n",
      "b.md": "# B\n",
    });
    await send(web, "/api/notes", json("POST", { title: "Own", content: "of [[here]]" }), 201);
    const list = await get<NoteList>(web, "/api/notes");
    expect(list.total).toBe(3);
    expect(list.own).toBe(1);
    expect(list.state).toMatchObject({ isOn: true, project: "project" });
    expect(list.notes[0]).toMatchObject({ title: "Own", relation: "own", project: "project" });
    const second = await get<NoteList>(web, "/api/notes?offset=2&limit=1&order=title");
    expect(second.notes.map(({ title }) => title)).toEqual(["Own"]);
    const own = await get<NoteList>(web, "/api/notes?project=.");
    expect(own.notes.map(({ title }) => title)).toEqual(["Own"]);
  });

  it("is narrowed by folder and tag, and says what it can be narrowed by", async () => {
    const web = notesWeb({
      "tech/one.md": "---\ntags: [db]\n---\n# One\n",
      "tech/deep/two.md": "# Two\n",
      "three.md": "---\ntags: [db, ops]\nproject: shop\n---\n# Three\n",
    });
    expect((await get<NoteList>(web, "/api/notes?folder=tech")).total).toBe(2);
    expect((await get<NoteList>(web, "/api/notes?tag=ops")).notes.map(({ title }) => title)).toEqual([
      "Three",
    ]);
    const facets = await get<NoteFacets>(web, "/api/notes/facets");
    expect(facets.folders).toEqual([
      { name: "tech", notes: 1 },
      { name: "tech/deep", notes: 1 },
    ]);
    expect(facets.tags).toEqual([
      { name: "db", notes: 2 },
      { name: "ops", notes: 1 },
    ]);
    expect(facets.projects).toEqual([{ name: "shop", notes: 1 }]);
    expect(facets.roots).toMatchObject([{ isWritable: true, isMissing: false, notes: 3, kind: "continuo" }]);
  });

  it("has notes of all folders, and only of one when asked", async () => {
    const made = temporaryWeb({}, [memory]);
    const vault = join(made.root, "vault");
    write(vault, { "v.md": "# V\n" });
    write(made.home.root, {
      "memory/m.md": "# M\n",
      "config.json": JSON.stringify({ sources: { memory: { also: [vault] } } }),
    });
    const titles = async (query: string) =>
      (await get<NoteList>(made, `/api/notes?order=title${query}`)).notes.map(({ title }) => title);
    expect(await titles("")).toEqual(["M", "V"]);
    expect(await titles("&folder=@vault")).toEqual(["V"]);
    expect(await titles(`&folder=${encodeURIComponent("memory://")}`)).toEqual(["M"]);
    expect(await titles("&offset=1&limit=1")).toEqual(["V"]);
    const refused = await send<Failure>(made, at("memory://@vault/v"), { method: "DELETE" }, 403);
    expect(refused.error.code).toBe("note-read-only");
    expect((await get<NoteAnswer>(made, at("memory://@vault/v"))).isEditable).toBe(false);
  });

  it("is empty without a folder, and says that it is missing", async () => {
    const web = notesWeb({});
    expect(await get<NoteList>(web, "/api/notes")).toMatchObject({ notes: [], total: 0 });
    expect((await get<NoteFacets>(web, "/api/notes/facets")).roots).toMatchObject([{ notes: 0 }]);
  });

  it("says that notes are turned off, or that another program answers instead", async () => {
    const off = notesWeb({ "a.md": "# A\n" }, { sources: { memory: { enabled: false } } });
    expect((await get<NoteList>(off, "/api/notes")).state.isOn).toBe(false);
    const other = notesWeb({ "a.md": "# A\n" }, { sources: { memory: { command: "maenifold" } } });
    expect((await get<NoteList>(other, "/api/notes")).state.command).toBe("maenifold");
    expect((await get<NoteList>(other, "/api/notes")).total).toBe(1);
  });

  it("is ordered by use: a note that was read comes first", async () => {
    const web = notesWeb({ "a.md": "# A\n", "b.md": "# B\n" });
    const day = Math.floor(Date.now() / 86_400_000);
    write(web.home.state, { "memory-access.json": JSON.stringify({ "memory://a": day }) });
    const titles = (await get<NoteList>(web, "/api/notes?order=use")).notes.map(({ title }) => title);
    expect(titles).toEqual(["A", "B"]);
  });
});

describe("searching notes", () => {
  it("finds a note written a moment ago, with the words marked", async () => {
    const web = notesWeb({ "other.md": "# Other\nnothing of it\n" });
    await send(
      web,
      "/api/notes",
      json("POST", { title: "Why SQLite", content: "We chose it for full-text search." }),
      201,
    );
    const { hits, total } = await get<NoteHits>(web, "/api/notes/search?q=searching sqlite");
    expect(total).toBeGreaterThan(0);
    const [hit] = hits;
    expect(hit).toMatchObject({ title: "Why SQLite", relation: "own" });
    const marked = (text = "", marks: NoteHits["hits"][number]["marks"] = []) =>
      marks.map(([from, to]) => text.slice(from, to));
    expect(marked(hit?.title, hit?.titleMarks)).toEqual(["SQLite"]);
    expect(marked(hit?.passage, hit?.marks)).toContain("search");
  });

  it("refuses an unknown field and a wrong value", async () => {
    const web = notesWeb({});
    expect((await get<Failure>(web, "/api/notes/search?q=a&qq=b", 400)).error.code).toBe("invalid-request");
    expect((await get<Failure>(web, "/api/notes?limit=0", 400)).error.code).toBe("invalid-request");
    expect((await get<Failure>(web, "/api/notes?since=x", 400)).error.code).toBe("invalid-request");
  });

  it("does not show secrets in passages", async () => {
    const web = notesWeb({
      "a.md": "# Deploy\nThe deploy key is ghp_abcdefghijklmnopqrstuvwxyz0123456789 today.\n",
    });
    const { hits } = await get<NoteHits>(web, "/api/notes/search?q=deploy key");
    expect(hits[0]?.passage).toContain("deploy key");
    expect(hits[0]?.passage).not.toContain("ghp_abcdefghij");
  });
});

describe("one note", () => {
  it("has its text, properties, links, backlinks and concepts", async () => {
    const web = notesWeb({
      "tech/why-sqlite.md":
        "---\ntitle: Why SQLite\nauthor: Ada\naliases: [sqlite choice]\n---\nSee [[Search]], [[missing one]] and [[tech/other|that]].\n",
      "tech/other.md": "# Other\n[[Why SQLite#History]] [[x]]\n",
      "search.md": "# Search\n[[sqlite choice]]\n",
      "alone.md": "# Alone\n",
    });
    const note = await get<NoteAnswer>(web, at("memory://tech/why-sqlite"));
    expect(note).toMatchObject({
      title: "Why SQLite",
      isEditable: true,
      properties: [{ key: "author", texts: ["Ada"] }],
      aliases: ["sqlite choice"],
      problems: [],
    });
    expect(note.text.slice(note.bodyAt)).toBe("See [[Search]], [[missing one]] and [[tech/other|that]].\n");
    expect(note.links).toEqual([
      { target: "Search", uri: "memory://search" },
      { target: "missing one" },
      { target: "tech/other", uri: "memory://tech/other" },
    ]);
    expect(note.backlinks.map(({ title }) => title).sort()).toEqual(["Other", "Search"]);
    expect(note.concepts.map(({ name }) => name)).toContain("missing-one");
  });

  it("says which sessions it was given to", async () => {
    const web = notesWeb({ "a.md": "# A\n" });
    const line = {
      v: 1,
      at: "2026-11-16T10:00:00.000Z",
      host: "claude-code",
      session: "s1",
      project: "p",
      epoch: 1,
      kind: "delivered",
      what: "snapshot",
      tokens: 5,
      fingerprint: "f",
      items: [{ source: "memory", key: "memory://a", title: "a", reason: "start", tokens: 5 }],
      dropped: [],
    };
    write(web.home.ledger, { "ledger-000001.jsonl": `${JSON.stringify(line)}\n{"broken` });
    expect((await get<NoteAnswer>(web, at("memory://a"))).givenTo).toEqual([
      { host: "claude-code", session: "s1", at: "2026-11-16T10:00:00.000Z", what: "snapshot" },
    ]);
  });

  it("is refused outside the folder, and unknown when it does not exist", async () => {
    const web = notesWeb({ "a.md": "# A\n" });
    for (const uri of [
      "memory://../../etc/passwd",
      "memory://..%2f..%2fx",
      "memory:///etc/passwd",
      "a",
      "file:///a",
    ])
      expect((await get<Failure>(web, at(uri), 400)).error.code, uri).toBe("note-path");
    expect((await get<Failure>(web, at("memory://b"), 404)).error.code).toBe("note-not-found");
    expect((await get<Failure>(web, at("memory://@vault/b"), 404)).error.code).toBe("note-not-found");
  });

  it("may have any name that a file can have", async () => {
    const names = [
      'say "hi"',
      "new\nline",
      "100% sure",
      "a&b=c?d#e",
      "日本語 ノート",
      "search",
      "<img src=x>",
    ];
    const web = notesWeb(Object.fromEntries(names.map((name) => [`${name}.md`, `# ${name}\n`])));
    for (const name of names) {
      const note = await get<NoteAnswer>(web, at(`memory://${name}`));
      expect(note.uri).toBe(`memory://${name}`);
    }
    expect((await get<NoteList>(web, "/api/notes")).total).toBe(names.length);
  });

  it("is shown with a problem when it is too large or not text, and cannot be edited then", async () => {
    const web = notesWeb({ "big.md": "x".repeat(5 * 1024 * 1024), "binary.md": new Uint8Array([1, 0, 2]) });
    for (const name of ["big", "binary"]) {
      const note = await get<NoteAnswer>(web, at(`memory://${name}`));
      expect(note).toMatchObject({ text: "", isEditable: false });
      expect(note.problems).toHaveLength(1);
      const put = json("PUT", { text: "x", checksum: note.checksum });
      expect((await send<Failure>(web, at(`memory://${name}`), put, 400)).error.code).toBe("note-unreadable");
    }
  });

  it("bounds what strangers put into frontmatter and links", async () => {
    const cyclic = "---\na: &a [*a]\nb: &b {c: *b}\n---\n# Cyclic\n";
    const huge = `---\n${Array.from({ length: 5000 }, (_, i) => `k${i}: v`).join("\n")}\n---\n# Huge\n`;
    const links = `# Links\n${Array.from({ length: 100_000 }, (_, i) => `[[l${i}]]`).join(" ")}\n`;
    const web = notesWeb({ "cyclic.md": cyclic, "huge.md": huge, "links.md": links });
    expect((await get<NoteAnswer>(web, at("memory://cyclic"))).title).toBe("Cyclic");
    expect((await get<NoteAnswer>(web, at("memory://huge"))).properties.length).toBeLessThanOrEqual(300);
    const note = await get<NoteAnswer>(web, at("memory://links"));
    expect(note.links).toHaveLength(1000);
    expect(note.concepts).toHaveLength(200);
  });
});

describe("changing a note", () => {
  it("saves a text that was read, sets its time, and keeps its line ends", async () => {
    const web = notesWeb({ "a.md": "---\r\ntitle: A\r\nmodified: 2020-01-01\r\n---\r\n# A\r\n" });
    const note = await get<NoteAnswer>(web, at("memory://a"));
    const seen: string[] = [];
    web.web.subscribe(({ type }) => seen.push(type));
    const put = json("PUT", { text: note.text.replace("# A", "# A changed"), checksum: note.checksum });
    const saved = await send<NoteChanged>(web, at("memory://a"), put);
    const now = readFileSync(file(web, "a.md"), "utf8");
    expect(now).toMatch(/^---\r\ntitle: A\r\nmodified: 20\d\d-\d\d-\d\dT[^\n]+\r\n---\r\n# A changed\r\n$/);
    expect(saved.text).toBe(now);
    expect(seen).toContain("notes");
    const again = json("PUT", { text: `${now}more\n`, checksum: saved.checksum });
    await send(web, at("memory://a"), again);
  });

  it("refuses a text that was read before another change, and shows that change", async () => {
    const web = notesWeb({ "a.md": "# A\n" });
    const { checksum } = await get<NoteAnswer>(web, at("memory://a"));
    writeFileSync(file(web, "a.md"), "# A of another\n");
    const put = json("PUT", { text: "# A of mine\n", checksum });
    const conflict = await send<NoteConflict>(web, at("memory://a"), put, 409);
    expect(conflict.error.code).toBe("note-changed");
    expect(conflict.current.text).toBe("# A of another\n");
    expect(readFileSync(file(web, "a.md"), "utf8")).toBe("# A of another\n");
    const chosen = json("PUT", { text: "# A of mine\n", checksum: conflict.current.checksum });
    await send(web, at("memory://a"), chosen);
    expect(readFileSync(file(web, "a.md"), "utf8")).toBe("# A of mine\n");
  });

  it("does not write a note that was deleted meanwhile", async () => {
    const web = notesWeb({ "a.md": "# A\n" });
    const { checksum } = await get<NoteAnswer>(web, at("memory://a"));
    await send(web, at("memory://a"), { method: "DELETE" });
    const put = json("PUT", { text: "# mine\n", checksum });
    expect((await send<Failure>(web, at("memory://a"), put, 404)).error.code).toBe("note-not-found");
  });

  it("never replaces a note with a new one, and writes only inside the folder", async () => {
    const web = notesWeb({ "a.md": "# A\n" });
    const post = json("POST", { title: "a", content: "x" });
    expect((await send<Failure>(web, "/api/notes", post, 409)).error.code).toBe("note-exists");
    const outside = json("POST", { title: "b", content: "x", folder: "../../out" });
    expect((await send<Failure>(web, "/api/notes", outside, 400)).error.code).toBe("note-path");
    const moved = json("POST", { to: "../../b" });
    expect((await send<Failure>(web, at("memory://a", "/move"), moved, 400)).error.code).toBe("note-path");
    const none = json("POST", { title: "", content: "x" });
    expect((await send<Failure>(web, "/api/notes", none, 400)).error.code).toBe("invalid-request");
  });

  it("moves a note, deletes it, and restores it byte for byte", async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x23, 0x20, 0x41, 0x0d, 0x0a]);
    const web = notesWeb({ "a.md": bytes });
    const moved = await send<NoteChanged>(web, at("memory://a", "/move"), json("POST", { to: "archive/" }));
    expect(moved.uri).toBe("memory://archive/a");
    const deleted = await send<{ readonly uri: string; readonly undo: string }>(
      web,
      at("memory://archive/a"),
      { method: "DELETE" },
    );
    expect((await get<NoteList>(web, "/api/notes")).total).toBe(0);
    await send(web, "/api/notes/restore", json("POST", { undo: deleted.undo }));
    expect(readFileSync(file(web, "archive/a.md"))).toEqual(bytes);
    expect((await get<NoteList>(web, "/api/notes")).total).toBe(1);
    const again = json("POST", { undo: deleted.undo });
    expect((await send<Failure>(web, "/api/notes/restore", again, 404)).error.code).toBe("note-not-found");
  });

  it("restores only a note, and only by its id", async () => {
    const web = notesWeb({ "a.md": "# A\n" });
    await send(web, at("memory://a"), { method: "DELETE" });
    const byName = json("POST", { undo: "A" });
    expect((await send<Failure>(web, "/api/notes/restore", byName, 404)).error.code).toBe("note-not-found");
  });

  it("does not delete a note that changed since it was read", async () => {
    const web = notesWeb({ "a.md": "# A\n" });
    const { checksum } = await get<NoteAnswer>(web, at("memory://a"));
    writeFileSync(file(web, "a.md"), "# A of another\n");
    const path = `${at("memory://a")}?checksum=${encodeURIComponent(checksum)}`;
    expect((await send<Failure>(web, path, { method: "DELETE" }, 409)).error.code).toBe("note-changed");
  });

  it("finds notes that another process wrote since the last request", async () => {
    const web = notesWeb({ "a.md": "# A\n" });
    await get(web, "/api/notes");
    mkdirSync(file(web, "new"), { recursive: true });
    writeFileSync(file(web, "new/b.md"), "# Brand new\n");
    expect((await get<NoteList>(web, "/api/notes")).total).toBe(2);
  });
});

describe("titles for completing a link", () => {
  it("are those that begin with the typed text, then those that contain it, then concepts", async () => {
    const web = notesWeb({ "a.md": "# Search design\n[[search engine]]\n", "b.md": "# Full-text search\n" });
    const { titles } = await get<NoteTitles>(web, "/api/notes/titles?q=sear");
    expect(titles.map(({ title }) => title)).toEqual(["Search design", "Full-text search", "search-engine"]);
  });
});
