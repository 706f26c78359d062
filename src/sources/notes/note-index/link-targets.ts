import { slugify } from "../../../base/slug.ts";
import { SCHEME } from "../files/uri.ts";
import { normaliseConcept } from "../files/wikilinks.ts";
import type { MemoryIndex } from "./memory-index.ts";

/** The source or the target of a link. */
export interface LinkedNote {
  readonly uri: string;
  readonly title: string;
  readonly modified: number;
}

/** The notes of all roots, by the names that links use. */
export interface LinkTargets {
  /**
   * Resolves links as editors do: by address or path, file name, title, alias. Among several, the nearest to `from`.
   */
  resolve(target: string, from: string): LinkedNote | undefined;
  readonly notes: readonly LinkedNote[];
}

interface Row extends LinkedNote {
  readonly id: number;
  readonly name: string;
}

/** Read at a time, which takes a few milliseconds. */
const CHUNK = 1000;

/** In steps, because ten thousand notes would block a server for too long. */
export function* linkTargetSteps(indexes: readonly MemoryIndex[]): Generator<undefined, LinkTargets> {
  const notes: LinkedNote[] = [];
  const byPath = new Map<string, LinkedNote>();
  const kinds = { byName: new Map(), byTitle: new Map(), byAlias: new Map() } as {
    readonly [K in "byName" | "byTitle" | "byAlias"]: Map<string, LinkedNote[]>;
  };
  for (const { db } of indexes) {
    const byId = new Map<number, LinkedNote>();
    for (let rows = notesAfter(db, ""); rows.length > 0; rows = notesAfter(db, rows.at(-1)?.uri ?? "")) {
      for (const { id, name, ...note } of rows) {
        notes.push(note);
        byId.set(id, note);
        byPath.set(folded(note.uri.slice(SCHEME.length)), note);
        add(kinds.byName, folded(name.replace(/\.md$/i, "")), note);
        add(kinds.byTitle, folded(note.title), note);
      }
      yield;
    }
    for (const { name, note } of db.all<{ name: string; note: number }>("SELECT name, note FROM alias")) {
      const found = byId.get(note);
      if (found !== undefined) add(kinds.byAlias, folded(name), found);
    }
  }
  return {
    notes,
    resolve(given, from) {
      const target = folded(given.replace(/^memory:\/\//, "").replace(/\.md$/i, ""));
      if (target === "") return undefined;
      return (
        byPath.get(target) ??
        nearest(kinds.byName.get(target), from) ??
        nearest(kinds.byTitle.get(target), from) ??
        nearest(kinds.byAlias.get(target), from) ??
        nearest(kinds.byName.get(slugify(given)), from)
      );
    },
  };
}

function notesAfter(db: MemoryIndex["db"], uri: string): Row[] {
  return db.all<Row>("SELECT id, uri, title, modified, name FROM note WHERE uri > ? ORDER BY uri LIMIT ?", [
    uri,
    CHUNK,
  ]);
}

function add(map: Map<string, LinkedNote[]>, key: string, note: LinkedNote): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [note]);
  else known.push(note);
}

const folded = (text: string): string => text.normalize("NFC").toLowerCase();

/** One in the same folder, else the first by address. */
function nearest(notes: readonly LinkedNote[] | undefined, from: string): LinkedNote | undefined {
  const folder = from.slice(0, from.lastIndexOf("/") + 1);
  return (
    notes?.find(({ uri }) => uri.startsWith(folder) && !uri.slice(folder.length).includes("/")) ?? notes?.[0]
  );
}

/** The newest notes that link to a note by its title, file name, address or an alias. */
export function backlinksOf(
  indexes: readonly MemoryIndex[],
  note: { readonly uri: string; readonly title: string; readonly aliases: readonly string[] },
  limit: number,
): LinkedNote[] {
  const path = note.uri.slice(SCHEME.length);
  const names = [note.title, path, path.split("/").at(-1) ?? path, ...note.aliases.slice(0, 20)];
  const concepts = [...new Set(names.map(normaliseConcept))].filter((name) => name !== "");
  if (concepts.length === 0) return [];
  // A concept includes the heading and the alias of its link: `name#heading`, `name|alias`. `$` and `}` are the
  // characters after `#` and `|`.
  const condition = concepts
    .map(() => "c.name = ? OR (c.name >= ? AND c.name < ?) OR (c.name >= ? AND c.name < ?)")
    .join(" OR ");
  const params = concepts.flatMap((name) => [name, `${name}#`, `${name}$`, `${name}|`, `${name}}`]);
  return indexes
    .flatMap(({ db }) =>
      db.all<LinkedNote>(
        `SELECT DISTINCT n.uri, n.title, n.modified FROM concept AS c JOIN mention AS m ON m.concept = c.id
         JOIN note AS n ON n.id = m.note WHERE (${condition}) AND n.uri <> ?
         ORDER BY n.modified DESC, n.uri LIMIT ?`,
        [...params, note.uri, limit],
      ),
    )
    .sort((a, b) => b.modified - a.modified)
    .slice(0, limit);
}
