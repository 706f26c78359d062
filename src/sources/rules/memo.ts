import { isRecord } from "../../base/json.ts";
import { type CheckMemo, readCheckMemo } from "./checks/memo.ts";
import type { FileMemo } from "./matching/file-matching.ts";

/** What the rules source remembers about a session, in `memos.rules` of its state. */
export interface RulesMemo extends FileMemo {
  /** Keywords of rules that occurred in the user's prompts. */
  readonly keywords: readonly string[];
  /** Names of the tools that were called. */
  readonly tools: readonly string[];
  /** The slash command of the last prompt, if it was one. */
  readonly command: string | null;
  readonly model: string | null;
  readonly agent: string | null;
  /** For large sets: a hash of the rules that are always on, if all of them were delivered when the epoch began. */
  readonly given: string | null;
  /** By key: the authors' names of rules in this session, because a removed file cannot provide them. */
  readonly names: Readonly<Record<string, string>>;
  readonly checks?: CheckMemo;
}

export const EMPTY_MEMO: RulesMemo = {
  keywords: [],
  tools: [],
  command: null,
  model: null,
  agent: null,
  files: {},
  tested: null,
  given: null,
  names: {},
};

/** What one moment adds. Sets grow and single values are replaced, so the order of two processes hardly matters. */
export interface Observation {
  readonly keywords: readonly string[];
  readonly tools: readonly string[];
  readonly command?: string | null;
  readonly model?: string;
  readonly agent?: string;
  /** Only the changed entries. */
  readonly files: FileMemo["files"];
  readonly tested?: string | null;
  readonly given?: string | null;
  readonly names?: RulesMemo["names"];
}

/** A memo is read from disk: a field of the wrong type counts as absent. */
export function readMemo(value: unknown): RulesMemo {
  if (!isRecord(value)) return EMPTY_MEMO;
  const list = (key: string) =>
    Array.isArray(value[key]) ? value[key].filter((one) => typeof one === "string") : [];
  const text = (key: string) => (typeof value[key] === "string" ? value[key] : null);
  const checks = readCheckMemo(value["checks"]);
  return {
    keywords: list("keywords"),
    tools: list("tools"),
    command: text("command"),
    model: text("model"),
    agent: text("agent"),
    files: isRecord(value["files"]) ? (value["files"] as FileMemo["files"]) : {},
    tested: text("tested"),
    given: text("given"),
    names: isRecord(value["names"]) ? (value["names"] as RulesMemo["names"]) : {},
    checks,
  };
}

/** The memo after an observation; the same object if nothing changed, so that nothing needs to be written. */
export function observe(memo: RulesMemo, seen: Observation): RulesMemo {
  const next: RulesMemo = {
    keywords: union(memo.keywords, seen.keywords),
    tools: union(memo.tools, seen.tools),
    command: seen.command === undefined ? memo.command : seen.command,
    model: seen.model ?? memo.model,
    agent: seen.agent ?? memo.agent,
    files: mergeFiles(memo.files, seen.files),
    tested: seen.tested === undefined ? memo.tested : seen.tested,
    given: seen.given === undefined ? memo.given : seen.given,
    names: mergeNames(memo.names, seen.names ?? {}),
    checks: memo.checks,
  };
  const isSame = (Object.keys(next) as (keyof RulesMemo)[]).every((key) => next[key] === memo[key]);
  return isSame ? memo : next;
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  const fresh = b.filter((one) => !a.includes(one));
  return fresh.length === 0 ? a : [...a, ...fresh];
}

/** More than a session has rules with names of their own; the memo is read at every hook. */
const MAX_NAMES = 200;

function mergeNames(before: RulesMemo["names"], changes: RulesMemo["names"]): RulesMemo["names"] {
  const news = Object.entries(changes).filter(([key, name]) => before[key] !== name);
  const isFull = Object.keys(before).length + news.length > MAX_NAMES;
  return news.length === 0 || isFull ? before : { ...before, ...Object.fromEntries(news) };
}

/** A match seen by any process is kept. */
function mergeFiles(before: FileMemo["files"], changes: FileMemo["files"]): FileMemo["files"] {
  const news = Object.entries(changes).filter(
    ([key, path]) => before[key] === undefined || (before[key] === null && path !== null),
  );
  return news.length === 0 ? before : { ...before, ...Object.fromEntries(news) };
}
