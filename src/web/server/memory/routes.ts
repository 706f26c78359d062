import * as v from "valibot";
import { noteFailure } from "../../../sources/memory/notes/failures.ts";
import { SCHEME } from "../../../sources/memory/notes/uri.ts";
import { readBody, readQuery, text, whole } from "../requests.ts";
import type { Area } from "../web.ts";
import { deleteNote, saveNote, writeNote } from "./changes.ts";
import { deletedNotes } from "./deleted.ts";
import { conceptAnswer, keptGraphs } from "./graph.ts";
import { facets, listNotes, searchNotes } from "./lists.ts";
import { noteAnswer } from "./note-answer.ts";
import { openNotes } from "./open-notes.ts";
import { stateOf } from "./place.ts";
import { keptTargets, titlesFor } from "./targets.ts";

const NAME = text(1000);

const FILTERS = {
  folder: v.optional(NAME),
  tag: v.optional(NAME),
  /** A name, or `.` for the project that `continuo web` was started in. */
  project: v.optional(NAME),
  since: v.optional(text(100)),
};

const LIST = v.strictObject({
  ...FILTERS,
  order: v.optional(v.picklist(["project", "recent", "use", "title"]), "project"),
  offset: v.optional(whole(0, 1_000_000), "0"),
  limit: v.optional(whole(1, 500), "100"),
});

const SEARCH = v.strictObject({
  ...FILTERS,
  q: text(1000),
  mode: v.optional(v.picklist(["Hybrid", "FullText", "Semantic"]), "Hybrid"),
  page: v.optional(whole(1, 1000), "1"),
  limit: v.optional(whole(1, 50), "20"),
});

const TITLES = v.strictObject({ q: v.optional(NAME, "") });

/** Characters: a note may have 4 MB. */
const CONTENT = text(4 * 1024 * 1024);

/** JSON writes a character with up to six bytes. */
const MAX_NOTE_BODY = 24 * 1024 * 1024;

const WRITE = v.strictObject({
  title: v.pipe(text(1000), v.trim(), v.nonEmpty("must not be empty")),
  content: CONTENT,
  folder: v.optional(NAME),
  tags: v.optional(v.pipe(v.array(NAME), v.maxLength(100))),
  /** `none`: for all projects. Without it: the project that `continuo web` was started in. */
  project: v.optional(NAME),
});

const EDIT = v.strictObject({
  text: CONTENT,
  /** Of the text that was read. */
  checksum: v.pipe(text(100), v.minLength(12, "must have at least 12 characters")),
});

const MOVE = v.strictObject({ to: v.pipe(NAME, v.nonEmpty("must not be empty")) });

const DELETE = v.strictObject({ checksum: v.optional(text(100)) });

const RESTORE = v.strictObject({ undo: text(100) });

const GRAPH = v.strictObject({
  project: v.optional(NAME),
  folder: v.optional(NAME),
  limit: v.optional(whole(1, 5000), "5000"),
  edges: v.optional(whole(1, 20_000), "20000"),
});

const CONTEXT = v.strictObject({
  concept: v.pipe(NAME, v.nonEmpty("must not be empty")),
  depth: v.optional(whole(0, 5), "2"),
});

/** Only addresses: finding a note by its title would look at every file. */
function noteAt(address: string): string {
  if (address.startsWith(SCHEME)) return address;
  throw noteFailure("note-path", "this is not the address of a note", "write memory://folder/name");
}

/** Notes and the graph of their concepts. Every change goes through the functions of the commands and tools. */
export const memory: Area = {
  name: "memory",
  routes(app, web) {
    const notes = openNotes(web);
    const targets = keptTargets();
    const graphs = keptGraphs();
    const deleted = deletedNotes();
    const changed = <T>(answer: T): T => {
      web.publish({ type: "notes" });
      return answer;
    };

    app.get("/api/notes", (c) => {
      const asked = readQuery(c, LIST);
      return notes.use(async (memory, isIndexing) =>
        c.json({
          state: stateOf(web, memory, isIndexing),
          ...(await listNotes(web, memory, asked)),
        }),
      );
    });
    app.get("/api/notes/search", (c) => {
      const asked = readQuery(c, SEARCH);
      return notes.use(async (memory) => c.json(await searchNotes(web, memory, asked)));
    });
    app.get("/api/notes/facets", (c) => notes.use((memory) => c.json(facets(memory))));
    app.get("/api/notes/titles", (c) => {
      const { q } = readQuery(c, TITLES);
      return notes.use(async (memory) => {
        const indexes = memory.indexes();
        return c.json({ titles: titlesFor(indexes, await targets.of(indexes), q) });
      });
    });
    app.post("/api/notes", async (c) => {
      const given = await readBody(c, WRITE, { maxBytes: MAX_NOTE_BODY });
      return notes.use(async (memory) => c.json(changed(await writeNote(web, memory, given)), 201));
    });
    app.post("/api/notes/restore", async (c) => {
      const { undo } = await readBody(c, RESTORE);
      return notes.use(async (memory) => {
        const { uri } = await memory.restore(deleted.find(undo));
        deleted.forget(undo);
        return c.json(changed({ uri }));
      });
    });
    app.get("/api/notes/:uri", (c) =>
      notes.use(async (memory) => c.json(await noteAnswer(web, memory, targets, noteAt(c.req.param("uri"))))),
    );
    app.put("/api/notes/:uri", async (c) => {
      const given = await readBody(c, EDIT, { maxBytes: MAX_NOTE_BODY });
      return notes.use(async (memory) => {
        const saved = await saveNote(memory, noteAt(c.req.param("uri")), given);
        return "error" in saved ? c.json(saved, 409) : c.json(changed(saved));
      });
    });
    app.post("/api/notes/:uri/move", async (c) => {
      const { to } = await readBody(c, MOVE);
      return notes.use(async (memory) => {
        const { uri } = await memory.move(noteAt(c.req.param("uri")), to);
        return c.json(changed({ uri }));
      });
    });
    app.delete("/api/notes/:uri", (c) => {
      const { checksum } = readQuery(c, DELETE);
      return notes.use(async (memory) =>
        c.json(changed(await deleteNote(memory, deleted, noteAt(c.req.param("uri")), checksum))),
      );
    });
    app.get("/api/graph", (c) => {
      const asked = readQuery(c, GRAPH);
      return notes.use(async (memory, isIndexing) =>
        c.json({
          ...(await graphs.graph(web, memory, asked)),
          state: stateOf(web, memory, isIndexing),
        }),
      );
    });
    app.get("/api/graph/context", (c) => {
      const asked = readQuery(c, CONTEXT);
      return notes.use(async (memory) => c.json(await conceptAnswer(memory, targets, asked)));
    });
  },
};
