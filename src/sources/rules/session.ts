import { currentBranch } from "../../moments/project.ts";
import type { Surroundings } from "../../moments/source.ts";
import type { Moment } from "../../moments/types.ts";
import type { CatalogRule } from "./catalog.ts";
import type { Facts } from "./evaluate.ts";
import { matchFiles } from "./file-matching.ts";
import type { Observation, RulesMemo } from "./memo.ts";
import { projectTags } from "./project-tags.ts";
import { commandOf, isCi } from "./surroundings.ts";
import { keywordMatcher } from "./words.ts";

/** What a moment tells about the session that some rule's condition asks for. */
export function observationOf(
  moment: Moment,
  rules: readonly CatalogRule[],
  memo: RulesMemo,
  surroundings: Pick<Surroundings, "workingSet"> & Partial<Pick<Surroundings, "report">>,
): Observation {
  const touched = moment.name === "tool" ? moment.tool.files.map((file) => file.path) : [];
  const workingSet = surroundings.workingSet.map((use) => use.path);
  const prompt = "prompt" in moment ? moment.prompt : undefined;
  const { files, tested, isCut } = matchFiles(rules, memo, touched, workingSet, moment.project.root);
  if (isCut)
    surroundings.report?.(
      "rules-files-cut",
      "not every rule could be tested against every file of the session: there are too many, or a pattern is too costly",
      "run: continuo rules check",
    );
  return {
    keywords: prompt === undefined ? [] : keywordsIn(prompt, rules),
    tools: moment.name === "tool" && isName(moment.tool.name) ? [moment.tool.name] : [],
    ...(prompt === undefined ? {} : { command: commandOf(prompt) }),
    ...(moment.model === undefined ? {} : { model: moment.model }),
    ...(moment.agent === undefined ? {} : { agent: moment.agent }),
    files,
    tested,
  };
}

export function factsOf(moment: Moment, memo: RulesMemo, env: NodeJS.ProcessEnv): Facts {
  return {
    memo,
    os: process.platform,
    isCi: isCi(env),
    branch: once(() => currentBranch(moment.cwd)),
    projectTags: once(() => [...projectTags(moment.project.root), moment.project.label]),
  };
}

/** What is remembered is read at every hook: a text of any length is no tool's name. */
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

function once<T>(find: () => T): () => T {
  let found: { value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}
