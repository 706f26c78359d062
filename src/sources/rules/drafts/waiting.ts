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

/**
 * The most pending drafts; no more are added until some are decided. The user's own are counted separately from
 * projects'.
 */
export const MAX_WAITING = 200;
/** The most questions about one project's rules, so that no repository uses up the space of others. */
export const MAX_OF_PROJECT = 20;
/** A longer file is rewritten without obsolete lines. */
const MAX_BYTES = 1024 * 1024;
/** A much longer file is not read, whoever wrote it. */
const READ_BYTES = 8 * MAX_BYTES;
/** How many decisions stay undoable after the file was rewritten. */
const KEPT_DECISIONS = 100;
const MAX_KEYS = 2_000;
const MAX_EXAMPLE = 300;

export interface WaitingDraft {
  readonly draft: Draft;
  readonly at: number;
  /** What it would have reported in past sessions, if that was tried. */
  readonly tried?: readonly string[];
}

export interface Waiting {
  readonly drafts: readonly WaitingDraft[];
  readonly questions: readonly QuestionRecord[];
  /** Decisions that were not undone, oldest first. */
  readonly decided: readonly DecidedRecord[];
  /** What is not suggested again. */
  readonly rejected: ReadonlySet<string>;
  /** Unreadable lines. They stay in the file, and `doctor` reports them. */
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
  /** What is no longer pending: decided, or (undefined) obsolete. */
  readonly over: ReadonlyMap<string, DecidedRecord | undefined>;
  readonly decided: readonly DecidedRecord[];
}

/**
 * Only an undo reverts a decision. A later record about a decided suggestion just updates it, and an obsolete
 * suggestion becomes pending again.
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
      // Accepting a question about one check of a rule decides nothing about its other checks.
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

/** Whether it comes from the user's words, or from one of their own rules. */
export function isUsersDraft({ from }: Draft): boolean {
  return from.kind === "said" || from.scope === "global";
}

/** How many drafts can be added: the user's, or projects'. */
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

/** Adds records under the lock, given what is pending. A file that has become too long is rewritten. */
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

/**
 * Keeps pending suggestions, decisions that can be undone with their suggestions, older decisions, and damaged lines.
 */
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
 * Asks the user whether a rule that the agent keeps breaking should be refused from now on; the question becomes a
 * pending suggestion. Asked once per rule and project until they decide. False if they do not want to be asked, or if
 * it could not be stored. Never throws: a failure is recorded. Takes no lock, because a tool call is waiting: it only
 * appends a line.
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
    // Already decided: storing it would not ask again.
    if (!isAsked(fold({ records: [...records, record], damaged }).questions)) return false;
    append(home.root, [record]);
    return true;
  } catch (error) {
    recordHealth(home.logs, failure("rules question", error, at));
    return false;
  }
}
