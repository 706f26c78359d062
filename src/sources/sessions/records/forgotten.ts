import { rmSync } from "node:fs";
import { join } from "node:path";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { namesIn } from "../../../store/folder.ts";
import { readText } from "../../../store/read-file.ts";
import type { SessionKey } from "../session.ts";
import { hasTombstone, type RecordPlaces, tombstonePath } from "./files.ts";

/** The content of a tombstone, without names or words of the session. */
export interface Forgotten extends SessionKey {
  /** An ISO time. */
  readonly at: string;
  /** The session with which this one, a subagent's, was forgotten. */
  readonly parent?: string;
}

const ENDING = ".forgotten";

/** The forgotten sessions of these hosts, latest first. */
export function forgottenSessions(places: RecordPlaces, hosts: Iterable<string>): Forgotten[] {
  return [...hosts].flatMap((host) => forgottenOf(places, host)).sort((a, b) => (a.at < b.at ? 1 : -1));
}

function forgottenOf(places: RecordPlaces, host: string): Forgotten[] {
  const folder = join(places.home.root, "sessions-meta", host);
  return namesIn(folder)
    .filter((name) => name.endsWith(ENDING))
    .flatMap((name) => readTombstone(join(folder, name)) ?? [])
    .filter((one) => one.host === host && hasTombstone(places, one));
}

/** Allows a session and those of its subagents to be indexed again. */
export function removeTombstones(places: RecordPlaces, key: SessionKey): void {
  const children = forgottenOf(places, key.host).filter(({ parent }) => parent === key.id);
  for (const one of [...children, key]) rmSync(tombstonePath(places, one), { force: true });
}

function readTombstone(path: string): Forgotten | undefined {
  try {
    const value: unknown = parseBounded(readText(path, { maxBytes: 64 * 1024 }));
    if (!isRecord(value)) return undefined;
    const { host, id, at, parent } = value;
    if (typeof host !== "string" || typeof id !== "string" || typeof at !== "string") return undefined;
    return { host, id, at, ...(typeof parent === "string" && { parent }) };
  } catch {
    return undefined; // unreadable or damaged: it still prevents indexing its session, but cannot be listed
  }
}
