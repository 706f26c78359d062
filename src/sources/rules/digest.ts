import { sep } from "node:path";
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
  /** Rules that are always on, and rules whose conditions must be evaluated at each moment. */
  readonly evaluated: Span;
  readonly guarded: Span;
  readonly rejects: Span;
  /** Rules by what must be seen before they apply. */
  readonly keywords: readonly (readonly [folded: string, ...at: number[]])[];
  readonly buckets: Readonly<Record<string, readonly (readonly [start: string, ...at: number[]])[]>>;
  /** The content hash of every rule with a condition on files: a session remembers which ones were met. */
  readonly contents: readonly (readonly [content: string, at: number])[];
}

/** From and to, in the text below the head. */
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
export const DIGEST_VERSION = 1;

/** So many files are looked at in one turn. */
export const GROUP = 200;

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
  const evaluated: RuleRecord[] = [];
  const guarded: RuleRecord[] = [];
  let length = 0;
  rules.forEach((rule, place) => {
    const record = recordOf(rule, place);
    if (rule.guards.length > 0) guarded.push(record);
    if (rule.when.kind === "always" && !rule.isEmpty) evaluated.push(record);
    if (rule.when.kind !== "conditions") return;
    const { conditions } = rule.when;
    // A condition without an index is asked at every moment.
    if (conditions.some(({ on }) => on !== "files" && on !== "keywords")) {
      evaluated.push(record);
      return;
    }
    const [at] = add(record);
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
    evaluated: add(evaluated),
    guarded: add(guarded),
    rejects: add(rejects.map(({ path, code, message }) => ({ path, code, message }))),
    keywords: [...keywords].map(([word, at]) => [word, ...at]),
    buckets: Object.fromEntries(
      [...buckets].map(([bucket, starts]) => [
        bucket,
        [...starts].map(([start, at]) => [start, ...at] as const),
      ]),
    ),
    contents,
    bases: [...bases.values()].map(({ base }) => base),
  };
  return `${JSON.stringify(head)}\n${parts.join("")}`;

  function add(value: unknown): Span {
    const text = JSON.stringify(value);
    const from = length;
    parts.push(text, "\n");
    length += text.length + 1;
    return [from, length - 1];
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

function push<K>(map: Map<K, number[]>, key: K, at: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [at]);
  else if (list.at(-1) !== at) list.push(at);
}

export interface Digest {
  readonly head: DigestHead;
  /** The value that is written there. */
  at<T>(span: Span): T;
  /** The value that begins there. */
  from<T>(start: number): T;
}

/** Undefined for what is not a digest of this version. Throws a SyntaxError for a damaged one. */
export function openDigest(text: string): Digest | undefined {
  const end = text.indexOf("\n");
  const head = JSON.parse(text.slice(0, end)) as DigestHead;
  if (head.version !== DIGEST_VERSION) return undefined;
  const body = end + 1;
  const parse = (from: number, to: number) => JSON.parse(text.slice(from, to));
  return {
    head,
    at: ([from, to]) => parse(body + from, body + to),
    from: (start) => parse(body + start, text.indexOf("\n", body + start)),
  };
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
