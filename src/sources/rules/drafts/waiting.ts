import { join } from "node:path";
import { ContinuoError, describeError, isSystemError, systemCode } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { clip } from "../../../base/text.ts";
import { ensureFolder } from "../../../store/folder.ts";
import { failure, recordHealth } from "../../../store/health.ts";
import { type Home, homeAt } from "../../../store/home.ts";
import { withLock } from "../../../store/lock.ts";
import { readTextIfAny } from "../../../store/read-file.ts";
import { redact } from "../../../store/redact.ts";
import { appendLines, writeFileAtomic } from "../../../store/write-file.ts";
import type { Question } from "../checks/person.ts";
import { WAITING_FILE } from "./count-waiting.ts";
import { isRejected } from "./made.ts";
import {
  type DecidedRecord,
  type Draft,
  parseRecord,
  type QuestionRecord,
  type WaitingRecord,
} from "./records.ts";

/** More than anybody decides: nothing is added while this many wait. The user's own are counted apart from projects'. */
export const MAX_WAITING = 200;
/** Questions about the rules of one project: no repository takes the room of the others. */
export const MAX_OF_PROJECT = 20;
/** A longer file is written again without what is over. */
const MAX_BYTES = 1024 * 1024;
/** Many times that: whoever wrote it, it is not read. */
const READ_BYTES = 8 * MAX_BYTES;
/** Decisions that can be undone after the file was written again. */
const KEPT_DECISIONS = 100;
const MAX_KEYS = 2_000;
const MAX_EXAMPLE = 300;

export interface WaitingDraft {
  readonly draft: Draft;
  readonly at: number;
  /** What it would have said in past sessions, if that was tried. */
  readonly tried?: readonly string[];
}

export interface Waiting {
  readonly drafts: readonly WaitingDraft[];
  readonly questions: readonly QuestionRecord[];
  /** Decisions that were not undone, oldest first. */
  readonly decided: readonly DecidedRecord[];
  /** What is not suggested again. */
  readonly rejected: ReadonlySet<string>;
  /** Lines that cannot be read. They are kept in the file, and `doctor` reports them. */
  readonly damaged: readonly string[];
}

export function waitingPath(home: string): string {
  return join(home, WAITING_FILE);
}

/** Throws if the file exists and cannot be read. */
export function readWaiting(home: string): Waiting {
  return fold(readRecords(home));
}

interface Records {
  readonly records: readonly WaitingRecord[];
  readonly damaged: readonly string[];
  readonly bytes: number;
}

function readRecords(home: string): Records {
  const path = waitingPath(home);
  let text: string;
  try {
    text = readTextIfAny(path, { maxBytes: READ_BYTES }) ?? "";
  } catch (error) {
    if (!isSystemError(error) && systemCode(error) === undefined) throw error;
    throw new ContinuoError("checks-unreadable", `${path} cannot be read: ${describeError(error).message}`, {
      hint: "make it readable, or move it away: then suggestions are collected in a new file",
      cause: error,
    });
  }
  const records: WaitingRecord[] = [];
  const damaged: string[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const record = parseRecord(line);
    if (record === undefined) damaged.push(line);
    else records.push(record);
  }
  return { records, damaged, bytes: text.length };
}

interface Known {
  readonly drafts: ReadonlyMap<string, WaitingDraft>;
  readonly questions: ReadonlyMap<string, QuestionRecord>;
  /** What does not wait: decided, or (undefined) gone. */
  readonly over: ReadonlyMap<string, DecidedRecord | undefined>;
  readonly decided: readonly DecidedRecord[];
}

/**
 * Only an undo takes a decision back: a record that comes after it changes what is known of the suggestion, and a suggestion
 * that was gone waits again.
 */
function collect(records: readonly WaitingRecord[]): Known {
  const undone = new Set(records.flatMap((one) => (one.kind === "undone" ? [one.batch] : [])));
  const drafts = new Map<string, WaitingDraft>();
  const questions = new Map<string, QuestionRecord>();
  const over = new Map<string, DecidedRecord | undefined>();
  const decided: DecidedRecord[] = [];
  for (const record of records) {
    if (record.kind === "draft") {
      const known = drafts.get(record.draft.id);
      drafts.set(record.draft.id, { ...known, draft: record.draft, at: known?.at ?? record.at });
      if (over.get(record.draft.id) === undefined) over.delete(record.draft.id);
    } else if (record.kind === "question") {
      const before = questions.get(record.id)?.question.check;
      questions.set(record.id, record);
      const decision = over.get(record.id);
      // Who refuses what breaks one check of a rule has not decided about its other checks.
      const isOther = decision?.what === "accept" && before !== record.question.check;
      if (decision === undefined || isOther) over.delete(record.id);
    } else if (record.kind === "tried") {
      const known = drafts.get(record.id);
      if (known !== undefined) drafts.set(record.id, { ...known, tried: record.lines });
    } else if (record.kind === "decided" && !undone.has(record.batch)) {
      over.set(record.id, record);
      decided.push(record);
    } else if (record.kind === "gone" && !over.has(record.id)) over.set(record.id, undefined);
  }
  return { drafts, questions, over, decided };
}

function fold({ records, damaged }: Pick<Records, "records" | "damaged">): Waiting {
  const { drafts, questions, over, decided } = collect(records);
  const rejected = new Set(decided.flatMap(({ what, keys }) => (what === "accept" ? [] : keys)));
  return {
    drafts: [...drafts.values()]
      .filter(({ draft }) => !over.has(draft.id) && !isRejected(draft, rejected))
      .filter(withRoom(({ draft }) => isUsersDraft(draft))),
    questions: [...questions.values()]
      .filter(({ id }) => !over.has(id))
      .filter(withRoom(({ question }) => question.isUsers === true)),
    decided,
    rejected,
    damaged,
  };
}

/** Said by the user, or from a rule of their own. */
export function isUsersDraft({ from }: Draft): boolean {
  return from.kind === "said" || from.scope === "global";
}

/** How many drafts can be added: of the user, or of projects. */
export function roomForDrafts({ drafts }: Waiting, isUsers: boolean): number {
  return Math.max(0, MAX_WAITING - drafts.filter(({ draft }) => isUsersDraft(draft) === isUsers).length);
}

/** True for the first ones of the user, and for the first ones of projects. */
function withRoom<T>(isUsers: (one: T) => boolean): (one: T) => boolean {
  const counts = { users: 0, projects: 0 };
  return (one) => counts[isUsers(one) ? "users" : "projects"]++ < MAX_WAITING;
}

function hasRoom(questions: readonly QuestionRecord[], { isUsers, project }: Question): boolean {
  const same = questions.filter(({ question }) => (question.isUsers === true) === (isUsers === true));
  if (same.length >= MAX_WAITING) return false;
  const here = same.filter(({ question }) => question.project.id === project.id);
  return isUsers === true || here.length < MAX_OF_PROJECT;
}

export interface ChangeOptions {
  readonly lockWaitMs: number;
}

/** Adds records under the lock, given what waits then. A file that has become long is written again. */
export async function changeWaiting<T extends { readonly records: readonly WaitingRecord[] }>(
  home: string,
  change: (waiting: Waiting) => T | Promise<T>,
  { lockWaitMs }: ChangeOptions,
): Promise<T> {
  return withLock(
    join(homeAt(home).locks, "checks"),
    async () => {
      const before = readRecords(home);
      const made = await change(fold(before));
      if (made.records.length > 0) append(home, made.records);
      if (before.bytes > MAX_BYTES) shorten(home);
      return made;
    },
    { waitMs: lockWaitMs },
  );
}

function append(home: string, records: readonly WaitingRecord[]): void {
  ensureFolder(home);
  appendLines(waitingPath(home), records.map((one) => `${JSON.stringify(one)}\n`).join(""), {
    durable: true,
  });
}

/** Keeps what waits, what can be undone with its suggestion, what was decided before that, and damaged lines. */
function shorten(home: string): void {
  const { records, damaged } = readRecords(home);
  const { drafts, questions, over, decided } = collect(records);
  const recent = decided.slice(-KEPT_DECISIONS);
  const earlier = decided.slice(0, -KEPT_DECISIONS).slice(-MAX_KEYS);
  const canReturn = new Set(recent.map(({ id }) => id));
  const kept: WaitingRecord[] = [
    ...earlier.map(({ change: _, ...one }) => one),
    ...[...drafts.values()]
      .filter(({ draft: { id } }) => !over.has(id) || canReturn.has(id))
      .flatMap(({ draft, at, tried }): WaitingRecord[] => [
        { kind: "draft", at, draft },
        ...(tried === undefined ? [] : [{ kind: "tried" as const, at, id: draft.id, lines: tried }]),
      ]),
    ...[...questions.values()].filter(({ id }) => over.has(id) && canReturn.has(id)),
    ...recent,
    ...[...questions.values()].filter(({ id }) => !over.has(id)),
  ];
  const lines = [...damaged.slice(0, MAX_WAITING), ...kept.map((one) => JSON.stringify(one))];
  writeFileAtomic(waitingPath(home), lines.map((line) => `${line}\n`).join(""));
}

/** What is not asked again after "keep checking": the rule, in this project. */
export function questionKey({ rule, project }: Pick<Question, "rule" | "project">): string {
  return fingerprint(`question ${project.id} ${rule}`);
}

/**
 * Asks the person whether a rule that the agent goes on to break shall be refused from now on: it waits in the review. Asked
 * once per rule and project until they decide. False if they do not want to be asked, or it could not be stored. Never throws:
 * a failure is recorded. It takes no lock, because a tool call waits: it only appends a line.
 */
export function askPerson(home: Home, question: Question, at: number): boolean {
  try {
    const key = questionKey(question);
    const { records, damaged } = readRecords(home.root);
    const { questions } = fold({ records, damaged });
    const isAsked = (questions: readonly QuestionRecord[]) => questions.some(({ id }) => id === key);
    if (isAsked(questions)) return true;
    if (!hasRoom(questions, question)) return false;
    const shown = (text: string) => clip(redact(oneLine(text)), MAX_EXAMPLE);
    const asked = { ...question, name: shown(question.name), example: shown(question.example) };
    const record: WaitingRecord = { kind: "question", at, id: key, question: asked };
    // Decided already: storing it would ask nothing.
    if (!isAsked(fold({ records: [...records, record], damaged }).questions)) return false;
    append(home.root, [record]);
    return true;
  } catch (error) {
    recordHealth(home.logs, failure("rules question", error, at));
    return false;
  }
}
