import { type Dirent, readdirSync, statSync } from "node:fs";
import { sep } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import type { Discovery, Header, Reach, RecentQuery, SessionFile } from "../../../moments/ports/history.ts";
import { findProject } from "../../../moments/project/project.ts";
import type { Project } from "../../../moments/types.ts";
import { type Entry, parseJson } from "./fields.ts";
import { readLines, tailLines } from "./lines.ts";
import { preferred } from "./tally.ts";

/**
 * The files below a folder, down to `depth`. A missing folder has none; one that cannot be listed is reported.
 * `lastFirst`: in reverse order of their names.
 */
export function* filesUnder(
  folder: string,
  depth: number,
  onFailure: Discovery["onFailure"],
  lastFirst = false,
): Generator<string> {
  const entries = listing(folder, onFailure);
  if (lastFirst) entries.sort((a, b) => (a.name < b.name ? 1 : -1));
  for (const entry of entries) {
    const path = folder + sep + entry.name; // `join` would take as long as everything else in this loop
    if (entry.isDirectory() && depth > 0) yield* filesUnder(path, depth - 1, onFailure, lastFirst);
    else if (entry.isFile()) yield path;
  }
}

/** The folders in a folder; none if it cannot be listed. */
export function foldersUnder(folder: string): string[] {
  return listing(folder, undefined).flatMap((entry) =>
    entry.isDirectory() ? [folder + sep + entry.name] : [],
  );
}

function listing(folder: string, onFailure: Discovery["onFailure"]): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") onFailure?.(error.message);
    return [];
  }
}

/** The sessions of a project, each with its folder. Without a project all of them, and no file is opened. */
export function ofProject(
  files: readonly SessionFile[],
  project: Project | undefined,
  headerOf: (file: SessionFile) => Header,
): SessionFile[] {
  if (project === undefined) return [...files];
  const known = new Map<string, boolean>();
  const belongs = (cwd: string): boolean => {
    const found = known.get(cwd) ?? findProject(cwd).id === project.id;
    known.set(cwd, found);
    return found;
  };
  return files.flatMap((file) => {
    const cwd = file.cwd ?? headerOf(file).cwd;
    return cwd !== undefined && belongs(cwd) ? [{ ...file, cwd }] : [];
  });
}

/** The least number of files to open: listing may use up the time, and would be useless without opening any. */
const LEAST_OPENED = 10;
/** How many files to watch for appended lines: nobody continues older sessions. */
const MOST_WATCHED = 10;

/**
 * The newest sessions of a project among these files. Lists as many files as time allows, then opens them newest first.
 * A file that was copied or restored may look newer than it is, so the caller reads the times inside. `ignored`: types
 * of lines without conversation.
 */
export function newestOf(
  paths: Iterable<string>,
  { isOfProject, limit, mostOpened, isOver, basis }: RecentQuery,
  sessionAt: (path: string) => SessionFile | undefined,
  headerOf: (file: SessionFile, reach: Reach) => Header,
  ignored: readonly string[] = [],
): SessionFile[] {
  const files: SessionFile[] = [];
  for (const path of paths) {
    const file = sessionAt(path);
    if (file !== undefined && file.parent === undefined) files.push(file);
    if (isOver()) break;
  }
  const found: SessionFile[] = [];
  const newest = files.sort((a, b) => b.modified - a.modified).slice(0, mostOpened);
  for (const { path } of newest.slice(0, MOST_WATCHED)) basis?.watchLines(path, ignored);
  for (const [opened, file] of newest.entries()) {
    if (found.length >= limit || (opened >= LEAST_OPENED && isOver())) break;
    const { cwd, parent } = headerOf(file, "beginning");
    if (cwd !== undefined && parent === undefined && isOfProject(cwd)) found.push({ ...file, cwd });
  }
  return found;
}

/**
 * Files in folders below `folder` whose names may stand for a path inside the roots. Hosts name a project's folder
 * after its path, replacing most special characters.
 */
export function* filesOfRoots(
  folder: string,
  { roots, basis }: Pick<RecentQuery, "roots" | "basis">,
): Generator<string> {
  const wanted = roots.map(plainPath);
  basis?.watchNames(folder);
  for (const entry of listing(folder, undefined)) {
    if (!entry.isDirectory()) continue;
    const name = plainPath(entry.name);
    if (!wanted.some((root) => name === root || name.startsWith(`${root}-`) || isCutOf(name, root))) continue;
    basis?.watchNames(folder + sep + entry.name);
    yield* filesUnder(folder + sep + entry.name, 0, undefined);
  }
}

/** The folder, its last subfolder by name, the last one in that, and so on, for folders that are named after dates. */
export function lastFolders(folder: string, depth: number): string[] {
  const last = depth === 0 ? undefined : foldersUnder(folder).sort().at(-1);
  return [folder, ...(last === undefined ? [] : lastFolders(last, depth - 1))];
}

const plainPath = (path: string): string => path.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");

/** Claude Code cuts longer names and adds a hash. */
const LONG_NAME = 100;
const isCutOf = (name: string, root: string): boolean =>
  root.length > LONG_NAME && name.slice(0, LONG_NAME) === root.slice(0, LONG_NAME);

const HEAD_BYTES = 128 * 1024;
const HEAD_LINES = 2000;
const TAIL_BYTES = 64 * 1024;
/** All other header fields are within this many lines of the line that names the session's folder. */
const FEW = 8;

/**
 * Builds a header from the lines at a file's beginning and end. The first value of a field counts; for titles, the
 * newest.
 */
export function headerFrom(path: string, headerIn: (entry: Entry) => Header, reach: Reach = "ends"): Header {
  let header: Header = {};
  let count = 0;
  try {
    for (const entry of entriesAtEnds(path)) {
      if (
        reach === "beginning" &&
        ++count > FEW &&
        header.cwd !== undefined &&
        header.startedAt !== undefined
      )
        break;
      const next = headerIn(entry);
      const title = preferred(header.title, next.title);
      header = { ...next, ...header, ...(title === undefined ? {} : { title }) };
    }
  } catch (error) {
    if (!isSystemError(error)) throw error; // the file was deleted: nothing is known about it
  }
  return header;
}

function* entriesAtEnds(path: string): Generator<Entry> {
  let done = 0;
  let lines = 0;
  for (const { text, end } of readLines(path, { chunkBytes: 16 * 1024, isOver: () => true })) {
    const entry = text === undefined ? undefined : parseJson(text);
    if (entry !== undefined) yield entry;
    done = end;
    if (done >= HEAD_BYTES || ++lines >= HEAD_LINES) break;
  }
  const rest = statSync(path).size - done;
  if (rest <= 0) return;
  for (const line of tailLines(path, Math.min(rest, TAIL_BYTES)).reverse()) {
    const entry = parseJson(line);
    if (entry !== undefined) yield entry;
  }
}
