import { join } from "node:path";
import { ContinuoError, describeError } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { type Attempt, askForJson } from "../../../models/ask-for-json.ts";
import { addUsage, type LanguageModel, type ModelUsage } from "../../../models/language-model.ts";
import type { Home } from "../../../store/home.ts";
import { withLock } from "../../../store/lock.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { rowOf, type SessionRow } from "../indexing/rows.ts";
import { nameRow } from "../indexing/writing.ts";
import {
  hasTombstone,
  type OwnRecord,
  type RecordPlaces,
  readFailedAttempt,
  recordPath,
  removeFailedAttempt,
  type SessionRecord,
  writeFailedAttempt,
  writeRecord,
} from "../records/files.ts";
import { allPassages } from "../search/search.ts";
import type { SessionKey } from "../session.ts";
import { type Briefing, briefingOf } from "./briefing.ts";
import { type Draft, draftedRecord, readDraft } from "./draft.ts";

export interface DescribeOptions {
  readonly model: LanguageModel;
  /** How many new prompts are worth a new record; 0 if the user asks for it. */
  readonly leastPrompts: number;
  /** Set if the user asks for it now, even after a failed attempt. */
  readonly isWanted?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called before each request: 1 is the first, 2 and 3 follow an unusable answer. */
  readonly onAsk?: (number: number) => void;
  readonly onAttempt?: (attempt: Attempt) => void;
}

export type Described =
  | Attempted<{ readonly kind: "written"; readonly record: SessionRecord }>
  /** The existing record is unchanged. */
  | Attempted<{ readonly kind: "failed"; readonly error: unknown }>
  /** Too few new prompts. */
  | { readonly kind: "early"; readonly newPrompts: number }
  /** Another process is describing it. */
  | { readonly kind: "busy" }
  /** The session is not indexed or has no text. */
  | { readonly kind: "empty" };

type Attempted<T> = T & {
  readonly attempts: readonly Attempt[];
  /** For all attempts together; undefined if the model's server reports none. */
  readonly usage: ModelUsage | undefined;
};

/** What `describeSession` needs from the library. */
interface Describer {
  readonly db: Database;
  readonly places: RecordPlaces;
  readonly now: () => number;
  /** The record as it is on disk. */
  readonly read: (key: SessionKey) => SessionRecord | undefined;
  /** Creates an extracted record. */
  readonly makeFor: (row: SessionRow, before: SessionRecord | undefined) => OwnRecord;
}

/** What `describeSession` would send; undefined if the session is not indexed or has no text. */
export function briefingFor({ db, read }: Describer, key: SessionKey): Briefing | undefined {
  const row = rowOf(db, key);
  return row && briefingOf(allPassages(db, row.id), read(key));
}

/** Lets a model write a session's record. Throws only if the signal fires, and for disk errors. */
export async function describeSession(
  describer: Describer,
  key: SessionKey,
  options: DescribeOptions,
): Promise<Described> {
  const prepared = () => prepare(describer, key, options);
  const first = prepared();
  if ("kind" in first) return first;
  try {
    return await oneAtATime(describer.places.home, key, async () => {
      // Another process may have just finished it.
      const now = prepared();
      return "kind" in now ? now : ask(describer, key, now, options);
    });
  } catch (error) {
    if (describeError(error).code === "lock-busy") return { kind: "busy" };
    throw error;
  }
}

type Prepared = Briefing | Extract<Described, { kind: "early" | "empty" }>;

/** What would be sent now, or why nothing is. */
function prepare(
  { db, places, read }: Describer,
  key: SessionKey,
  { leastPrompts, isWanted = leastPrompts === 0 }: DescribeOptions,
): Prepared {
  const row = rowOf(db, key);
  if (row === undefined) return { kind: "empty" };
  const tried = isWanted ? undefined : readFailedAttempt(places, key);
  const briefing = briefingOf(allPassages(db, row.id), read(key), tried?.turn);
  if (briefing === undefined) return { kind: "empty" };
  const { newPrompts } = briefing;
  return newPrompts < leastPrompts ? { kind: "early", newPrompts } : briefing;
}

async function ask(
  describer: Describer,
  key: SessionKey,
  { request, lastTurn }: Briefing,
  { model, signal, onAsk, onAttempt }: DescribeOptions,
): Promise<Described> {
  const attempts: Attempt[] = [];
  const remember = (error: unknown) =>
    writeFailedAttempt(describer.places, key, lastTurn, error, describer.now());
  let usage: ModelUsage | undefined;
  let draft: Draft;
  signal?.throwIfAborted();
  // A request is paid for even if this process ends before the answer, so it must not be sent again each time the
  // session goes idle.
  remember(new Error("it ended before the model had answered"));
  try {
    draft = await askForJson(model, {
      ...request,
      signal,
      read: readDraft,
      ...(onAsk && { onAsk }),
      onAttempt(attempt) {
        attempts.push(attempt);
        if (attempt.usage !== undefined) usage = addUsage(attempt.usage, usage);
        onAttempt?.(attempt);
      },
    });
  } catch (error) {
    signal?.throwIfAborted();
    remember(error);
    return { kind: "failed", error, attempts, usage };
  }
  const drafted = { draft, model: model.key, lastTurn, shown: request.prompt };
  const record = keep(describer, key, drafted);
  return record === undefined ? { kind: "empty" } : { kind: "written", record, attempts, usage };
}

/** Reads the state again: while the model wrote, the session may have been named or forgotten. */
function keep(
  { db, places, read, makeFor }: Describer,
  key: SessionKey,
  drafted: Parameters<typeof draftedRecord>[2],
): SessionRecord | undefined {
  const row = rowOf(db, key);
  if (row === undefined || hasTombstone(places, key)) return undefined;
  const before = read(key);
  const record = draftedRecord(makeFor(row, before), before, drafted);
  writeRecord(recordPath(places, key), record);
  removeFailedAttempt(places, key);
  if (record.continuo?.namedBy === "model") rename(db, row, record.name);
  return record;
}

function rename(db: Database, row: SessionRow, name: string): void {
  if (row.name === name && row.named_by === "model") return;
  try {
    nameRow(db, row.id, name, "model");
  } catch (error) {
    // Another process is indexing. The record contains the name, and later indexing reads it from there.
    if (describeError(error).code !== "index-busy") throw error;
  }
}

/** Prefix of locks that are held while a model answers, which takes long. */
export const DESCRIBING = "describe-";
/** Three answers of the slowest model that the settings allow. */
export const LONGEST_DESCRIBING_MS = 31 * 60_000;

/** Only one process at a time describes a session; another one fails at once with `lock-busy`. */
function oneAtATime<T>(home: Home, { host, id }: SessionKey, work: () => Promise<T>): Promise<T> {
  // A few locks for all sessions: two sessions with the same lock are seldom described at once.
  const stripe = fingerprint(`${host}/${id}`).slice(0, 2);
  return withLock(join(home.locks, DESCRIBING + stripe), work, {
    waitMs: 0,
    staleMs: LONGEST_DESCRIBING_MS,
  });
}

/** Models are configured but none is usable; each problem says how to fix it. */
export function modelUnusable(problems: readonly string[]): ContinuoError {
  return new ContinuoError("model-unusable", `no model in modelKeys can be used: ${problems.join("; ")}`, {
    hint: "until one can, summaries are extracted without a model",
  });
}
