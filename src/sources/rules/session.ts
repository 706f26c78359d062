import type { SourceContext } from "../../moments/ports/source.ts";
import { currentBranch } from "../../moments/project.ts";
import type { Moment } from "../../moments/types.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { CatalogRule } from "./catalog/catalog-rule.ts";
import type { Wanted } from "./catalog/could-apply.ts";
import { commandOf, isCi } from "./environment.ts";
import type { Facts } from "./evaluate.ts";
import { matchFiles } from "./matching/file-matching.ts";
import { keywordMatcher } from "./matching/keywords.ts";
import type { Observation, RulesMemo } from "./memo.ts";
import { projectTags } from "./project-tags.ts";

/** Which rules a moment asks for: those that could apply to what it tells, and to what is remembered. */
export function wantedAt(
  moment: Moment,
  memo: RulesMemo,
  { workingSet }: Pick<SourceContext, "workingSet">,
): Extract<Wanted, { kind: "moment" }> {
  return {
    kind: "moment",
    isBeginning: moment.name !== "prompt" && moment.name !== "tool",
    touched: moment.name === "tool" ? moment.tool.files.map((file) => file.path) : [],
    workingSet: workingSet.map((use) => use.path),
    memo,
    ...("prompt" in moment && { prompt: moment.prompt }),
  };
}

/** What a moment tells about the session that some rule's condition asks for. */
export function observationOf(
  moment: Moment,
  { rules, tested: testedBefore, always }: Pick<Catalog, "rules" | "tested" | "always">,
  memo: RulesMemo,
  context: Pick<SourceContext, "workingSet"> & Partial<Pick<SourceContext, "report">>,
): Observation {
  const { touched, workingSet, prompt } = wantedAt(moment, memo, context);
  const { root } = moment.project;
  const { files, tested, isCut } = matchFiles(rules, memo, touched, workingSet, root, testedBefore);
  if (isCut)
    context.report?.(
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
    ...(moment.name === "start" || moment.name === "compacted"
      ? { given: always ?? null }
      : // They changed: from here on only what was delivered says what is new, also if they change back.
        memo.given !== (always ?? null) && { given: null }),
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
