import { renameSync } from "node:fs";
import { join } from "node:path";
import { ContinuoError, systemCode } from "../moments/errors.ts";
import type { Project, Session } from "../moments/types.ts";
import type { FileUse } from "../moments/working-set.ts";
import { writeFileAtomic } from "./atomic-file.ts";
import { fileNameFor, type Home } from "./home.ts";
import { withLock } from "./lock.ts";
import { isRefused, readText } from "./read-file.ts";
import { isRecord } from "./settings.ts";

/** What is kept about one session, at `state/<host>/<id>.json`. The format is documented in docs/state.md. */
export interface SessionState {
  readonly version: 1;
  readonly session: Session;
  readonly project: Project;
  readonly startedAt: string;
  readonly seenAt: string;
  /** Counts up at every start, resume into nothing, and compaction. */
  readonly epoch: number;
  /** The frozen bytes of this epoch; null until they were composed. */
  readonly snapshot: { readonly text: string; readonly fingerprint: string; readonly at: string } | null;
  /** What began this epoch. */
  readonly begunBy?: "start" | "resume" | "compacted";
  /** The host announced a compaction, and its new epoch has not begun. */
  readonly compacting?: boolean;
  /** A compaction took our texts away, and its new epoch has not begun: the next prompt or tool call begins it. */
  readonly owed?: boolean;
  /** The session was resumed and no prompt has come since. */
  readonly resumed?: boolean;
  /** What the host's summariser wrote at the last compaction, secrets replaced. */
  readonly summary?: { readonly text: string; readonly at: string };
  /** Fingerprint of what was delivered in this epoch, by `source/key`; with a minus before it, it had no room. */
  readonly delivered: Readonly<Record<string, string>>;
  /** Files that tool calls touched, most recent last. */
  readonly workingSet: readonly FileUse[];
  /** What each source remembers about this session. */
  readonly memos: Readonly<Record<string, unknown>>;
}

export interface StateFile {
  readonly path: string;
  read(): SessionState | undefined;
  /** Reads, changes and writes under the session's lock. Returning the same object writes nothing. */
  update(change: (state: SessionState | undefined) => SessionState | undefined): Promise<void>;
}

/** Far more than a session with many rules, files and memos has. */
export const MAX_STATE_BYTES = 8 * 1024 * 1024;

/** How many locks all sessions share: enough that two sessions seldom wait for each other. */
const STRIPES = 64;

export function stateFile(
  home: Home,
  session: Session,
  options: { lockWaitMs: number; onDamaged(path: string, movedTo: string): void },
): StateFile {
  const folder = join(home.state, session.host);
  const path = join(folder, `${fileNameFor(session.id)}.json`);
  const read = () => readState(path, options.onDamaged);
  return {
    path,
    read,
    async update(change) {
      await withLock(
        join(home.locks, `state-${stripe(path)}`),
        () => {
          const before = read();
          const after = change(before);
          if (after === before || after === undefined) return;
          writeFileAtomic(path, `${JSON.stringify(after)}\n`);
        },
        { waitMs: options.lockWaitMs },
      );
    },
  };
}

function readState(
  path: string,
  onDamaged: (path: string, movedTo: string) => void,
): SessionState | undefined {
  let text: string;
  try {
    text = readText(path, { maxBytes: MAX_STATE_BYTES });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    if (!isRefused(error)) throw error;
    text = "not a state of ours";
  }
  if (text.trim() === "") return undefined; // a crash before our time, or a full disk: nothing to lose
  const state = parse(text);
  if (state !== undefined) return state;
  const aside = `${path}.damaged-${Date.now()}`;
  renameSync(path, aside);
  onDamaged(path, aside);
  return undefined;
}

function parse(text: string): SessionState | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // the caller sets the damaged file aside and says so
  }
  if (!isRecord(value)) return undefined;
  if (typeof value["version"] === "number" && value["version"] > 1) {
    throw new ContinuoError(
      "state-newer",
      `session state of version ${value["version"]} is newer than this Continuo`,
      {
        hint: "update continuo, or remove the file it names",
      },
    );
  }
  const sound =
    value["version"] === 1 &&
    isRecord(value["session"]) &&
    isRecord(value["project"]) &&
    typeof value["epoch"] === "number" &&
    isRecord(value["delivered"]) &&
    isRecord(value["memos"]) &&
    Array.isArray(value["workingSet"]) &&
    (value["snapshot"] === null ||
      (isRecord(value["snapshot"]) && typeof value["snapshot"]["text"] === "string"));
  return sound ? (value as unknown as SessionState) : undefined;
}

function stripe(path: string): number {
  let hash = 0;
  for (let i = 0; i < path.length; i++) hash = (hash * 31 + path.charCodeAt(i)) >>> 0;
  return hash % STRIPES;
}
