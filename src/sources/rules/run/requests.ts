import { renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fingerprint, unique } from "../../../base/fingerprint.ts";
import { isRecord, parseBounded } from "../../../base/json.ts";
import type { Project, Session } from "../../../moments/types.ts";
import { namesIn } from "../../../store/folder.ts";
import { fileNameFor, type Home } from "../../../store/home.ts";
import { readTextIfAny } from "../../../store/read-file.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";
import type { Run } from "./runs.ts";

/** One command and the files to run it on. */
export interface WantedRun extends Pick<Run, "rule" | "name" | "isUsers" | "check"> {
  /** Relative to the project's root. */
  readonly files: readonly string[];
}

/** What one session wants to be run in its project. */
export interface RunRequest {
  readonly version: 1;
  readonly project: Pick<Project, "id" | "root">;
  /** The session that gets the results. */
  readonly session: Pick<Session, "host" | "id">;
  readonly at: number;
  readonly runs: readonly WantedRun[];
}

const MAX_BYTES = 4_000_000;
const MAX_FILES = 100;
/** An older request is about files that have changed since. */
const TOO_OLD_MS = 60 * 60_000;

/** The folder with one project's requests. */
export function requestFolder(home: Pick<Home, "root">, project: string): string {
  return join(home.root, "runs", "wanted", fingerprint(project));
}

/** A session has at most one request. It includes what is left of the previous one. */
export function writeRequest(home: Home, request: RunRequest): void {
  const folder = requestFolder(home, request.project.id);
  const path = join(folder, `${request.session.host}~${fileNameFor(request.session.id)}.json`);
  const before = readRequest(path, request.at);
  const isSame = before?.project.id === request.project.id && before.project.root === request.project.root;
  const runs = isSame ? merged(before.runs, request.runs) : request.runs;
  writeFileAtomic(path, JSON.stringify({ ...request, runs }), { durable: false });
}

function merged(before: readonly WantedRun[], now: readonly WantedRun[]): WantedRun[] {
  const idOf = ({ rule, check }: WantedRun) => JSON.stringify([rule, check]);
  const byId = new Map(before.map((run) => [idOf(run), run]));
  for (const run of now) {
    const files = [...new Set([...run.files, ...(byId.get(idOf(run))?.files ?? [])])];
    byId.set(idOf(run), { ...run, files: files.slice(0, MAX_FILES) });
  }
  return [...byId.values()];
}

/** Takes the next request of this project, so that no other process handles it. */
export function takeRequest(home: Pick<Home, "root">, project: string, now: number): RunRequest | undefined {
  const folder = requestFolder(home, project);
  for (const name of waiting(folder)) {
    const taken = join(folder, `.taken-${unique()}`);
    try {
      renameSync(join(folder, name), taken);
    } catch {
      continue; // replaced or taken meanwhile
    }
    try {
      const request = readRequest(taken, now);
      if (request?.project.id === project) return request;
    } finally {
      rmSync(taken, { force: true });
    }
  }
  return undefined;
}

export function hasRequests(home: Pick<Home, "root">, project: string): boolean {
  return waiting(requestFolder(home, project)).length > 0;
}

function waiting(folder: string): string[] {
  return namesIn(folder).filter((name) => /^[^.].*\.json$/.test(name));
}

/** Continuo wrote it, so a damaged one is treated as missing. */
function readRequest(path: string, now: number): RunRequest | undefined {
  try {
    const age = now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
    const text = age > TOO_OLD_MS ? undefined : readTextIfAny(path, { maxBytes: MAX_BYTES });
    const value: unknown = text === undefined ? undefined : parseBounded(text);
    const isRequest =
      isRecord(value) &&
      value["version"] === 1 &&
      isRecord(value["project"]) &&
      isRecord(value["session"]) &&
      Array.isArray(value["runs"]);
    return isRequest ? (value as unknown as RunRequest) : undefined;
  } catch {
    return undefined; // not JSON: a killed process or a full disk
  }
}
