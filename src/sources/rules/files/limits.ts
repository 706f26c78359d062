import type { RuleFile, Skipped } from "./folders.ts";

/**
 * How much of a set of rules is read. A project can contain any number of files, and a hook must answer in time. The
 * code cannot be interrupted, so every loop counts. The user's folders and the project's are counted separately, so
 * that a project cannot use up the limits of the user's rules.
 */
export interface RuleLimits {
  /** The number of listed folders, of names in them, and the nesting depth. */
  readonly folders: number;
  readonly entries: number;
  readonly depth: number;
  /** The number of followed links. Resolving one takes time, so all but the first `sureLinks` also depend on `ms`. */
  readonly links: number;
  readonly sureLinks: number;
  /** Rule files, and their total size in bytes. The smallest are taken first. */
  readonly files: number;
  readonly bytes: number;
  /** How much is cached for all rules besides their texts (compiled conditions, checks), in characters. */
  readonly conditions: number;
  /**
   * Per call: new or changed files are parsed until one of the three is used up, and the next call continues. Patterns
   * are counted in characters of compiled patterns, because a few bytes of them can take as long as a megabyte of text.
   */
  readonly newBytes: number;
  readonly newPatterns: number;
  readonly ms: number;
  /** Below all of these, `ms` is ignored: an ordinary set of rules is parsed in one call even on a slow machine. */
  readonly sureFiles: number;
  readonly sureBytes: number;
  readonly surePatterns: number;
}

export const HOOK_LIMITS: RuleLimits = {
  folders: 500,
  entries: 20_000,
  depth: 16,
  links: 200,
  sureLinks: 10,
  files: 5000,
  bytes: 16 * 1024 * 1024,
  conditions: 8 * 1024 * 1024,
  newBytes: 4 * 1024 * 1024,
  newPatterns: 512 * 1024,
  ms: 200,
  sureFiles: 200,
  sureBytes: 512 * 1024,
  surePatterns: 128 * 1024,
};

/** For commands, whose user waits: the same rules, but all in one call. */
export const PATIENT_LIMITS: RuleLimits = {
  ...HOOK_LIMITS,
  newBytes: Number.POSITIVE_INFINITY,
  newPatterns: Number.POSITIVE_INFINITY,
  ms: 60_000,
};

/** Larger than any instruction that a model could follow. A larger file is there by mistake. */
export const MAX_RULE_BYTES = 256 * 1024;

/** Returns a function that says whether a call's time is used up. Tests pass their own clock. */
export function timer(ms: number, clock: () => number): () => boolean {
  const end = clock() + ms;
  return () => clock() >= end;
}

/**
 * The order in which rule files are parsed, without those beyond the byte limit: the user's folders, then the
 * project's, then other tools'. If not all fit, the smallest of each group come first, so that a few large files do not
 * displace the others.
 */
export function loadOrder(
  files: readonly RuleFile[],
  limits: RuleLimits,
): { order: readonly RuleFile[]; skipped: readonly Skipped[] } {
  const total = (scope: RuleFile["scope"]) =>
    files.reduce((all, file) => all + (file.scope === scope ? bytesOf(file) : 0), 0);
  const ranked = files.map((file) => ({ file, rank: rankOf(file) }));
  const isAll = total("project") <= limits.bytes && total("global") <= limits.bytes;
  ranked.sort((a, b) => a.rank - b.rank || (isAll ? 0 : bytesOf(a.file) - bytesOf(b.file)));
  if (isAll) return { order: ranked.map(({ file }) => file), skipped: [] };
  const left = { project: limits.bytes, global: limits.bytes };
  const order: RuleFile[] = [];
  const out: RuleFile[] = [];
  for (const { file } of ranked) {
    const fits = bytesOf(file) <= left[file.scope];
    if (fits) left[file.scope] -= bytesOf(file);
    (fits ? order : out).push(file);
  }
  const [first] = out;
  if (first === undefined) return { order, skipped: [] };
  const message = `${out.length} rule files are left out, such as ${first.path}: the limit for all of them is ${limits.bytes} bytes`;
  return { order, skipped: [{ path: first.path, code: "rules-cut", message }] };
}

/** A file that is too large is refused without being read, so it costs nothing. */
function bytesOf(file: RuleFile): number {
  return file.size > MAX_RULE_BYTES ? 0 : file.size;
}

function rankOf({ scope, dialect }: RuleFile): number {
  if (scope === "global") return 0;
  return dialect === "continuo" || dialect === "opencode" ? 1 : 2;
}
