import { clipWithin, collapse } from "../../../base/text.ts";
import { countTokens } from "../../../compose/tokens.ts";
import { toBranchPatterns, toPatterns } from "../matching/globs.ts";
import {
  type Condition,
  type Dialect,
  type FilePatterns,
  type Lint,
  NAME_KEYS,
  type Parsed,
  type Pattern,
  type When,
} from "../rule.ts";
import { globCompiler } from "./compile-globs.ts";
import {
  GLOB_KEYS,
  isUnfilled,
  judgeUnknownKeys,
  TRIGGER_NAMES,
  type Trigger,
  toTrigger,
  whenAbsent,
} from "./dialects.ts";
import { readFrontmatter, splitFrontmatter } from "./frontmatter.ts";
import { readChecks } from "./read-checks.ts";
import { type Splitting, show, toList } from "./values.ts";

/** A longer rule costs more in every request than it is likely to be worth. */
const OVERSIZED_TOKENS = 2000;

/** Parses a rule file. Never throws, and never treats a rule with a condition as unconditional. */
export async function parseRule(text: string, file: { name: string; dialect: Dialect }): Promise<Parsed> {
  const { yaml, body, unclosed } = splitFrontmatter(text);
  if (unclosed) return refused("rule-unclosed", "the frontmatter is opened with --- and never closed");
  const front = await readFrontmatter(yaml);
  if ("problem" in front)
    return refused("rule-frontmatter", `the frontmatter is not YAML (${front.problem})`);
  const { values } = front;

  const unknown = judgeUnknownKeys(Object.keys(values));
  const conditions = await readConditions(values, file.dialect);
  const isAlways = conditions.alwaysApply === true;
  if (!isAlways && unknown.problems.length > 0)
    return refused("rule-unknown-key", unknown.problems.join("; "), conditions.cost);
  if (!isAlways && conditions.problems.length > 0)
    return refused("rule-condition", conditions.problems.join("; "), conditions.cost);

  const lints: Lint[] = [
    ...front.duplicates.map((key) =>
      lint("duplicate-key", `"${key}" is given more than once; the last value is used`),
    ),
    // Cursor itself writes such frontmatter; parsers for other dialects may fail on it.
    ...(front.isFixed && file.dialect !== "cursor"
      ? [
          lint(
            "mended",
            "the frontmatter is not quite YAML",
            "put values with characters such as * : { into quotes",
          ),
        ]
      : []),
    ...unknown.lints,
    ...[...unknown.problems, ...conditions.problems].map((message) =>
      lint("ignored-condition", message, "alwaysApply is true, so the rule applies anyway"),
    ),
    ...conditions.lints,
  ];
  const name = readName(values["name"], file.name, lints);
  const priority = readPriority(values["priority"], lints);
  const checks = await readChecks(values, { name, body, files: filesOf(conditions) });
  lints.push(...checks.lints, ...lintBody(body, checks.checks.length > 0));
  return {
    kind: "rule",
    rule: {
      name,
      priority,
      body,
      when: described(whenOf(conditions, file.dialect), values, conditions),
      checks: checks.checks,
    },
    lints,
    cost: conditions.cost + checks.cost,
  };
}

/** The files that checks apply to by default; undefined if a condition could not be parsed. */
function filesOf({ list, problems }: Conditions): FilePatterns | undefined {
  if (problems.length > 0) return undefined;
  const files = list.find((one) => one.on === "files");
  return { include: files?.include ?? [], exclude: files?.exclude ?? [] };
}

function whenOf(given: Conditions, dialect: Dialect): When {
  if (given.alwaysApply === true || given.trigger === "always") return { kind: "always" };
  const isOnRequest = given.trigger === "manual" || given.trigger === "model";
  // Windsurf keeps the globs of a rule whose trigger was changed, but ignores them.
  let conditions = isOnRequest ? given.list.filter(({ on }) => on !== "files") : given.list;
  if (given.isUniversal && !isOnRequest) {
    if (given.match === "any" || conditions.length === 1) return { kind: "always" };
    conditions = conditions.filter(({ on }) => on !== "files");
  }
  if (conditions.length > 0) return { kind: "conditions", match: given.match, conditions };
  if (given.trigger === "model") return { kind: "manual", reason: "left to the model (Windsurf)" };
  if (isOnRequest) return { kind: "manual", reason: "attached on request (Windsurf)" };
  const absent = whenAbsent(dialect);
  if (given.alwaysApply === undefined || absent.kind === "manual") return absent;
  return { kind: "manual", reason: "alwaysApply is false and there is no condition" };
}

/** Longer descriptions are cut, because each is a line in every session. */
const MAX_DESCRIPTION = 100;

/** With Windsurf's `trigger: manual` only the user applies the rule, whatever its description says. */
function described(when: When, { description }: Readonly<Record<string, unknown>>, given: Conditions): When {
  if (when.kind !== "manual" || given.trigger === "manual" || typeof description !== "string") return when;
  const text = clipWithin(collapse(description), MAX_DESCRIPTION);
  return text === "" ? when : { ...when, description: text };
}

function readName(value: unknown, fallback: string, lints: Lint[]): string {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  const name = collapse(text);
  if (name !== "") return name;
  if (value !== undefined && value !== null)
    lints.push(lint("bad-value", "name is not a string; the file name is used"));
  return fallback;
}

function readPriority(value: unknown, lints: Lint[]): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && Number.isFinite(number)) return number;
  if (value !== undefined) lints.push(lint("bad-value", "priority is not a number; 0 is used"));
  return 0;
}

function lintBody(body: string, hasChecks: boolean): Lint[] {
  if (body === "") return hasChecks ? [] : [lint("empty-body", "the rule has no text")];
  const tokens = countTokens(body);
  if (tokens <= OVERSIZED_TOKENS) return [];
  const message = `the rule costs about ${tokens} tokens; more than ${OVERSIZED_TOKENS} crowds out others`;
  return [lint("oversized", message, "keep what changes behaviour, or split it by files")];
}

function lint(code: string, message: string, hint?: string): Lint {
  return hint === undefined ? { code, message } : { code, message, hint };
}

function refused(code: string, message: string, cost = 0): Parsed {
  return { kind: "refused", code, message, ...(cost > 0 && { cost }) };
}

/** When a rule applies, according to its frontmatter. */
interface Conditions {
  readonly list: readonly Condition[];
  readonly match: "any" | "all";
  readonly alwaysApply: boolean | undefined;
  readonly trigger: Trigger | undefined;
  /** Copilot's `applyTo: "**"`: the rule applies to every request, whatever files it touches. */
  readonly isUniversal: boolean;
  /**
   * Conditions that could not be parsed. The rule is then refused, because ignoring them would make it apply too
   * widely.
   */
  readonly problems: readonly string[];
  readonly lints: readonly Lint[];
  /** The cost of parsing or refusing its patterns, in characters of compiled patterns. */
  readonly cost: number;
}

async function readConditions(
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

  /** The texts of a key that contains a list; undefined if it is absent or not a list. */
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
