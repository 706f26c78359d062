import { existsSync } from "node:fs";
import { join } from "node:path";
import { isRecord, parseBounded } from "../../base/json.ts";
import { once } from "../../base/once.ts";
import type { SourceContext } from "../../moments/ports/source.ts";
import { currentBranch } from "../../moments/project/project.ts";
import type { Moment } from "../../moments/types.ts";
import { missedFiles, touchedAt } from "../../moments/working-set.ts";
import { readText } from "../../store/read-file.ts";
import type { Catalog, CatalogRule } from "./catalog/catalog-rule.ts";
import type { Wanted } from "./catalog/large-set.ts";
import type { Facts } from "./evaluate.ts";
import { matchFiles } from "./matching/file-matching.ts";
import { keywordMatcher } from "./matching/keywords.ts";
import type { Observation, RulesMemo } from "./memo.ts";

/** Which rules a moment needs: those that could apply to the moment itself and to the contents of the memo. */
export function wantedAt(
  moment: Moment,
  memo: RulesMemo,
  { workingSet }: Pick<SourceContext, "workingSet">,
): Extract<Wanted, { kind: "moment" }> {
  const { prompts = [] } = moment.missed ?? {};
  const files = [...missedFiles(moment).flatMap((past) => past.files), ...touchedAt(moment)];
  const words = [...prompts, ...("prompt" in moment && moment.prompt !== undefined ? [moment.prompt] : [])];
  return {
    kind: "moment",
    isBeginning: moment.name !== "prompt" && moment.name !== "tool",
    withChecks: (moment.name === "tool" && moment.isPast !== true) || moment.name === "compacted",
    touched: files.map((file) => file.path),
    workingSet: workingSet.map((use) => use.path),
    memo,
    ...(words.length > 0 && { prompt: words.join("\n") }),
  };
}

/** The share of the deadline for matching. Ordinary rules take a few milliseconds. */
const MATCHING_SHARE = 0.5;

/** What a moment adds to the memo, limited to what rules have conditions on. */
export function observationOf(
  moment: Moment,
  { rules, tested: testedBefore, always }: Pick<Catalog, "rules" | "tested" | "always">,
  memo: RulesMemo,
  context: Pick<SourceContext, "workingSet"> & Partial<Pick<SourceContext, "report" | "deadlineMs">>,
): Observation {
  const { touched, workingSet, prompt } = wantedAt(moment, memo, context);
  const { root } = moment.project;
  // A deadline cannot interrupt this: without checking the clock, costly patterns would block a long-running process
  // for seconds.
  const until = performance.now() + (context.deadlineMs ?? Infinity) * MATCHING_SHARE;
  const isOver = (): boolean => performance.now() > until;
  const { files, tested, isCut } = matchFiles(rules, memo, touched, workingSet, root, testedBefore, isOver);
  if (isCut)
    context.report?.(
      "rules-files-cut",
      "not every rule could be tested against every file of the session: there are too many, or a pattern is too costly",
      "run: continuo rules check",
    );
  return {
    keywords: prompt === undefined ? [] : keywordsIn(prompt, rules),
    tools: toolsAt(moment).filter(isName),
    ...("prompt" in moment && moment.prompt !== undefined ? { command: commandOf(moment.prompt) } : {}),
    ...(moment.model === undefined ? {} : { model: moment.model }),
    ...(moment.agent === undefined ? {} : { agent: moment.agent }),
    files,
    tested,
    ...(moment.name === "start" || moment.name === "compacted"
      ? { given: always ?? null }
      : // They changed. From now on only the record of deliveries decides, even if they change back.
        memo.given !== (always ?? null) && { given: null }),
  };
}

/** For all rules of a moment: many times what branch names need. */
const BRANCH_STEPS = 2_000_000;

export function factsOf(moment: Moment, memo: RulesMemo, env: NodeJS.ProcessEnv): Facts {
  return {
    memo,
    branchBudget: { left: BRANCH_STEPS },
    os: process.platform,
    isCi: isCi(env),
    branch: once(() => currentBranch(moment.cwd)),
    projectTags: once(() => [...projectTags(moment.project.root), moment.project.label]),
  };
}

function toolsAt(moment: Moment): string[] {
  const missed = moment.missed?.calls.map(({ name }) => name) ?? [];
  return moment.name === "tool" ? [...missed, moment.tool.name] : missed;
}

/** The memo is read at every hook, so very long names are not stored. */
function isName(text: string): boolean {
  return text !== "" && text.length <= 256;
}

function keywordsIn(prompt: string, rules: readonly CatalogRule[]): string[] {
  const words = rules.flatMap(({ when }) =>
    when.kind === "conditions"
      ? when.conditions.flatMap((one) => (one.on === "keywords" ? one.words : []))
      : [],
  );
  return words.length === 0 ? [] : keywordMatcher([...new Set(words)])(prompt);
}

/** Variables that CI services set. */
const CI_VARIABLES = [
  "CONTINUOUS_INTEGRATION",
  "BUILD_NUMBER",
  "GITHUB_ACTIONS",
  "GITLAB_CI",
  "CIRCLECI",
  "TRAVIS",
  "JENKINS_URL",
  "BUILDKITE",
  "TEAMCITY_VERSION",
];

/** `CI` decides if it is set, even to false; otherwise any variable of a CI service does. */
function isCi(env: NodeJS.ProcessEnv): boolean {
  const ci = env["CI"];
  if (ci !== undefined) return ci !== "" && ci !== "false" && ci !== "0";
  return CI_VARIABLES.some((name) => Boolean(env[name]));
}

/** The slash command at the start of a prompt, without its slash; null if there is none. */
function commandOf(prompt: string): string | null {
  return /^\s*\/([^\s/]{1,256})(?=\s|$)/.exec(prompt)?.[1] ?? null;
}

/** The files by which each kind of project is recognised. */
const PROJECT_FILES: Readonly<Record<string, readonly string[]>> = {
  node: ["package.json"],
  python: ["pyproject.toml", "setup.py", "requirements.txt"],
  go: ["go.mod"],
  rust: ["Cargo.toml"],
  monorepo: ["pnpm-workspace.yaml", "turbo.json", "nx.json", "lerna.json"],
};

/** Keys that a web app's manifest.json does not have. */
const EXTENSION_KEYS = [
  "background",
  "content_scripts",
  "permissions",
  "action",
  "browser_action",
  "page_action",
];

/** The kinds of project in a folder, as the `project` condition names them. */
function projectTags(root: string): string[] {
  const tags = Object.keys(PROJECT_FILES).filter((tag) =>
    PROJECT_FILES[tag]?.some((file) => existsSync(join(root, file))),
  );
  return isBrowserExtension(root) ? [...tags, "browser-extension"] : tags;
}

function isBrowserExtension(root: string): boolean {
  try {
    const manifest: unknown = parseBounded(
      readText(join(root, "manifest.json"), { maxBytes: 256 * 1024, root }),
    );
    if (!isRecord(manifest)) return false;
    const version = manifest["manifest_version"];
    return (version === 2 || version === 3) && EXTENSION_KEYS.some((key) => key in manifest);
  } catch {
    return false; // no manifest, or not JSON
  }
}
