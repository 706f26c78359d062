import { sep } from "node:path";
import { fingerprint } from "../../base/fingerprint.ts";
import type { Entry } from "./cache.ts";
import { CatalogRule, type Reject } from "./catalog-rule.ts";
import type { RuleFile } from "./discover.ts";
import { foldName, testedOf } from "./file-matching.ts";
import type { Guard, When } from "./rule.ts";
import { foldKeyword } from "./words.ts";

/**
 * What is kept of a large set of rules, so that a hook need not parse all of it: a head of one line, which says where
 * everything else begins and ends, and records that are parsed only for the rules that could apply.
 */
export interface DigestHead {
  readonly version: number;
  /** Every folder that was listed, and how it was then; null for one that did not exist. */
  readonly folders: readonly (readonly [path: string, stamp: string | null])[];
  readonly bases: readonly Base[];
  /** Hash of the rules that have a condition on files, as a session remembers it. */
  readonly tested: string | null;
  /** Every file in groups, each looked at in its turn. */
  readonly groups: readonly Span[];
  /** Rules that are always on, their hash, and the files of those that are delivered first. */
  readonly alwaysOn: Span;
  readonly always: string;
  readonly alwaysFiles: Span;
  /** Rules with a condition that must be evaluated at each moment. */
  readonly evaluated: Span;
  readonly guarded: Span;
  readonly rejects: Span;
  /** The other rules, one by one. */
  readonly rules: readonly Span[];
  /** Which of them ask for which words and files (`Keywords`, `Buckets`, `Contents`). */
  readonly keywords: Span;
  readonly buckets: Span;
  readonly contents: Span;
}

/** Keywords, folded, each with the numbers of the rules that ask for it. */
export type Keywords = readonly (readonly [folded: string, ...rules: number[]])[];
/** By a pattern's bucket: what a matching path begins with. */
export type Buckets = Readonly<Record<string, readonly (readonly [start: string, ...rules: number[]])[]>>;
/** The content hash of every rule with a condition on files: a session remembers which ones were met. */
export type Contents = readonly (readonly [content: string, rule: number])[];

/** From and to, in the bytes below the head. */
export type Span = readonly [from: number, to: number];

/** What the paths and keys of the files of one rules folder begin with. */
export type Base = readonly [
  path: string,
  key: string,
  dialect: RuleFile["dialect"],
  scope: RuleFile["scope"],
];

export type FileRecord = readonly [
  base: number,
  name: string,
  size: number,
  modified: number,
  changed: number,
  inode: number,
];

/** A rule with its place in the catalog; always on, and without guards, where null says so. Half the bytes of an object. */
export type RuleRecord = readonly [
  place: number,
  file: FileRecord,
  name: string,
  priority: number,
  content: string,
  hash: string,
  tokens: number,
  isEmpty: boolean,
  body: string | null,
  when: When | null,
  guards: readonly Guard[] | null,
];

/** Counts up whenever the layout changes, or the cache's version does. */
const DIGEST_VERSION = 1;

/** So many files are looked at in one turn. */
const GROUP = 125;

/** What a digest is made of. */
export interface Whole {
  readonly files: readonly RuleFile[];
  readonly folders: DigestHead["folders"];
  readonly rules: readonly CatalogRule[];
  readonly entries: Readonly<Record<string, Entry>>;
  readonly rejects: readonly Reject[];
}

export function toDigest({ files, folders, rules, entries, rejects }: Whole): string {
  const parts: string[] = [];
  const bases = new Map<string, { at: number; base: Base }>();
  const keywords = new Map<string, number[]>();
  const buckets = new Map<string, Map<string, number[]>>();
  const contents: [string, number][] = [];
  const single: Span[] = [];
  const alwaysOn: RuleRecord[] = [];
  const evaluated: RuleRecord[] = [];
  const guarded: RuleRecord[] = [];
  let length = 0;
  rules.forEach((rule, place) => {
    const record = recordOf(rule, place);
    if (rule.guards.length > 0) guarded.push(record);
    if (isAlwaysOn(rule)) alwaysOn.push(record);
    if (rule.when.kind !== "conditions") return;
    const { conditions } = rule.when;
    // A condition without an index is asked at every moment.
    if (conditions.some(({ on }) => on !== "files" && on !== "keywords")) {
      evaluated.push(record);
      return;
    }
    const at = single.push(add(record)) - 1;
    for (const one of conditions) {
      if (one.on === "keywords") for (const word of one.words) push(keywords, foldKeyword(word), at);
      if (one.on !== "files") continue;
      contents.push([rule.content, at]);
      const include = one.include.length === 0 ? [{ bucket: "*", start: "" }] : one.include;
      for (const { bucket, start } of include) {
        const starts = buckets.get(foldName(bucket)) ?? new Map<string, number[]>();
        buckets.set(foldName(bucket), starts);
        push(starts, start, at);
      }
    }
  });
  const groups: Span[] = [];
  for (let i = 0; i < files.length; i += GROUP) groups.push(add(files.slice(i, i + GROUP).map(fileRecord)));
  const head: DigestHead = {
    version: DIGEST_VERSION,
    folders,
    tested: testedOf(rules) ?? null,
    groups,
    alwaysOn: add(alwaysOn),
    always: alwaysOf(rules),
    alwaysFiles: add(firstOf(alwaysOn)),
    evaluated: add(evaluated),
    guarded: add(guarded),
    rejects: add(rejects.map(({ path, code, message }) => ({ path, code, message }))),
    rules: single,
    keywords: add([...keywords].map(([word, at]) => [word, ...at]) satisfies Keywords),
    buckets: add(
      Object.fromEntries(
        [...buckets].map(([bucket, starts]) => [bucket, [...starts].map(([start, at]) => [start, ...at])]),
      ) satisfies Buckets,
    ),
    contents: add(contents satisfies Contents),
    bases: [...bases.values()].map(({ base }) => base),
  };
  const first = ascii(head);
  return `${String(first.length).padStart(LENGTH_DIGITS, "0")}${first}${parts.join("")}`;

  function add(value: unknown): Span {
    const text = ascii(value);
    parts.push(text);
    length += text.length;
    return [length - text.length, length];
  }

  function recordOf(rule: CatalogRule, place: number): RuleRecord {
    const parsed = entries[rule.file.path]?.parsed;
    const body = parsed?.kind === "rule" ? (parsed.rule.body ?? null) : null;
    const { file, name, priority, content, hash, tokens, isEmpty } = rule;
    const when = rule.when.kind === "always" ? null : rule.when;
    const guards = rule.guards.length === 0 ? null : rule.guards;
    return [place, fileRecord(file), name, priority, content, hash, tokens, isEmpty, body, when, guards];
  }

  function fileRecord(file: RuleFile): FileRecord {
    const { name, size, modified, changed, inode } = file;
    const base: Base = [
      file.path.slice(0, -name.length),
      file.key.slice(0, -name.length),
      file.dialect,
      file.scope,
    ];
    const known = bases.get(base[0]) ?? { at: bases.size, base };
    bases.set(base[0], known);
    return [known.at, name, size, modified, changed, inode];
  }
}

function isAlwaysOn(rule: CatalogRule): boolean {
  return rule.when.kind === "always" && !rule.isEmpty;
}

/** Hash of the rules that are always on: as long as it is the same, a session has been given all of them. */
export function alwaysOf(rules: readonly CatalogRule[]): string {
  const each = rules.filter(isAlwaysOn).map(({ file, hash }) => `${file.key}\n${hash}`);
  return fingerprint(each.join("\n"));
}

/** More rules than any budget has room for. */
const MAX_FIRST = 150;

function firstOf(records: readonly RuleRecord[]): FileRecord[] {
  const sorted = [...records].sort((a, b) => b[3] - a[3] || a[0] - b[0]);
  return sorted.slice(0, MAX_FIRST).map(([, file]) => file);
}

function push<K>(map: Map<K, number[]>, key: K, at: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [at]);
  else if (list.at(-1) !== at) list.push(at);
}

/** With which a digest begins: how long its head is. */
const LENGTH_DIGITS = 12;

/** JSON without a character that takes more than one byte: any stretch of it can be read by itself. */
function ascii(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export interface Digest {
  readonly head: DigestHead;
  /** The value that is written there. */
  at<T>(span: Span): T;
}

/** Undefined for what is not a digest of this version. Throws a SyntaxError for a damaged one. */
export function openDigest(read: (from: number, to: number) => string): Digest | undefined {
  const body = LENGTH_DIGITS + Number(read(0, LENGTH_DIGITS));
  if (!Number.isSafeInteger(body)) return undefined;
  const head = JSON.parse(read(LENGTH_DIGITS, body)) as DigestHead;
  if (head.version !== DIGEST_VERSION) return undefined;
  return { head, at: ([from, to]) => JSON.parse(read(body + from, body + to)) };
}

export function fileFrom(
  [base, name, size, modified, changed, inode]: FileRecord,
  head: DigestHead,
): RuleFile {
  const [path = "", key = "", dialect = "continuo", scope = "project"] = head.bases[base] ?? [];
  const below = sep === "/" ? name : name.replaceAll("/", sep);
  return { path: path + below, name, key: key + name, dialect, scope, size, modified, changed, inode };
}

const ALWAYS: When = { kind: "always" };
const NONE: readonly never[] = [];

export function ruleFrom(record: RuleRecord, head: DigestHead): CatalogRule {
  const [, file, name, priority, content, hash, tokens, isEmpty, body, when, guards] = record;
  const conditions = { when: when ?? ALWAYS, guards: guards ?? NONE };
  const rule = { name, priority, isEmpty, ...conditions, ...(body !== null && { body }) };
  return new CatalogRule(fileFrom(file, head), rule, { content, hash, tokens }, NONE);
}
