import type { History, SessionFile, TranscriptReader } from "../../../../moments/ports/history.ts";
import { findProject } from "../../../../moments/project/project.ts";
import { normalise } from "../../text.ts";
import { candidatesIn, type Found } from "./candidates.ts";
import { coreOf } from "./extract.ts";
import { SESSIONS_NEEDED } from "./repeats.ts";
import { namesProject } from "./scope.ts";

/** A wish that the user expressed in several sessions, in their latest words. */
export interface SaidBefore {
  readonly wish: Found;
  /** The session in which it was said last. */
  readonly last: SessionFile;
  readonly cwd: string;
  readonly sessions: number;
}

export interface Reading {
  /** Sessions that ended before this moment are not read; milliseconds since 1970. */
  readonly since: number;
  readonly isSame: (a: string, b: string) => boolean;
  /** Called before each session and within large ones: true stops reading, and keeps what was found. */
  readonly isOver: () => boolean;
  readonly onProgress?: (done: number, all: number) => void;
}

const TWICE = 2;
/** Each new wording is compared with all earlier ones. */
const MOST_WISHES = 500;
const MAX_LINE_BYTES = 1024 * 1024;

/** What the user said more than once, most frequent first. Sessions of scripts and of subagents do not count. */
export async function saidMoreThanOnce(
  history: History,
  env: NodeJS.ProcessEnv,
  { since, isSame, isOver, onProgress }: Reading,
): Promise<SaidBefore[]> {
  const files = [...history.values()]
    .flatMap((reader) => reader.discover(env).map((file) => ({ reader, file })))
    .filter(({ file }) => file.modified >= since && file.parent === undefined)
    .sort((a, b) => b.file.modified - a.file.modified);
  const groups: Group[] = [];
  // A fork contains the same turns, which count once.
  const turns = new Set<string>();
  for (const [done, { reader, file }] of files.entries()) {
    if (isOver()) break;
    onProgress?.(done, files.length);
    const { cwd = file.cwd, parent, isHeadless } = reader.headerOf(file);
    if (cwd === undefined || parent !== undefined || isHeadless === true) continue;
    for (const wish of wishesOf(reader, file, isOver)) {
      if (turns.has(wish.turn + wish.content)) continue;
      turns.add(wish.turn + wish.content);
      add(groups, { wish, file, cwd }, isSame);
    }
    // Ctrl-C and the progress line are handled between two sessions.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return groups
    .filter(({ sessions, isWeak }) => sessions.size >= (isWeak ? SESSIONS_NEEDED : TWICE))
    .sort((a, b) => b.sessions.size - a.sessions.size)
    .map(({ newest: { wish, file, cwd }, sessions, folders }) => ({
      wish: { ...wish, isWeak: false, ...(isOfAll(wish, folders) && { scope: "everywhere" as const }) },
      last: file,
      cwd,
      sessions: sessions.size,
    }));
}

/** Whether it was said in several projects; folders of one repository count as one. */
function isOfAll(wish: Found, folders: ReadonlySet<string>): boolean {
  return !namesProject(wish.evidence) && new Set([...folders].map((cwd) => findProject(cwd).id)).size > 1;
}

interface Said {
  readonly wish: Found;
  readonly file: SessionFile;
  readonly cwd: string;
}

interface Group {
  /** Files are read newest first. */
  readonly newest: Said;
  readonly core: string;
  readonly sessions: Set<string>;
  readonly folders: Set<string>;
  isWeak: boolean;
}

function add(groups: Group[], said: Said, isSame: Reading["isSame"]): void {
  const { wish, file, cwd } = said;
  const core = coreOf(normalise(wish.content));
  const known =
    groups.find((one) => one.core === core) ??
    groups.find(({ newest }) => isSame(newest.wish.content, wish.content));
  if (known === undefined) {
    if (core === "" || groups.length >= MOST_WISHES) return;
    const [sessions, folders] = [new Set([`${file.host} ${file.id}`]), new Set([cwd])];
    groups.push({ newest: said, core, sessions, folders, isWeak: wish.isWeak });
    return;
  }
  known.sessions.add(`${file.host} ${file.id}`);
  known.folders.add(cwd);
  known.isWeak &&= wish.isWeak;
}

function wishesOf(reader: TranscriptReader, file: SessionFile, isOver: () => boolean): Found[] {
  const wishes: Found[] = [];
  for (const turn of reader.read(file, { maxLineBytes: MAX_LINE_BYTES, isOver }))
    if (turn.role === "user") wishes.push(...candidatesIn(turn));
  return wishes;
}
