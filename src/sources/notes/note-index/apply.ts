import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { collapse } from "../../../base/text.ts";
import type { Note } from "../files/note.ts";
import type { MemoryIndex } from "./memory-index.ts";
import { fileState } from "./note-files.ts";

/** A file read this soon after a change may change again without a new time and size, so it is read again. */
const UNSETTLED_MS = 2000;
const CHECKSUM_LENGTH = 16;

export interface KnownNote {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly modified: number;
  readonly is_settled: number;
}

export interface Applied {
  put: number;
  removed: number;
  /** Read, but the text was already indexed. */
  same: number;
}

/** Applies these notes and deletions in one transaction. */
export function applyNotes(
  index: MemoryIndex,
  notes: readonly Note[],
  gone: readonly string[],
  now: number = Date.now(),
): Applied {
  const { db, plugins } = index;
  const applied: Applied = { put: 0, removed: 0, same: 0 };
  try {
    return db.tx(() => {
      for (const note of notes) putNote(index, note, now, applied);
      for (const path of gone) removeNote(index, path, applied);
      for (const plugin of plugins) plugin.flush?.(db);
      return applied;
    });
  } catch (error) {
    for (const plugin of plugins) plugin.rollback?.();
    throw error;
  }
}

interface Row {
  readonly id: number;
  readonly checksum: string;
  readonly modified: number;
  readonly size: number;
}

function putNote(index: MemoryIndex, note: Note, now: number, applied: Applied): void {
  const { db, files, plugins } = index;
  const known = db.get<Row>("SELECT id, checksum, modified, size FROM note WHERE uri = ?", [note.uri]);
  const checksum = note.checksum.slice(0, CHECKSUM_LENGTH);
  // Another process has indexed a newer version of this file.
  if (known !== undefined && known.modified > note.modified && isAsKnown(note.path, known)) return;
  const isSettled = now - note.modified > UNSETTLED_MS ? 1 : 0;
  if (known?.checksum === checksum && known.size === note.size) {
    applied.same++;
    db.run("UPDATE note SET modified = ?, is_settled = ? WHERE id = ?", [note.modified, isSettled, known.id]);
    return;
  }
  const row = {
    folder: folderId(db, folderOf(files.root, note.path)),
    name: basename(note.path),
    uri: note.uri,
    title: note.title,
    tags: note.tags.length === 0 ? null : JSON.stringify(note.tags),
    ...projectOf(note),
    problem: note.problems.length === 0 ? null : note.problems.join("; "),
    created: note.created ?? null,
    modified: note.modified,
    size: note.size,
    checksum,
    isSettled,
  };
  applied.put++;
  if (known === undefined) {
    const { lastId } = db.run(
      `INSERT INTO note (folder, name, uri, title, tags, project, project_id, problem, created, modified, size, checksum, is_settled)
       VALUES ($folder, $name, $uri, $title, $tags, $project, $projectId, $problem, $created, $modified, $size, $checksum, $isSettled)`,
      row,
    );
    putInto(index, lastId, note);
    return;
  }
  db.run(
    `UPDATE note SET folder = $folder, name = $name, uri = $uri, title = $title, tags = $tags, project = $project, project_id = $projectId,
       problem = $problem, created = $created, modified = $modified, size = $size, checksum = $checksum, is_settled = $isSettled
     WHERE id = $id`,
    { ...row, id: known.id },
  );
  for (const plugin of plugins) plugin.remove(db, known.id);
  putInto(index, known.id, note);
}

function putInto({ db, plugins }: MemoryIndex, id: number, note: Note): void {
  const missing = plugins.flatMap((plugin) => plugin.put(db, id, note) ?? []);
  if (missing.length > 0)
    db.run("UPDATE note SET problem = ? WHERE id = ?", [[...note.problems, ...missing].join("; "), id]);
}

function removeNote({ db, files, plugins }: MemoryIndex, path: string, applied: Applied): void {
  // The file may exist again.
  const now = fileState(path);
  if (now === "unreadable" || (now !== "missing" && now.isFile())) return;
  const known = db.get<{ id: number }>("SELECT id FROM note WHERE uri = ?", [files.uriOf(path)]);
  if (known === undefined) return;
  applied.removed++;
  for (const plugin of plugins) plugin.remove(db, known.id);
  db.run("DELETE FROM note WHERE id = ?", [known.id]);
}

function isAsKnown(path: string, known: Row): boolean {
  const stats = fileState(path);
  return typeof stats !== "string" && stats.mtimeMs === known.modified && stats.size === known.size;
}

/** Stores the folder if it is new. Another process may store it at the same time. */
export function folderId(db: MemoryIndex["db"], path: string): number {
  const select = () => db.get<{ id: number }>("SELECT id FROM folder WHERE path = ?", [path])?.id;
  const known = select();
  if (known !== undefined) return known;
  const insert =
    "INSERT INTO folder (path, modified, round, looked) VALUES (?, 0, 0, 0) ON CONFLICT DO NOTHING";
  const { lastId } = db.run(insert, [path]);
  return select() ?? lastId;
}

function folderOf(root: string, path: string): string {
  const below = relative(root, dirname(path));
  return sep === "/" ? below : below.replaceAll(sep, "/");
}

/** If there is no project name, the last part of the project's id is used: the folder or the repository. */
function projectOf({ frontmatter }: Note): {
  readonly project: string | null;
  readonly projectId: string | null;
} {
  const projectId = textOf(frontmatter["project_id"]);
  // Obsidian's properties may contain a link.
  const project = textOf(frontmatter["project"])?.replace(/^\[\[([^[\]|]+)(?:\|[^[\]]*)?\]\]$/, "$1");
  return { project: project ?? projectId?.split(/[\\/]/).at(-1) ?? null, projectId: projectId ?? null };
}

const MAX_PROJECT = 300;

function textOf(value: unknown): string | undefined {
  const text = typeof value === "string" ? collapse(value.slice(0, MAX_PROJECT)) : "";
  return text === "" ? undefined : text;
}

/**
 * The notes with this title, ignoring case; if there are none, those with this alias. Ignores case only for ASCII
 * letters.
 */
export function notesTitled(index: MemoryIndex, title: string): { uri: string; path: string }[] {
  const titled = notesWhere(index, title, "title COLLATE NOCASE IN (?, ?)");
  const called = "note.id IN (SELECT note FROM alias WHERE name IN (?, ?))";
  return titled.length > 0 ? titled : notesWhere(index, title, called);
}

function notesWhere(index: MemoryIndex, title: string, condition: string): { uri: string; path: string }[] {
  const forms = ["NFC", "NFD"].map((form) => collapse(title.normalize(form)));
  return index.db
    .all<{ uri: string; name: string; folder: string }>(
      `SELECT uri, name, folder.path AS folder FROM note JOIN folder ON folder.id = note.folder
       WHERE ${condition} ORDER BY uri`,
      forms,
    )
    .map(({ uri, name, folder }) => ({ uri, path: pathOf(index, folder, name) }));
}

/**
 * Reads these files again, or removes them from the index if they were deleted: for callers that have just changed
 * them.
 */
export async function refreshNotes(index: MemoryIndex, paths: readonly string[]): Promise<Applied> {
  const notes: Note[] = [];
  const gone: string[] = [];
  for (const given of paths) {
    const path = withoutLinks(index.files.root, given);
    const note = await index.files.read(path);
    if (note === undefined) gone.push(path);
    else notes.push(note);
  }
  return applyNotes(index, notes, gone);
}

/** The sync does not follow symbolic links: a note behind one is indexed only under its real address. */
function withoutLinks(root: string, path: string): string {
  try {
    return join(root, relative(realpathSync.native(root), realpathSync.native(path)));
  } catch {
    return path; // it was deleted
  }
}

export const pathOf = (index: MemoryIndex, folder: string, name: string): string =>
  join(index.files.root, folder, name);
