import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ContinuoError, systemCode } from "../../base/errors.ts";
import { fingerprint } from "../../base/fingerprint.ts";
import { isRecord, parseBounded } from "../../base/json.ts";
import type { BlockKind } from "../../compose/render.ts";
import type { Section } from "../../compose/section.ts";
import { spareFolder } from "../../store/folder.ts";
import { fileNameFor, type Home } from "../../store/home.ts";
import type { HostProcess } from "../../store/host-process.ts";
import { withLock } from "../../store/lock.ts";
import { isRefused, readText, readTextIfAny } from "../../store/read-file.ts";
import { writeFileAtomic } from "../../store/write-file.ts";
import type { Project, Session } from "../types.ts";
import type { FileUse } from "../working-set.ts";
import type { LedgerItem } from "./ledger.ts";
import { parseOnce } from "./parse-once.ts";
import type { Spent } from "./spent.ts";

/** The stored state of one session, at `state/<host>/<id>.json`. The format is documented in docs/design/state.md. */
export interface SessionState {
  readonly version: 1;
  readonly session: Session;
  readonly project: Project;
  /** The folder in which the session began: the next one is expected to begin there too. */
  readonly cwd?: string;
  readonly startedAt: string;
  readonly seenAt: string;
  /** When the agent last went idle, or the session ended. */
  readonly idleAt?: string;
  /** The agent's last known work: since which prompt, its last sign of life, and the agent's process if known. */
  readonly work?: { readonly since: string; readonly at: string; readonly process?: HostProcess };
  readonly isEnded?: boolean;
  /** Set if the agent went on because its stop was refused, and has not stopped since. */
  readonly isStopRefused?: boolean;
  /** When the user last looked at it in the page, or changed its metadata. A prompt counts too. */
  readonly observedAt?: string;
  /** Incremented at every start, resume without a snapshot, and compaction. */
  readonly epoch: number;
  /** The fixed text of this epoch; null until it was composed. */
  readonly snapshot: Snapshot | null;
  /** How many UTF-16 units Continuo has shown the model in this epoch. */
  readonly shown?: number;
  /** What was delivered in this epoch, for the status line: `3 rules`, and what it costs. */
  readonly given?: Given;
  /** What moments have cost since the session's last line in the ledger. */
  readonly spent?: Spent;
  /** Composed parts that did not fit into an output yet, in order. */
  readonly waiting?: readonly WaitingPart[];
  /** Parts that were handed to the host but that its transcript has not shown yet, oldest first. */
  readonly unseen?: readonly UnseenPart[];
  /**
   * The transcript never showed the snapshot, although it was delivered several times: it is not relied on any more.
   */
  readonly isNeverShown?: boolean;
  /** The last event that took parts, and the number of the hook entry that may take the next one. */
  readonly turn?: { readonly occurrence: string; readonly at: string; readonly entry: number };
  /** What began this epoch. */
  readonly begunBy?: "start" | "resume" | "compacted";
  /** Set if the host announced a compaction whose epoch has not begun. */
  readonly compacting?: boolean;
  /**
   * Set if a compaction removed Continuo's texts and its epoch has not begun: the next prompt or tool call begins it.
   */
  readonly owed?: boolean;
  /** The session was resumed and no prompt has come since. */
  readonly resumed?: boolean;
  /** The host's summary at the last compaction, with secrets redacted. */
  readonly summary?: { readonly text: string; readonly at: string };
  /** Fingerprints of what was delivered in this epoch, by `source/key`; with a leading minus if there was no room. */
  readonly delivered: Readonly<Record<string, string>>;
  /** Items of the snapshot whose text has changed or no longer holds: a replayed snapshot shows their old text. */
  readonly corrected?: readonly string[];
  /** Files that tool calls touched, most recent last. */
  readonly workingSet: readonly FileUse[];
  /** What each source remembers about this session. */
  readonly memos: Readonly<Record<string, unknown>>;
}

export interface Given {
  readonly counts: readonly string[];
  readonly tokens: number;
}

interface Snapshot {
  /** The first part, if there are several. */
  readonly text: string;
  readonly fingerprint: string;
  readonly at: string;
  /** The other parts shown at the same event. A resume replays them, each through the same hook entry. */
  readonly more?: readonly string[];
  /** `source/key` of the items that it contained or dropped. */
  readonly keys?: readonly string[];
  /** What sources contributed: used again if a source is late at a compaction. */
  readonly sections?: readonly StoredSection[];
  /** After a compaction, in a host that keeps the snapshot at the front: what was new then. It follows the summary. */
  readonly tail?: string;
}

/** A section of a snapshot as it was delivered. */
export type StoredSection = Omit<Section, "summary">;

export interface WaitingPart {
  readonly what: BlockKind;
  readonly text: string;
  readonly tokens: number;
  readonly items: readonly LedgerItem[];
  /** Items that had no room in the whole block; only in its first part. */
  readonly dropped?: readonly LedgerItem[];
  /** How often it was handed to the host without appearing in the transcript. */
  readonly times?: number;
}

export interface UnseenPart extends WaitingPart {
  /** When it was handed to the host. */
  readonly at: string;
  readonly times: number;
}

export interface StateFile {
  readonly path: string;
  read(): SessionState | undefined;
  /** Reads, changes and writes under the session's lock. Writes nothing if `change` returns the same object. */
  update(change: (state: SessionState | undefined) => SessionState | undefined): Promise<void>;
}

/** Far more than a session with many rules, files and memos needs. */
export const MAX_STATE_BYTES = 8 * 1024 * 1024;

/** Only for display: never changes or repairs the state. The session's host may come from a request. */
export function peekState(
  home: Home,
  session: { readonly host: string; readonly id: string },
): SessionState | undefined {
  const path = join(home.state, fileNameFor(session.host), `${fileNameFor(session.id)}.json`);
  try {
    return parse(readText(path, { maxBytes: MAX_STATE_BYTES }));
  } catch {
    return undefined; // a missing or damaged state is handled by its users
  }
}

/** How many locks all sessions share: enough that two sessions rarely wait for each other. */
const STRIPES = 64;

export function stateFile(
  home: Home,
  session: Session,
  options: {
    lockWaitMs: number;
    onDamaged(path: string, movedTo: string): void;
    /**
     * Called if the state could not be written to the home; it is then written to the temporary folder, if possible.
     */
    onUnsaved?(error: unknown): void;
    /** Whether `update` succeeds even if the changed state cannot be saved anywhere. */
    acceptsUnsaved?: boolean;
  },
): StateFile {
  const name = join(session.host, `${fileNameFor(session.id)}.json`);
  const path = join(home.state, name);
  const spare = spareFolder();
  // Each home has its own spare folder: two homes may have sessions with the same id.
  const sparePath = spare && join(spare, "state", fingerprint(home.root), name);
  const read = () => newestOf([path, sparePath], options.onDamaged);
  const updateIn = (locks: string, to: string, change: Change) =>
    withLock(
      join(locks, `state-${stripe(path)}`),
      () => {
        const before = read();
        const after = change(before);
        if (after === before || after === undefined) return;
        // Flushing to the disk takes longer than everything else, and losing a session's state in a power cut costs
        // only one more snapshot.
        writeFileAtomic(to, `${JSON.stringify(after)}\n`, { durable: false });
        if (to === path && sparePath !== undefined && existsSync(sparePath))
          rmSync(sparePath, { force: true });
      },
      { waitMs: options.lockWaitMs },
    );
  return {
    path,
    read,
    async update(change) {
      const failed = await unlessDiskFails(change, (guarded) => updateIn(home.locks, path, guarded));
      if (failed === undefined) return;
      options.onUnsaved?.(failed.error);
      const failedToo =
        spare === undefined || sparePath === undefined
          ? failed
          : await unlessDiskFails(change, (guarded) => updateIn(join(spare, "locks"), sparePath, guarded));
      if (failedToo === undefined) return;
      if (options.acceptsUnsaved !== true) throw failedToo.error;
      change(read());
    },
  };
}

type Change = (state: SessionState | undefined) => SessionState | undefined;

/** Returns a disk failure. Throws everything else: errors from `change`, or a busy lock. */
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

/** Whether the disk is full, read-only or missing, or access is denied. */
function isDiskFailure(error: unknown): boolean {
  if (systemCode(error) === "folder-unwritable") return true;
  return error instanceof Error && "syscall" in error;
}

/** The newest readable state. If the home was full for a while, the newer one is in the spare folder. */
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
      // The session continues like a new one; the next write reports the failure.
    }
  }
  return newest;
}

function readState(
  path: string,
  onDamaged: (path: string, movedTo: string) => void,
): SessionState | undefined {
  let text: string | undefined;
  try {
    text = readTextIfAny(path, { maxBytes: MAX_STATE_BYTES });
  } catch (error) {
    if (!isRefused(error)) throw error;
    text = "not a session state";
  }
  if (text === undefined || text.trim() === "") return undefined; // a crash or a full disk: there is nothing to lose
  const state = parseOnce(path, text, parse);
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
    return undefined; // the caller moves the damaged file aside and reports it
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
    (value["unseen"] === undefined || Array.isArray(value["unseen"])) &&
    (value["snapshot"] === null ||
      (isRecord(value["snapshot"]) && typeof value["snapshot"]["text"] === "string"));
  return sound ? (value as unknown as SessionState) : undefined;
}

function stripe(path: string): number {
  let hash = 0;
  for (let i = 0; i < path.length; i++) hash = (hash * 31 + path.charCodeAt(i)) >>> 0;
  return hash % STRIPES;
}
