import { isRecord } from "../../../base/json.ts";

/**
 * What checks remember about a session, in `memos.rules.checks` of its state. Absent until a check was applied. The
 * state is read at every hook, so everything here is limited in size.
 */
export interface CheckMemo {
  /** By `rule key#check id`. */
  readonly seen: Readonly<Record<string, Seen>>;
  /** By the rule's key: rules that were broken in this session. */
  readonly broken: Readonly<Record<string, BrokenRule>>;
  /** Places in files that the model was told about, oldest first. */
  readonly places: readonly KnownPlace[];
  /** Places that the user was asked about before the call: if the call was made, they allowed it. */
  readonly asked: readonly string[];
  /**
   * Checks (`rule key#check id`) that the model is no longer told about in this session, because they match too often.
   */
  readonly quiet: readonly string[];
  /** Breaches found when the agent stopped. The model is told at its next step. */
  readonly toTell: readonly ToTell[];
  /** Whether the session was compacted before. */
  readonly isCompacted: boolean;
  /** Which commands ran since which edits, in the form of `commands-so-far.ts`. */
  readonly soFar: unknown;
  /** The commands that rules run. */
  readonly runs: RunMemo;
}

/**
 * How often a check was applied: since the last ledger entry; among its first 20 times; and how many of those broke it.
 */
export type Seen = readonly [unrecorded: number, first: number, broken: number];

export interface BrokenRule {
  readonly breaches: number;
  readonly reminders: number;
  /** The user was asked what to do about this rule, so the model is not reminded any more. */
  readonly isAsked?: boolean;
}

/**
 * A breach's place, the fingerprint of its file, and how many edits of this file since then did not contain the place.
 * From three on, an edit that adds it again counts as adding it again after a removal.
 */
export type KnownPlace = readonly [place: string, file: string, editsSince: number];

interface ToTell {
  readonly key: string;
  readonly name: string;
  readonly text: string;
}

export const NO_RUNS: RunMemo = { started: {}, named: null };

export const NOTHING_SEEN: CheckMemo = {
  seen: {},
  broken: {},
  places: [],
  asked: [],
  quiet: [],
  toTell: [],
  isCompacted: false,
  soFar: undefined,
  runs: NO_RUNS,
};

export const MAX_PLACES = 500;
export const MAX_ASKED = 50;
export const MAX_TO_TELL = 20;
/** For checks and for rules. */
export const MAX_COUNTED = 2000;

/** A memo is read from disk: a field or an entry of the wrong type counts as absent. */
export function readCheckMemo(value: unknown): CheckMemo | undefined {
  if (!isRecord(value)) return undefined;
  const list = (key: string): readonly unknown[] => (Array.isArray(value[key]) ? value[key] : []);
  const texts = (key: string) => list(key).filter((one) => typeof one === "string");
  return {
    seen: valuesOf(value["seen"], isSeen),
    broken: valuesOf(value["broken"], isBrokenRule),
    places: list("places").filter(isPlace),
    asked: texts("asked"),
    quiet: texts("quiet"),
    toTell: list("toTell").filter(isToTell),
    isCompacted: value["isCompacted"] === true,
    soFar: value["soFar"],
    runs: readRunMemo(value["runs"]),
  };
}

function valuesOf<T>(value: unknown, is: (one: unknown) => one is T): Record<string, T> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, T] => is(entry[1])));
}

function isSeen(one: unknown): one is Seen {
  return Array.isArray(one) && one.length === 3 && one.every(Number.isSafeInteger);
}

function isBrokenRule(one: unknown): one is BrokenRule {
  return isRecord(one) && Number.isSafeInteger(one["breaches"]) && Number.isSafeInteger(one["reminders"]);
}

function isPlace(one: unknown): one is KnownPlace {
  return (
    Array.isArray(one) &&
    typeof one[0] === "string" &&
    typeof one[1] === "string" &&
    Number.isSafeInteger(one[2])
  );
}

function isToTell(one: unknown): one is ToTell {
  return isRecord(one) && ["key", "name", "text"].every((key) => typeof one[key] === "string");
}

/** What is remembered about the commands that rules run in a session. */
export interface RunMemo {
  /** By `rule key#check id`: when its last run started. Files written later count as changed. */
  readonly started: Readonly<Record<string, number>>;
  /** A fingerprint of the commands that need the user's consent and were already mentioned in this session. */
  readonly named: string | null;
}

/** More checks than any rule set has; the memo is read at every hook. */
const MAX_STARTED = 100;

/** As read from the state; a field of the wrong type counts as absent. */
function readRunMemo(value: unknown): RunMemo {
  if (!isRecord(value)) return NO_RUNS;
  const { started, named } = value;
  const times = isRecord(started) ? Object.entries(started) : [];
  return {
    started: Object.fromEntries(
      times.filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
    ),
    named: typeof named === "string" ? named : null,
  };
}

export function withStarted(memo: RunMemo, ids: readonly string[], at: number): RunMemo {
  return { ...memo, started: latest({ ...memo.started, ...Object.fromEntries(ids.map((id) => [id, at])) }) };
}

/** Merges a memo that another process changed meanwhile: the later start of each check counts. */
export function mergeRunMemo(newest: RunMemo, { started, named }: RunMemo): RunMemo {
  const later = Object.entries(started).filter(([id, at]) => at > (newest.started[id] ?? 0));
  return {
    started: latest({ ...newest.started, ...Object.fromEntries(later) }),
    named: named ?? newest.named,
  };
}

function latest(started: RunMemo["started"]): RunMemo["started"] {
  const all = Object.entries(started);
  return all.length <= MAX_STARTED
    ? started
    : Object.fromEntries(all.sort(([, a], [, b]) => a - b).slice(-MAX_STARTED));
}
