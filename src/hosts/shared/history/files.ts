import { type Dirent, readdirSync, statSync } from "node:fs";
import { sep } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import type { Discovery, Header, Reach, SessionFile } from "../../../moments/ports/history.ts";
import { findProject } from "../../../moments/project.ts";
import type { Project } from "../../../moments/types.ts";
import { type Entry, parseJson } from "./fields.ts";
import { readLines, tailLines } from "./lines.ts";
import { preferred } from "./tally.ts";

/** The files below a folder, down to `depth`. A missing folder has none; one that cannot be listed is reported. */
export function* filesUnder(
  folder: string,
  depth: number,
  onFailure: Discovery["onFailure"],
): Generator<string> {
  for (const entry of listing(folder, onFailure)) {
    const path = folder + sep + entry.name; // `join` takes as long as everything else here together
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

const HEAD_BYTES = 128 * 1024;
const HEAD_LINES = 2000;
const TAIL_BYTES = 64 * 1024;
/** A session that names its folder names everything else within this many lines. */
const FEW = 8;

/** A header from the lines at a file's beginning and end. The first value of a field counts; of titles, the newest. */
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
    if (!isSystemError(error)) throw error; // the file was deleted: nothing is known about it any more
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
