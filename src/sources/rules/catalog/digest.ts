import { sep } from "node:path";
import { fingerprint } from "../../../base/fingerprint.ts";
import type { RuleFile } from "../files/folders.ts";
import { foldName, testedOf } from "../matching/file-matching.ts";
import { foldKeyword } from "../matching/keywords.ts";
import type { Check, When } from "../rule.ts";
import { type CacheEntry, CatalogRule, type Reject } from "./catalog-rule.ts";

/**
 * The digest is a file about a large set of rules, so that a hook does not need to parse all of it. Its head says where
 * each record begins and ends; records are parsed only for rules that could apply.
 */
export interface DigestHead {
  readonly version: number;
  /** Every folder that was listed, with its time stamps; null for a folder that did not exist. */
  readonly folders: readonly (readonly [path: string, stamp: string | null])[];
  readonly bases: readonly Base[];
  /** Hash of the rules with a condition on files, as in a session's memo. */
  readonly tested: string | null;
  /** All files, in groups. Each call checks one group, in rotation. */
  readonly groups: readonly Span[];
  /** Rules that are always on, their hash, and the files of those with the highest priority. */
  readonly alwaysOn: Span;
  readonly always: string;
  readonly alwaysFiles: Span;
  /** Rules with a condition that has no index here, so they are evaluated at every moment. */
  readonly evaluated: Span;
  /** Rules with checks. */
  readonly checked: Span;
  /** As in the catalog. */
  readonly replaced: Span;
  /** Rules that are listed for the model when a session begins. */
  readonly onRequest: Span;
  readonly rejects: Span;
  /** The other rules, one record each. */
  readonly rules: readonly Span[];
  /** Indexes into `rules` by keyword and file (`Keywords`, `Buckets`, `Contents`). */
  readonly keywords: Span;
  readonly buckets: Span;
  readonly contents: Span;
}

/** Folded keywords, each with the numbers of its rules. */
export type Keywords = readonly (readonly [folded: string, ...rules: number[]])[];
/** By a pattern's bucket: the common prefix of matching paths, with the numbers of the rules. */
export type Buckets = Readonly<Record<string, readonly (readonly [start: string, ...rules: number[]])[]>>;
/** The content hash of every rule with a condition on files: a session's memo contains those that were met. */
export type Contents = readonly (readonly [content: string, rule: number])[];

/** Start and end in bytes, counted from the end of the head. */
export type Span = readonly [from: number, to: number];

/** The common prefix of the paths and keys of one rules folder. */
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

/**
 * A rule with its place in the catalog. `when` is null if always on, `checks` is null if there are none. Half the size
 * of an object.
 */
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
  checks: readonly Check[] | null,
];

/** Increase it whenever the layout or the cache's version changes. */
const DIGEST_VERSION = 5;

/** How many files are checked at a time. */
const GROUP = 125;

export interface DigestInput {
  readonly files: readonly RuleFile[];
  readonly folders: DigestHead["folders"];
  readonly rules: readonly CatalogRule[];
  readonly replaced: readonly CatalogRule[];
  readonly entries: Readonly<Record<string, CacheEntry>>;
  readonly rejects: readonly Reject[];
}

export function toDigest({ files, folders, rules, replaced, entries, rejects }: DigestInput): string {
  const parts: string[] = [];
  const bases = new Map<string, { at: number; base: Base }>();
  const keywords = new Map<string, number[]>();
  const buckets = new Map<string, Map<string, number[]>>();
  const contents: [string, number][] = [];
  const single: Span[] = [];
  const alwaysOn: RuleRecord[] = [];
  const evaluated: RuleRecord[] = [];
  const checked: RuleRecord[] = [];
  const onRequest: RuleRecord[] = [];
  let length = 0;
  rules.forEach((rule, place) => {
    const record = recordOf(rule, place);
    if (rule.checks.length > 0) checked.push(record);
    if (isAlwaysOn(rule)) alwaysOn.push(record);
    if (isOnRequest(rule)) onRequest.push(record);
    if (rule.when.kind !== "conditions") return;
    const { conditions } = rule.when;
    // Other conditions have no index, so they are evaluated at every moment.
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
    checked: add(checked),
    replaced: add(replaced.map((rule) => recordOf(rule, rules.length))),
    onRequest: add(onRequest),
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
    const checks = rule.checks.length === 0 ? null : rule.checks;
    return [place, fileRecord(file), name, priority, content, hash, tokens, isEmpty, body, when, checks];
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

export function isOnRequest({ when, isEmpty }: CatalogRule): boolean {
  return when.kind === "manual" && when.description !== undefined && !isEmpty;
}

function isAlwaysOn(rule: CatalogRule): boolean {
  return rule.when.kind === "always" && !rule.isEmpty;
}

/**
 * Hash of the rules that are always on. As long as it is unchanged, a session that received them still has all of them.
 */
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

/** A digest begins with the length of its head, in this many digits. */
const LENGTH_DIGITS = 12;

/** JSON in ASCII, so that any span can be read by its byte offsets. */
function ascii(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export interface Digest {
  readonly head: DigestHead;
  /** Parses the value at a span. */
  at<T>(span: Span): T;
}

/** Returns undefined for a file that is not a digest of this version. Throws a SyntaxError for a damaged one. */
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
  const [, file, name, priority, content, hash, tokens, isEmpty, body, when, checks] = record;
  const conditions = { when: when ?? ALWAYS, checks: checks ?? NONE };
  const rule = { name, priority, isEmpty, ...conditions, ...(body !== null && { body }) };
  return new CatalogRule(fileFrom(file, head), rule, { content, hash, tokens }, NONE);
}
