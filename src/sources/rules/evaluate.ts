import type { CatalogRule } from "./catalog/catalog-rule.ts";
import { filesCondition, includedBy } from "./matching/file-matching.ts";
import { isMatch } from "./matching/glob-matcher.ts";
import type { Budget } from "./matching/linear-regex.ts";
import { isSameTool, serverOf } from "./matching/tool-names.ts";
import type { RulesMemo } from "./memo.ts";
import type { Condition } from "./rule.ts";

/** The facts that conditions are tested against. Facts that take time to determine are functions. */
export interface Facts {
  readonly memo: RulesMemo;
  readonly os: string;
  readonly isCi: boolean;
  /** The budget for matching the branch with the patterns of all rules. */
  readonly branchBudget: Budget;
  branch(): string | undefined;
  projectTags(): readonly string[];
}

export interface Judgement {
  readonly active: boolean;
  /** The condition that was met, or what the rule is waiting for. A function, because few results are shown. */
  because(): string;
}

export function evaluate(rule: CatalogRule, facts: Facts): Judgement {
  if (rule.when.kind === "always") return yes(() => "always on");
  if (rule.when.kind === "manual") {
    const { reason, description } = rule.when;
    return no(() =>
      description === undefined ? reason : `on request: the model is told of it and can read it (${reason})`,
    );
  }
  const { match, conditions } = rule.when;
  const judged = conditions.map((condition) => judgeCondition(condition, rule, facts));
  const met = judged.filter((one) => one.active);
  const active = match === "all" ? met.length === judged.length : met.length > 0;
  const shown = () => (active ? met : judged.filter((one) => !one.active));
  return {
    active,
    because: () =>
      shown()
        .map((one) => one.because())
        .join(match === "all" && active ? " and " : "; "),
  };
}

function judgeCondition(condition: Condition, rule: CatalogRule, facts: Facts): Judgement {
  const { memo } = facts;
  switch (condition.on) {
    case "files":
      return judgeFiles(rule, memo);
    case "keywords": {
      const word = condition.words.find((one) => memo.keywords.includes(one));
      return word === undefined
        ? no(() => `no prompt had ${list(condition.words)}`)
        : yes(() => `a prompt had the keyword "${word}"`);
    }
    case "tools": {
      const tool = condition.names.find((name) =>
        memo.tools.some((used) => isSameTool(name, used) || isSameTool(name, serverOf(used))),
      );
      return tool === undefined
        ? no(() => `no call of ${list(condition.names)} yet`)
        : yes(() => `the tool ${tool} was called`);
    }
    case "model":
    case "agent":
      return oneOf(condition.on, condition.names, memo[condition.on] ?? undefined);
    case "command":
      // Users write the name with or without its slash.
      return oneOf(
        "command",
        condition.names.map((name) => name.replace(/^\//, "")),
        memo.command ?? undefined,
      );
    case "os":
      return oneOf("os", condition.names, facts.os, OS_NAMES[facts.os]);
    case "project": {
      const tag = facts.projectTags().find((one) => condition.names.includes(one));
      return tag === undefined
        ? no(() => `the project is not one of ${list(condition.names)}`)
        : yes(() => `the project is ${tag}`);
    }
    case "branch": {
      const branch = facts.branch();
      if (branch === undefined) return no(() => "there is no current branch");
      const pattern = condition.patterns.find(
        (one) => one.text === branch || isMatch(one, branch, facts.branchBudget, false),
      );
      const wanted = () => list([...new Set(condition.patterns.map((one) => one.text))]);
      return pattern === undefined
        ? no(() => `the branch is ${branch}, not ${wanted()}`)
        : yes(() => `the branch is ${branch}`);
    }
    case "ci":
      return facts.isCi === condition.value
        ? yes(() => (facts.isCi ? "this is CI" : "this is not CI"))
        : no(() => (facts.isCi ? "this is CI" : "this is not CI"));
  }
}

function judgeFiles(rule: CatalogRule, memo: RulesMemo): Judgement {
  const condition = filesCondition(rule);
  const path = memo.files[rule.content];
  const containing = () =>
    (condition?.contains.length ?? 0) > 0 ? ` and contains ${list(condition?.contains ?? [])}` : "";
  if (condition === undefined || path === undefined || path === null) {
    return no(() => {
      const wanted = [...new Set(condition?.include.map((pattern) => pattern.text))];
      return `no file touched yet${wanted.length > 0 ? ` that matches ${list(wanted)}` : ""}${containing()}`;
    });
  }
  return yes(() => {
    const by = includedBy(condition, path)?.text;
    return `${path} was touched${by === undefined ? "" : ` (${by})`}${containing()}`;
  });
}

/** Users write the system's name; Node reports the platform. */
const OS_NAMES: Readonly<Record<string, readonly string[]>> = {
  darwin: ["macos", "mac", "osx"],
  win32: ["windows", "win"],
  linux: ["linux"],
};

function oneOf(
  what: string,
  names: readonly string[],
  value: string | undefined,
  alsoCalled: readonly string[] = [],
): Judgement {
  if (value === undefined) return no(() => `the ${what} is not known`);
  const values = [value, ...alsoCalled].map((one) => one.toLowerCase());
  const isMet = names.some((name) => values.includes(name.toLowerCase()));
  return isMet
    ? yes(() => `the ${what} is ${value}`)
    : no(() => `the ${what} is ${value}, not ${list(names)}`);
}

function list(words: readonly string[]): string {
  const shown = words
    .slice(0, 4)
    .map((word) => `"${word}"`)
    .join(" or ");
  return words.length > 4 ? `${shown} or ${words.length - 4} more` : shown;
}

function yes(because: () => string): Judgement {
  return { active: true, because };
}

function no(because: () => string): Judgement {
  return { active: false, because };
}
