import * as v from "valibot";
import { A_TIME, timeOf } from "../../../search/timespan.ts";
import { noteFailure } from "../../../sources/notes/files/failures.ts";
import { SCHEME } from "../../../sources/notes/files/uri.ts";
import type { Memory } from "../../../sources/notes/memory.ts";
import { seenFromPlace } from "../../../sources/notes/note-project.ts";
import { memorySettings } from "../../../sources/notes/settings.ts";
import { readTrash } from "../../../store/trash.ts";
import type { MemoryState } from "../../api/notes.ts";
import { actNamed } from "../actions.ts";
import { readBody, readObject, readQuery, text, whole } from "../requests.ts";
import type { Area, Web } from "../web.ts";
import { conceptAnswer, keptGraphs } from "./graph.ts";
import { facets, listNotes, searchNotes } from "./lists.ts";
import { noteAnswer } from "./note-answer.ts";
import { openNotes } from "./open-notes.ts";
import { saveNote } from "./save-note.ts";
import { keptTargets, titlesFor } from "./targets.ts";

const NAME = text(1000);

const FILTERS = {
  folder: v.optional(NAME),
  tag: v.optional(NAME),
  /** A name, or `.` for the project in which `continuo web` was started. */
  project: v.optional(NAME),
  since: v.optional(
    v.pipe(
      text(100),
      v.check((given) => given === "" || timeOf(given, 0) !== undefined, `must be ${A_TIME}`),
    ),
  ),
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

/** In characters: a note may have 4 MB. */
const CONTENT = text(4 * 1024 * 1024);

/** JSON may need six bytes for a character. */
const MAX_NOTE_BODY = 24 * 1024 * 1024;

const EDIT = v.strictObject({
  text: CONTENT,
  /** Of the text as it was read. */
  checksum: v.pipe(text(100), v.minLength(12, "must have at least 12 characters")),
});

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

/** Only addresses are accepted: finding a note by its title would read every file. */
function noteAt(address: string): string {
  if (address.startsWith(SCHEME)) return address;
  throw noteFailure("note-path", "this is not the address of a note", "write memory://folder/name");
}

/** Notes and the graph of their concepts. Every change uses the same functions as the commands and tools. */
export const memory: Area = {
  name: "memory",
  routes(app, web) {
    const notes = openNotes(web);
    const targets = keptTargets();
    const graphs = keptGraphs();

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
      const { tags: tag, folder, ...given } = await readObject(c, { maxBytes: MAX_NOTE_BODY });
      const { uri, checksum } = await actNamed(web, "write", {
        ...given,
        tag,
        folder: folder === "" ? undefined : folder,
      });
      return c.json({ uri, checksum }, 201);
    });
    app.post("/api/notes/restore", async (c) => {
      const { undo } = await readBody(c, RESTORE);
      // Only a note, and only by its id: nothing else in the trash.
      if (!readTrash(web.home).some(({ id, kind }) => id === undo && kind === "note"))
        throw noteFailure(
          "note-not-found",
          "this note is not in the trash",
          "it was restored, or the trash emptied",
        );
      const { uri } = await actNamed(web, "restore", { name: undo });
      return c.json({ uri });
    });
    app.get("/api/notes/:uri", (c) =>
      notes.use(async (memory) => c.json(await noteAnswer(web, memory, targets, noteAt(c.req.param("uri"))))),
    );
    app.put("/api/notes/:uri", async (c) => {
      const given = await readBody(c, EDIT, { maxBytes: MAX_NOTE_BODY });
      return notes.use(async (memory) => {
        const saved = await saveNote(memory, noteAt(c.req.param("uri")), given);
        if ("error" in saved) return c.json(saved, 409);
        web.publish({ type: "notes" });
        return c.json(saved);
      });
    });
    app.post("/api/notes/:uri/move", async (c) => {
      const given = await readObject(c);
      const { uri } = await actNamed(web, "move", { ...given, note: noteAt(c.req.param("uri")) });
      return c.json({ uri });
    });
    app.delete("/api/notes/:uri", async (c) => {
      const note = noteAt(c.req.param("uri"));
      const { uri, id } = await actNamed(web, "delete", { ...c.req.query(), note });
      return c.json({ uri, undo: id });
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

function stateOf(web: Web, memory: Memory, isIndexing: boolean): MemoryState {
  const { enabled, command } = memorySettings(web.home, web.env);
  const project = seenFromPlace(web)?.name;
  return {
    isOn: enabled,
    ...(command === "" ? {} : { command }),
    isIndexing,
    project,
    problems: memory.problems.map(({ message, hint }) => `${message} (${hint})`),
  };
}
