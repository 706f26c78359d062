import { nearest } from "../../../base/text.ts";
import { type Dialect, type Lint, NAME_KEYS, type When } from "../rule.ts";
import { meantReaction } from "./meant-reaction.ts";

/**
 * A key means the same in every tool's folder, so a file can be copied from one tool to another. The dialect only
 * decides when a rule without a condition applies.
 */
export const FILE_KEYS: readonly string[] = ["globs", "applyTo", "paths"];
export const GLOB_KEYS: readonly string[] = [...FILE_KEYS, "exclude", "excludes"];
export const LIST_KEYS: readonly string[] = [
  ...GLOB_KEYS,
  ...NAME_KEYS,
  "keywords",
  "branch",
  "fileContains",
];
export const TEXT_KEYS: readonly string[] = ["name", "description", "title"];

/** Every key that decides whether a rule applies. */
const CONDITION_KEYS: readonly string[] = [...LIST_KEYS, "ci", "match", "alwaysApply", "trigger"];
const CHECK_KEYS: readonly string[] = ["checks", "guard", "hooks"];
const KNOWN = new Set([...CONDITION_KEYS, ...CHECK_KEYS, "name", "description", "priority"]);

/** Common metadata keys that look like a condition. */
const METADATA = new Set([
  "mode",
  "tags",
  "title",
  "id",
  "type",
  "date",
  "author",
  "version",
  "category",
  "excludeAgent",
]);

/** Synonyms of conditions. If they were ignored as metadata, the rule would apply everywhere. */
const ALSO_CALLED: Readonly<Record<string, string>> = {
  contains: "fileContains",
  files: "globs",
  file: "globs",
  filepattern: "globs",
  filepatterns: "globs",
  include: "globs",
  includes: "globs",
  pattern: "globs",
  patterns: "globs",
  ignore: "exclude",
  platform: "os",
  triggers: "keywords",
};

/** Keys that a dialect's editor writes with an empty value, which counts as not set. */
const TEMPLATE: Readonly<Partial<Record<Dialect, readonly string[]>>> = {
  cursor: ["globs", "alwaysApply"],
  copilot: ["applyTo"],
  windsurf: ["globs"],
};

export function isUnfilled(dialect: Dialect, key: string, value: unknown): boolean {
  const isEmpty = value === null || value === "" || (Array.isArray(value) && value.length === 0);
  return isEmpty && (TEMPLATE[dialect]?.includes(key) ?? false);
}

const MANUAL: Readonly<Partial<Record<Dialect, string>>> = {
  cursor: "attached on request (Cursor)",
  copilot: "attached on request (Copilot)",
  windsurf: "attached on request (Windsurf)",
};

/** When a rule without any condition applies in its dialect. */
export function whenAbsent(dialect: Dialect): When {
  const reason = MANUAL[dialect];
  return reason === undefined ? { kind: "always" } : { kind: "manual", reason };
}

export type Trigger = "always" | "files" | "manual" | "model";

const TRIGGERS: Readonly<Record<string, Trigger>> = {
  always_on: "always",
  glob: "files",
  manual: "manual",
  model_decision: "model",
};
export const TRIGGER_NAMES = Object.keys(TRIGGERS);

export function toTrigger(value: unknown): Trigger | undefined {
  return typeof value === "string" && Object.hasOwn(TRIGGERS, value) ? TRIGGERS[value] : undefined;
}

/**
 * A key that is probably a misspelt condition makes the rule refused, because ignoring it would make the rule apply too
 * widely. Other unknown keys are metadata.
 */
export function judgeUnknownKeys(keys: readonly string[]): { problems: string[]; lints: Lint[] } {
  const problems: string[] = [];
  const lints: Lint[] = [];
  for (const key of keys) {
    if (KNOWN.has(key)) continue;
    const near = METADATA.has(key) ? undefined : meant(key);
    if (near !== undefined) problems.push(`unknown key "${key}"; did you mean "${near}"?`);
    else {
      const hint = meantReaction(key, "reaction", " in one of its checks");
      lints.push({ code: "unknown-key", message: `the key "${key}" has no effect`, ...(hint && { hint }) });
    }
  }
  return { problems, lints };
}

function meant(key: string): string | undefined {
  const plain = key.toLowerCase().replace(/[-_]/g, "");
  // A two-letter name is similar to too many short words.
  const known = [...CONDITION_KEYS, ...CHECK_KEYS].filter((one) => one.length > 2 || one === plain);
  return (Object.hasOwn(ALSO_CALLED, plain) ? ALSO_CALLED[plain] : undefined) ?? nearest(plain, known);
}
