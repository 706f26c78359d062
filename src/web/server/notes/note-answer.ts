import { cutFrontmatter } from "../../../markdown/frontmatter.ts";
import { noteFailure } from "../../../sources/notes/files/failures.ts";
import { type Note, parseNote, readNoteText } from "../../../sources/notes/files/note.ts";
import { tellingProperties } from "../../../sources/notes/files/properties.ts";
import type { Memory } from "../../../sources/notes/memory.ts";
import { backlinksOf, type LinkTargets } from "../../../sources/notes/note-index/link-targets.ts";
import { seenFromPlace } from "../../../sources/notes/note-project.ts";
import type { Facet } from "../../../sources/notes/search/browse.ts";
import { type Relation, relationsOf } from "../../../sources/notes/search/project-notes.ts";
import type { NoteAnswer, NoteLinkAnswer } from "../../api/notes.ts";
import type { Web } from "../web.ts";
import { givenTo } from "./given-to.ts";
import type { Targets } from "./targets.ts";

/** More links are not resolved: the page shows them as text. */
const MOST_LINKS = 1000;
const MOST_CONCEPTS = 200;
const MOST_BACKLINKS = 100;

export async function noteAnswer(
  web: Web,
  memory: Memory,
  targets: Targets,
  uri: string,
): Promise<NoteAnswer> {
  const { root, path, uri: address } = memory.locate(uri);
  const file = readNoteText(path);
  if (file === undefined)
    throw noteFailure("note-not-found", `${address} is gone`, "it was moved or deleted; search for it");
  const note = await parseNote(file, { uri: address, path });
  const cut = cutFrontmatter(file.text);
  const { name, kind, isWritable } = root;
  const { project, relation } = projectOf(web, memory, note);
  const indexes = memory.indexes();
  return {
    uri: address,
    path,
    root: { name, kind, isWritable },
    title: note.title,
    text: file.text,
    bodyAt: typeof cut === "string" ? 0 : cut.body,
    checksum: note.checksum,
    size: note.size,
    created: note.created,
    modified: note.modified,
    properties: grouped(note),
    tags: note.tags.slice(0, MOST_CONCEPTS),
    aliases: note.aliases.slice(0, MOST_CONCEPTS),
    project,
    relation,
    concepts: conceptsWithCounts(memory, note.concepts.slice(0, MOST_CONCEPTS)),
    links: resolved(note, (await targets.of(indexes)).resolve),
    backlinks: backlinksOf(indexes, note, MOST_BACKLINKS),
    givenTo: givenTo(web.home, address),
    problems: note.problems,
    isEditable: isWritable && file.problem === undefined,
  };
}

function resolved(note: Note, resolve: LinkTargets["resolve"]): NoteLinkAnswer[] {
  const found = new Map<string, NoteLinkAnswer>();
  for (const { target } of note.links) {
    if (found.size === MOST_LINKS) break;
    if (target === "" || found.has(target)) continue;
    const uri = resolve(target, note.uri)?.uri;
    found.set(target, { target, uri });
  }
  return [...found.values()];
}

function grouped({ properties }: Note): NoteAnswer["properties"] {
  const byKey = Map.groupBy(tellingProperties(properties), ({ key }) => key);
  return [...byKey].map(([key, values]) => ({ key, texts: values.map(({ text }) => text) }));
}

/** For each concept, how many notes name it, including this one. */
function conceptsWithCounts(memory: Memory, names: readonly string[]): Facet[] {
  const counts = new Map<string, number>();
  for (const { db } of memory.indexes()) {
    const rows = db.all<Facet>(
      "SELECT name, notes FROM concept WHERE name IN (SELECT value FROM json_each(?))",
      [JSON.stringify(names)],
    );
    for (const { name, notes } of rows) counts.set(name, (counts.get(name) ?? 0) + notes);
  }
  return names.map((name) => ({ name, notes: counts.get(name) ?? 1 }));
}

function projectOf(web: Web, memory: Memory, { uri }: Note): { project?: string; relation?: Relation } {
  const seen = seenFromPlace(web);
  for (const { db, files } of memory.indexes()) {
    const row = db.get<{ id: number; project: string | null }>("SELECT id, project FROM note WHERE uri = ?", [
      uri,
    ]);
    if (row === undefined) continue;
    const relation = seen && relationsOf(db, seen, files.root, [row.id]).get(row.id);
    return { ...(row.project === null ? {} : { project: row.project }), ...(relation && { relation }) };
  }
  return {};
}
