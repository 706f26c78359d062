/**
 * How much of a set of rules is looked at. Whoever writes files into a project decides how many there are, and a hook must
 * answer all the same: nothing here can be interrupted, so every loop counts. The user's own folders and the project's are
 * counted apart: a project cannot use up what is meant for the user's rules.
 */
export interface RuleLimits {
  /** Folders that are listed, names that they hold, and how deep folders may be nested. */
  readonly folders: number;
  readonly entries: number;
  readonly depth: number;
  /** Links that are followed. Each asks the system for all of its path; the first few whatever the time is. */
  readonly links: number;
  readonly sureLinks: number;
  /** Rule files, and the bytes that all of them have together. The smallest are taken first. */
  readonly files: number;
  readonly bytes: number;
  /** What is kept of all rules besides their texts (compiled conditions, guards), in characters. */
  readonly conditions: number;
  /**
   * For one call: new or changed files are understood until one of the three is used up, the rest at the next call. Patterns
   * are counted in characters of compiled patterns: a few bytes of them can take as long as a megabyte of text.
   */
  readonly newBytes: number;
  readonly newPatterns: number;
  readonly ms: number;
  /** Below all of these the time does not count: an ordinary set of rules is understood at once on the slowest machine too. */
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

/** For a person who asks on the command line: the same rules, all of them at once. */
export const PATIENT_LIMITS: RuleLimits = {
  ...HOOK_LIMITS,
  newBytes: Number.POSITIVE_INFINITY,
  newPatterns: Number.POSITIVE_INFINITY,
  ms: 60_000,
};

/** Larger than any instruction that a model could follow; a file this big is there by mistake. */
export const MAX_RULE_BYTES = 256 * 1024;

/** Tells whether a call's time is used up. The clock is handed in, so that tests decide what time it is. */
export function timer(ms: number, clock: () => number): () => boolean {
  const end = clock() + ms;
  return () => clock() >= end;
}
