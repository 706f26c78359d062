import { type Dirent, readdirSync, statSync } from "node:fs";
import { sep } from "node:path";
import { isSystemError } from "../../../base/system-error.ts";
import type { Discovery, Header, Reach, SessionFile } from "../../../moments/ports/history.ts";
import { findProject } from "../../../moments/project.ts";
import type { Project } from "../../../moments/types.ts";
import { type Entry, parseJson } from "./fields.ts";
import { readLines, tailLines } from "./lines.ts";
import { preferred } from "./tally.ts";

/** Files below a folder, as deep as asked. One that is not there has none; one that cannot be listed is told of. */
export function* filesUnder(
  folder: string,
  depth: number,
  onFailure: Discovery["onFailure"],
): Generator<string> {
  for (const entry of listing(folder, onFailure)) {
    const path = folder + sep + entry.name; // `join` would take as long as all the rest
    if (entry.isDirectory() && depth > 0) yield* filesUnder(path, depth - 1, onFailure);
    else if (entry.isFile()) yield path;
  }
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

/** Keeps the sessions of a project, and tells each one's folder. Without a project nothing is opened. */
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

const HEAD_BYTES = 128 * 1024;
const HEAD_LINES = 2000;
const TAIL_BYTES = 64 * 1024;
/** Lines in which a session that names its folder has told the rest as well. */
const FEW = 8;

/** A header from the lines at a file's beginning and end: the first word on anything counts, except for the title. */
export function headerFrom(path: string, tell: (entry: Entry) => Header, reach: Reach = "ends"): Header {
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
      const told = tell(entry);
      const title = preferred(header.title, told.title);
      header = { ...told, ...header, ...(title === undefined ? {} : { title }) };
    }
  } catch (error) {
    if (!isSystemError(error)) throw error; // it vanished: nothing is known about it any more
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
