import { toBranchPatterns, toPatterns } from "../matching/globs.ts";
import type { Condition, Dialect, Lint, Pattern } from "../rule.ts";
import { globCompiler } from "./compile-globs.ts";
import { GLOB_KEYS, isUnfilled, NAME_KEYS, TRIGGER_NAMES, type Trigger, toTrigger } from "./dialects.ts";
import { type Splitting, show, toList } from "./values.ts";

/** When a rule applies, according to its frontmatter. */
export interface Conditions {
  readonly list: readonly Condition[];
  readonly match: "any" | "all";
  readonly alwaysApply: boolean | undefined;
  readonly trigger: Trigger | undefined;
  /** Copilot's `applyTo: "**"`: the rule applies to every request, whatever files it touches. */
  readonly isUniversal: boolean;
  /** Conditions that could not be parsed. A rule with one is refused; ignoring it would make the rule apply too widely. */
  readonly problems: readonly string[];
  readonly lints: readonly Lint[];
  /** The cost of parsing or refusing its patterns, in characters of compiled patterns. */
  readonly cost: number;
}

export async function readConditions(
  front: Readonly<Record<string, unknown>>,
  dialect: Dialect,
): Promise<Conditions> {
  const problems: string[] = [];
  const isGiven = (key: string) => Object.hasOwn(front, key) && !isUnfilled(dialect, key, front[key]);
  const wrong = (key: string, accepted: string) =>
    problems.push(`${key} is ${show(front[key])}; give ${accepted}`);

  /** The value of a key that accepts only certain values. */
  function choice<T>(key: string, read: (value: unknown) => T | undefined, accepted: string): T | undefined {
    if (!isGiven(key)) return undefined;
    const value = read(front[key]);
    if (value === undefined) wrong(key, accepted);
    return value;
  }

  /** The texts of a key that holds a list; undefined if it is absent or not a list. */
  function texts(key: string, split: Splitting, accepted: string): string[] | undefined {
    if (!isGiven(key)) return undefined;
    const list = toList(front[key], split);
    if (list !== undefined && list.length > 0) return list;
    wrong(key, accepted);
    return undefined;
  }

  const globs = globCompiler();
  const list: Condition[] = [];
  const files = await readFiles();
  if (files !== undefined) list.push(files);
  const words = texts("keywords", "scalar", "a word or a list of words, in quotes where YAML sees a number");
  if (words !== undefined) list.push({ on: "keywords", words });
  for (const key of NAME_KEYS) {
    const names = texts(key, "scalar", "a name or a list of names, in quotes where YAML sees a number");
    if (names !== undefined) list.push({ on: key, names });
  }
  const branches = texts("branch", "scalar", 'a branch or a list of branches, such as "main" or "release/*"');
  if (branches !== undefined) {
    list.push({ on: "branch", patterns: await globs.compile("branch", branches, toBranchPatterns) });
  }
  const ci = choice("ci", toBoolean, "true or false");
  if (ci !== undefined) list.push({ on: "ci", value: ci });

  const trigger = choice("trigger", toTrigger, `one of ${TRIGGER_NAMES.join(", ")}`);
  if (trigger === "files" && files === undefined) problems.push("trigger is glob, but there are no globs");
  return {
    list,
    match: choice("match", toMatch, "any or all") ?? "any",
    alwaysApply: choice("alwaysApply", toBoolean, "true or false"),
    trigger,
    isUniversal: isGiven("applyTo") && files !== undefined && isEveryFile(files),
    problems: [...problems, ...globs.problems],
    lints: globs.lints,
    cost: globs.cost(),
  };

  /** All file keys together form one condition, which a single file must satisfy. */
  async function readFiles(): Promise<Files | undefined> {
    const include: Pattern[] = [];
    const exclude: Pattern[] = [];
    let isDeclared = false;
    for (const key of GLOB_KEYS) {
      const given = texts(key, "items", 'a pattern or a list of patterns, such as "src/**/*.ts"');
      if (given === undefined) continue;
      isDeclared = true;
      if (key.startsWith("exclude")) exclude.push(...(await globs.compile(key, given, toPatterns)));
      else {
        const read = await globs.compileList(key, given);
        include.push(...read.include);
        exclude.push(...read.exclude);
      }
    }
    const contains = texts("fileContains", "never", "a string or a list of strings, none of them empty");
    return isDeclared || contains ? { on: "files", include, exclude, contains: contains ?? [] } : undefined;
  }
}

type Files = Extract<Condition, { on: "files" }>;

function isEveryFile({ include, exclude, contains }: Files): boolean {
  const areAll = include.length > 0 && include.every(({ text }) => /^(\*|\*\*|\*\*\/\*)$/.test(text));
  return areAll && exclude.length === 0 && contains.length === 0;
}

function toBoolean(value: unknown): boolean | undefined {
  if (value === true || value === false) return value;
  return value === "true" || value === "false" ? value === "true" : undefined;
}

function toMatch(value: unknown): "any" | "all" | undefined {
  return value === "any" || value === "all" ? value : undefined;
}
