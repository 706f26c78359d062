import { clipWithin, collapse } from "../../../base/text.ts";
import { countTokens } from "../../../compose/tokens.ts";
import type { FilePatterns } from "../checks/check.ts";
import { readChecks } from "../checks/read-checks.ts";
import type { Dialect, Lint, Parsed, When } from "../rule.ts";
import { type Conditions, readConditions } from "./conditions.ts";
import { judgeUnknownKeys, whenAbsent } from "./dialects.ts";
import { readFrontmatter, splitFrontmatter } from "./frontmatter.ts";

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
    // Cursor itself writes such frontmatter; tools that read other dialects may fail on it.
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

/** The files that checks look at unless they name others; undefined if a condition could not be read. */
function filesOf({ list, problems }: Conditions): FilePatterns | undefined {
  if (problems.length > 0) return undefined;
  const files = list.find((one) => one.on === "files");
  return { include: files?.include ?? [], exclude: files?.exclude ?? [] };
}

function whenOf(given: Conditions, dialect: Dialect): When {
  if (given.alwaysApply === true || given.trigger === "always") return { kind: "always" };
  const isOnRequest = given.trigger === "manual" || given.trigger === "model";
  // Windsurf keeps the globs of a rule whose trigger was changed, and ignores them.
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

/** Longer descriptions are clipped: each is one line of every session. */
const MAX_DESCRIPTION = 100;

/** Windsurf's `trigger: manual` leaves a rule to the person, whatever its description says. */
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
