import { join } from "node:path";
import { describeError } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { type Attempt, askForJson } from "../../../models/ask-for-json.ts";
import type { LanguageModel, ModelUsage } from "../../../models/port.ts";
import { addUsage } from "../../../models/usage-text.ts";
import type { Home } from "../../../store/home.ts";
import { withLock } from "../../../store/lock.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { rowOf, type SessionRow } from "../indexing/rows.ts";
import { nameRow } from "../indexing/writing.ts";
import {
  forgetTried,
  isForgotten,
  type OwnRecord,
  type RecordPlaces,
  readTried,
  recordPath,
  rememberTried,
  type SessionRecord,
  writeRecord,
} from "../records/files.ts";
import { allPassages } from "../search/search.ts";
import type { SessionKey } from "../session.ts";
import { type Briefing, briefingOf } from "./briefing.ts";
import { type Draft, draftedRecord, readDraft } from "./draft.ts";

export interface DescribeOptions {
  readonly model: LanguageModel;
  /** So many new prompts make it worth while; 0 when a person wants it now, whatever is new. */
  readonly leastPrompts: number;
  /** A person wants it: that it failed before is no reason to wait. */
  readonly isWanted?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Before each request: 1 is the first, 2 and 3 are tried because of an unusable answer. */
  readonly onAsk?: (number: number) => void;
  readonly onAttempt?: (attempt: Attempt) => void;
}

export type Described =
  | Told<{ readonly kind: "written"; readonly record: SessionRecord }>
  /** The record that there was stands as it is. */
  | Told<{ readonly kind: "failed"; readonly error: unknown }>
  /** Too little is new. */
  | { readonly kind: "early"; readonly newPrompts: number }
  /** Another process is at it. */
  | { readonly kind: "busy" }
  /** It is not indexed, or nothing was said in it. */
  | { readonly kind: "empty" };

type Told<T> = T & {
  readonly attempts: readonly Attempt[];
  /** Of all attempts; undefined when the model's server tells none. */
  readonly usage: ModelUsage | undefined;
};

/** What describing needs of the library. */
export interface Describer {
  readonly db: Database;
  readonly places: RecordPlaces;
  readonly now: () => number;
  /** The record as it is on disk. */
  readonly read: (key: SessionKey) => SessionRecord | undefined;
  /** One in the session's own words. */
  readonly makeFor: (row: SessionRow, before: SessionRecord | undefined) => OwnRecord;
}

/** A session's record, written by a model. Throws only when the signal fires, and for what is wrong with the disk. */
export async function describeSession(
  describer: Describer,
  key: SessionKey,
  options: DescribeOptions,
): Promise<Described> {
  const look = () => lookAt(describer, key, options);
  const first = look();
  if ("kind" in first) return first;
  try {
    return await inTurn(describer.places.home, key, async () => {
      // Another process may just have done it.
      const now = look();
      return "kind" in now ? now : ask(describer, key, now, options);
    });
  } catch (error) {
    if (describeError(error).code === "lock-busy") return { kind: "busy" };
    throw error;
  }
}

type Look = Briefing | Extract<Described, { kind: "early" | "empty" }>;

/** What would be sent now, and whether that is worth while. */
function lookAt(
  { db, places, read }: Describer,
  key: SessionKey,
  { leastPrompts, isWanted = leastPrompts === 0 }: DescribeOptions,
): Look {
  const row = rowOf(db, key);
  if (row === undefined) return { kind: "empty" };
  const tried = isWanted ? undefined : readTried(places, key);
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
  const remember = (error: unknown) => rememberTried(describer.places, key, lastTurn, error, describer.now());
  let usage: ModelUsage | undefined;
  let draft: Draft;
  signal?.throwIfAborted();
  // What is sent is paid for, also if this process ends before the answer comes: it must not be sent at every rest.
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

/** As things are now: while the model wrote, somebody may have named the session, or had it forgotten. */
function keep(
  { db, places, read, makeFor }: Describer,
  key: SessionKey,
  drafted: Parameters<typeof draftedRecord>[2],
): SessionRecord | undefined {
  const row = rowOf(db, key);
  if (row === undefined || isForgotten(places, key)) return undefined;
  const before = read(key);
  const record = draftedRecord(makeFor(row, before), before, drafted);
  writeRecord(recordPath(places, key), record);
  forgetTried(places, key);
  if (record.continuo?.namedBy === "model") rename(db, row, record.name);
  return record;
}

function rename(db: Database, row: SessionRow, name: string): void {
  if (row.name === name && row.named_by === "model") return;
  try {
    nameRow(db, row.id, name, "model");
  } catch (error) {
    // Another process indexes: the name is in the record, and is taken from there when more of the session is read.
    if (describeError(error).code !== "index-busy") throw error;
  }
}

/** Locks with this beginning are held while a model answers, which takes a while. */
export const DESCRIBING = "describe-";
/** Three answers of the slowest model that settings allow. */
export const LONGEST_DESCRIBING_MS = 31 * 60_000;

/** One process at a time describes a session; another is refused at once with `lock-busy`. */
export function inTurn<T>(home: Home, { host, id }: SessionKey, work: () => Promise<T>): Promise<T> {
  // Few locks for all sessions: two that share one are seldom described at once.
  const stripe = fingerprint(`${host}/${id}`).slice(0, 2);
  return withLock(join(home.locks, DESCRIBING + stripe), work, {
    waitMs: 0,
    staleMs: LONGEST_DESCRIBING_MS,
  });
}
