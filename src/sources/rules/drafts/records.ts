import { isRecord, parseBounded } from "../../../base/json.ts";
import type { Project } from "../../../moments/types.ts";
import type { Question } from "../checks/person.ts";
import type { Dialect } from "../rule.ts";

/** What is suggested to the user about checks, and the user's decisions. Plain JSON, one object per line. */

/** A check as in YAML, before it is accepted. */
export interface DraftCheck {
  readonly on: "edits" | "commands" | "done" | "answer";
  /** A regular expression for what must not occur. */
  readonly never?: string;
  /** A command that is allowed only after `ran`. */
  readonly before?: string;
  readonly ran?: string;
  /** Globs (default: the rule's own). */
  readonly files?: readonly string[];
  /** The folder named in the sentence; `files` are in it. */
  readonly place?: string;
  /** The rule's own globs, to show. */
  readonly ruleFiles?: readonly string[];
  /** Set if the user changed its pattern. */
  readonly isEdited?: true;
  /** The text from which `never` or `before` was derived, as users write it. */
  readonly literal: string;
}

/** Where a draft comes from: a rule's text, or a sentence that the user typed. */
export type DraftOrigin = RuleOrigin | SaidOrigin;

export interface RuleOrigin {
  readonly kind: "rule";
  readonly key: string;
  readonly name: string;
  readonly path: string;
  readonly scope: "project" | "global";
  readonly dialect: Dialect;
  /** The hash of the file's whole text when the draft was made. */
  readonly hash: string;
}

interface SaidOrigin {
  readonly kind: "said";
  readonly host: string;
  readonly session: string;
  readonly turn?: string;
  readonly at?: number;
  readonly scope: "project" | "everywhere";
}

export interface Draft {
  readonly id: string;
  readonly check: DraftCheck;
  /** The sentence from which it was made: one line, without secrets. */
  readonly sentence: string;
  readonly from: DraftOrigin;
  readonly project: Project;
}

/** What a decision did to a file: enough to revert it, and to detect whether the file has changed since. */
export interface FileChange {
  readonly path: string;
  /** Whether the file was created; otherwise `removed` was replaced by `inserted` at this offset. */
  readonly isNew: boolean;
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
  /** The hash of the whole text after the change. */
  readonly hash: string;
}

interface DraftRecord {
  readonly kind: "draft";
  readonly at: number;
  readonly draft: Draft;
}

export interface QuestionRecord {
  readonly kind: "question";
  readonly at: number;
  readonly id: string;
  readonly question: Question;
}

/** What a draft would have reported in past sessions, stored with it. */
interface TriedRecord {
  readonly kind: "tried";
  readonly at: number;
  readonly id: string;
  readonly lines: readonly string[];
}

export interface DecidedRecord {
  readonly kind: "decided";
  readonly at: number;
  readonly batch: string;
  readonly id: string;
  readonly what: "accept" | "reject" | "mute";
  /** For a rejected draft or question: keys of what is not suggested again. */
  readonly keys: readonly string[];
  /** What was done, to show. */
  readonly message: string;
  readonly change?: FileChange;
  /** For a mute: where it applies, so that it can be undone. */
  readonly muted?: string;
  /** The project whose checks the user has changed, if that may affect trust. */
  readonly project?: Project;
}

export interface UndoneRecord {
  readonly kind: "undone";
  readonly at: number;
  readonly batch: string;
}

/** A draft that no longer follows from its rule. */
interface GoneRecord {
  readonly kind: "gone";
  readonly at: number;
  readonly id: string;
}

export type WaitingRecord =
  | DraftRecord
  | QuestionRecord
  | TriedRecord
  | DecidedRecord
  | UndoneRecord
  | GoneRecord;

/** Undefined for a line that is none of these: it is kept, and `doctor` reports it. */
export function parseRecord(line: string): WaitingRecord | undefined {
  let value: unknown;
  try {
    value = parseBounded(line);
  } catch {
    return undefined; // an incomplete line, which is counted as damaged
  }
  if (!isRecord(value) || typeof value["at"] !== "number") return undefined;
  const check = READABLE[String(value["kind"])];
  return check?.(value) === true ? (value as unknown as WaitingRecord) : undefined;
}

const READABLE: Readonly<Record<string, ((value: Record<string, unknown>) => boolean) | undefined>> = {
  draft: ({ draft }) => isDraft(draft),
  question: ({ id, question }) => isText(id) && isQuestion(question),
  tried: ({ id, lines }) => isText(id) && isTexts(lines),
  decided: (value) =>
    isText(value["id"]) &&
    isText(value["batch"]) &&
    ["accept", "reject", "mute"].includes(String(value["what"])) &&
    isTexts(value["keys"]) &&
    isText(value["message"]) &&
    (value["change"] === undefined || isChange(value["change"])) &&
    (value["muted"] === undefined || isText(value["muted"])) &&
    (value["project"] === undefined || isProject(value["project"])),
  undone: ({ batch }) => isText(batch),
  gone: ({ id }) => isText(id),
};

const isText = (value: unknown): value is string => typeof value === "string";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isTextIfAny = (value: unknown): boolean => value === undefined || isText(value);

function isDraft(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value["check"]) || !isRecord(value["from"])) return false;
  const { check, from } = value;
  return (
    isText(value["id"]) &&
    isText(value["sentence"]) &&
    isProject(value["project"]) &&
    ["edits", "commands", "done", "answer"].includes(String(check["on"])) &&
    isText(check["literal"]) &&
    [check["never"], check["before"], check["ran"]].every(isTextIfAny) &&
    [check["files"], check["ruleFiles"]].every((value) => value === undefined || isTexts(value)) &&
    (from["kind"] === "rule" ? isRuleOrigin(from) : from["kind"] === "said" && isSaidOrigin(from))
  );
}

function isRuleOrigin(from: Record<string, unknown>): boolean {
  const { key, name, path, scope, hash, dialect } = from;
  return [key, name, path, hash, dialect].every(isText) && (scope === "project" || scope === "global");
}

function isSaidOrigin(from: Record<string, unknown>): boolean {
  const { host, session, turn, scope } = from;
  return (
    isText(host) && isText(session) && isTextIfAny(turn) && (scope === "project" || scope === "everywhere")
  );
}

function isQuestion(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { rule, name, check, project, breaches, example } = value;
  return [rule, name, check, example].every(isText) && isProject(project) && typeof breaches === "number";
}

function isProject(value: unknown): boolean {
  return isRecord(value) && isText(value["id"]) && isText(value["root"]) && isText(value["label"]);
}

function isChange(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { path, isNew, at, removed, inserted, hash } = value;
  return (
    [path, removed, inserted, hash].every(isText) && typeof isNew === "boolean" && typeof at === "number"
  );
}
