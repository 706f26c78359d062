import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ContinuoError, systemCode } from "../../base/errors.ts";
import { fingerprint } from "../../base/fingerprint.ts";
import { parseBounded } from "../../base/json.ts";
import { isRecord } from "../../base/settings.ts";
import type { BlockKind } from "../../compose/render.ts";
import { writeFileAtomic } from "../../store/atomic-file.ts";
import { fileNameFor, type Home } from "../../store/home.ts";
import { withLock } from "../../store/lock.ts";
import { isRefused, readText } from "../../store/read-file.ts";
import { spareFolder } from "../../store/spare-folder.ts";
import type { Project, Session } from "../types.ts";
import type { FileUse } from "../working-set.ts";
import type { LedgerItem } from "./ledger.ts";

/** What is kept about one session, at `state/<host>/<id>.json`. The format is documented in docs/design/state.md. */
export interface SessionState {
  readonly version: 1;
  readonly session: Session;
  readonly project: Project;
  readonly startedAt: string;
  readonly seenAt: string;
  /** Counts up at every start, resume into nothing, and compaction. */
  readonly epoch: number;
  /** The frozen bytes of this epoch; null until they were composed. */
  readonly snapshot: Snapshot | null;
  /** How many UTF-16 units of ours the model was shown in this epoch. */
  readonly shown?: number;
  /** Parts that were composed and that no output had room for yet, the next one first. */
  readonly waiting?: readonly WaitingPart[];
  /** The last event at which parts were taken, and the number of the hook entry whose turn it is to take the next. */
  readonly turn?: { readonly occurrence: string; readonly at: string; readonly entry: number };
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

export interface Snapshot {
  /** Where it has several parts, the first one. */
  readonly text: string;
  readonly fingerprint: string;
  readonly at: string;
  /** The parts after it that the same event showed. A resume says them again, each through the same hook entry. */
  readonly more?: readonly string[];
}

export interface WaitingPart {
  readonly what: BlockKind;
  readonly text: string;
  readonly tokens: number;
  readonly items: readonly LedgerItem[];
  /** What had no room in the whole block: with the first of its parts. */
  readonly dropped?: readonly LedgerItem[];
}

export interface StateFile {
  readonly path: string;
  read(): SessionState | undefined;
  /** Reads, changes and writes under the session's lock. Returning the same object writes nothing. */
  update(change: (state: SessionState | undefined) => SessionState | undefined): Promise<void>;
}

/** Far more than a session with many rules, files and memos has. */
export const MAX_STATE_BYTES = 8 * 1024 * 1024;

/** What of a session's texts waits for an output that has room, for those who only look. */
export function waitingOf(
  home: Home,
  session: { readonly host: string; readonly id: string },
): readonly WaitingPart[] {
  const path = join(home.state, session.host, `${fileNameFor(session.id)}.json`);
  try {
    return parse(readText(path, { maxBytes: MAX_STATE_BYTES }))?.waiting ?? [];
  } catch {
    return []; // whoever only looks leaves a missing or strange state to those who use it
  }
}

/** How many locks all sessions share: enough that two sessions seldom wait for each other. */
const STRIPES = 64;

export function stateFile(
  home: Home,
  session: Session,
  options: {
    lockWaitMs: number;
    onDamaged(path: string, movedTo: string): void;
    /** The home could not take the state; it is kept in the temporary folder, if that can. */
    onUnkept?(error: unknown): void;
    /** A change whose outcome cannot be kept anywhere counts all the same. */
    evenUnkept?: boolean;
  },
): StateFile {
  const name = join(session.host, `${fileNameFor(session.id)}.json`);
  const path = join(home.state, name);
  const spare = spareFolder();
  // Each home has its own spare place: two of them may have sessions of one name.
  const sparePath = spare && join(spare, "state", fingerprint(home.root), name);
  const read = () => newestOf([path, sparePath], options.onDamaged);
  const updateIn = (locks: string, to: string, change: Change) =>
    withLock(
      join(locks, `state-${stripe(path)}`),
      () => {
        const before = read();
        const after = change(before);
        if (after === before || after === undefined) return;
        writeFileAtomic(to, `${JSON.stringify(after)}\n`);
        if (to === path && sparePath !== undefined) rmSync(sparePath, { force: true });
      },
      { waitMs: options.lockWaitMs },
    );
  return {
    path,
    read,
    async update(change) {
      const failed = await unlessDiskFails(change, (guarded) => updateIn(home.locks, path, guarded));
      if (failed === undefined) return;
      options.onUnkept?.(failed.error);
      const failedToo =
        spare === undefined || sparePath === undefined
          ? failed
          : await unlessDiskFails(change, (guarded) => updateIn(join(spare, "locks"), sparePath, guarded));
      if (failedToo === undefined) return;
      if (options.evenUnkept !== true) throw failedToo.error;
      change(read());
    },
  };
}

type Change = (state: SessionState | undefined) => SessionState | undefined;

/** Throws what is no fault of the disk's: what `change` throws, or a busy lock. */
async function unlessDiskFails(
  change: Change,
  update: (change: Change) => Promise<void>,
): Promise<{ readonly error: unknown } | undefined> {
  let thrown: unknown;
  try {
    await update((before) => {
      try {
        return change(before);
      } catch (error) {
        thrown = error;
        throw error;
      }
    });
    return undefined;
  } catch (error) {
    if (error === thrown || !isDiskFailure(error)) throw error;
    return { error };
  }
}

/** The disk is full, read-only, closed to us, or no disk. */
function isDiskFailure(error: unknown): boolean {
  if (systemCode(error) === "folder-unwritable") return true;
  return error instanceof Error && "syscall" in error;
}

/** Of what can be read. The home may have been full for a while: then the newer state is in the spare place. */
function newestOf(
  paths: readonly (string | undefined)[],
  onDamaged: (path: string, movedTo: string) => void,
): SessionState | undefined {
  let newest: SessionState | undefined;
  for (const path of paths) {
    if (path === undefined) continue;
    try {
      const state = readState(path, onDamaged);
      if (state !== undefined && (newest === undefined || state.seenAt > newest.seenAt)) newest = state;
    } catch (error) {
      if (!isDiskFailure(error)) throw error;
      // The session goes on as if it were new; whoever writes hears of the failure.
    }
  }
  return newest;
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
    value = parseBounded(text);
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
    (value["waiting"] === undefined || Array.isArray(value["waiting"])) &&
    (value["snapshot"] === null ||
      (isRecord(value["snapshot"]) && typeof value["snapshot"]["text"] === "string"));
  return sound ? (value as unknown as SessionState) : undefined;
}

function stripe(path: string): number {
  let hash = 0;
  for (let i = 0; i < path.length; i++) hash = (hash * 31 + path.charCodeAt(i)) >>> 0;
  return hash % STRIPES;
}
