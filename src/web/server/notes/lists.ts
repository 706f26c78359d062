import { existsSync } from "node:fs";
import { marksIn } from "../../../search/marks.ts";
import { filterOf, type GivenFilter } from "../../../sources/notes/actions/fields.ts";
import type { Memory } from "../../../sources/notes/memory.ts";
import { seenFromPlace } from "../../../sources/notes/note-project.ts";
import {
  type BrowsedNote,
  type BrowseOrder,
  type Facet,
  facetsOf,
} from "../../../sources/notes/search/browse.ts";
import type { Hit, SearchMode } from "../../../sources/notes/search/search.ts";
import { redact } from "../../../store/redact.ts";
import type { NoteFacets, NoteHit, NoteHits, NoteRow } from "../../api/notes.ts";
import type { Web } from "../web.ts";

type PageFilter = Omit<GivenFilter, "tag"> & { readonly tag?: string | undefined };

const filterIn = ({ tag, ...given }: PageFilter) => ({ ...given, ...(tag && { tag: [tag] }) });

export async function listNotes(
  web: Web,
  memory: Memory,
  asked: PageFilter & { readonly order: BrowseOrder; readonly offset: number; readonly limit: number },
) {
  const { order, offset, limit } = asked;
  const { notes, total, own } = await memory.browse({
    ...filterOf(filterIn(asked), web),
    order,
    offset,
    limit,
    seenFrom: seenFromPlace(web),
  });
  return { notes: notes.map(rowOf), offset, total, own };
}

function rowOf({ uri, title, modified, tags, project, relation, problem }: BrowsedNote): NoteRow {
  return { uri, title, modified, tags, project, relation, problem };
}

export async function searchNotes(
  web: Web,
  memory: Memory,
  asked: PageFilter & {
    readonly q: string;
    readonly mode: SearchMode;
    readonly page: number;
    readonly limit: number;
  },
): Promise<NoteHits> {
  const seenFrom = seenFromPlace(web);
  const { hits, total, notices, words } = await memory.search({
    ...filterOf(filterIn(asked), web),
    query: asked.q,
    mode: asked.mode,
    page: asked.page,
    pageSize: asked.limit,
    seenFrom,
  });
  return { hits: hits.map((hit) => hitOf(hit, words)), total, notices };
}

function hitOf(hit: Hit, words: readonly string[]): NoteHit {
  const { uri, title, score, modified, snippet, relation } = hit;
  const passage = plain(redact(snippet), title);
  return {
    uri,
    title,
    score,
    modified,
    tags: [],
    relation,
    passage,
    marks: marksIn(passage, words),
    titleMarks: marksIn(title, words),
  };
}

/** Removes the title, which is shown above, and Markdown that a line does not need. */
function plain(passage: string, title: string): string {
  const heading = `# ${title}`;
  return (passage.startsWith(heading) ? passage.slice(heading.length) : passage)
    .replace(/!?\[\[(?:[^[\]|]*\|)?([^[\]|]*)\]\]/g, "$1")
    .replace(/\*\*|`/g, "")
    .trim();
}

/** What the list can be filtered by. */
export function facets(memory: Memory): NoteFacets {
  const indexes = new Map(memory.indexes().map((index) => [index.files.root, index]));
  const found = memory.roots.map((root) => {
    const index = indexes.get(root.path);
    return { root, facets: index && facetsOf(index) };
  });
  const all = found.flatMap((one) => (one.facets === undefined ? [] : [one.facets]));
  return {
    roots: found.map(({ root: { name, path, kind, isWritable }, facets: its }) => ({
      name,
      path,
      kind,
      isWritable,
      isMissing: !existsSync(path),
      notes: its?.folders.reduce((sum, { notes }) => sum + notes, 0) ?? 0,
      folder: name === undefined ? "memory://" : `@${name}`,
    })),
    folders: found.flatMap(({ root: { name }, facets: its }) =>
      (its?.folders ?? [])
        .filter((folder) => folder.name !== "")
        .map((folder) => (name === undefined ? folder : { ...folder, name: `@${name}/${folder.name}` })),
    ),
    tags: merged(all.flatMap(({ tags }) => tags)),
    projects: merged(all.flatMap(({ projects }) => projects)),
  };
}

function merged(given: readonly Facet[]): Facet[] {
  const byName = new Map<string, Facet>();
  for (const { name, notes } of given) {
    const key = name.toLowerCase();
    const known = byName.get(key);
    byName.set(key, { name: known?.name ?? name, notes: notes + (known?.notes ?? 0) });
  }
  return [...byName.values()].sort((a, b) => b.notes - a.notes || (a.name < b.name ? -1 : 1));
}
