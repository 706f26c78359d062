import { resolve } from "node:path";
import { findProject } from "../../../moments/project.ts";
import type { Project } from "../../../moments/types.ts";
import { projectPath } from "../../../moments/working-set.ts";
import { readCatalog } from "../../../sources/rules/catalog/catalog.ts";
import type { Catalog, CatalogRule } from "../../../sources/rules/catalog/catalog-rule.ts";
import { evaluate, type Judgement } from "../../../sources/rules/evaluate.ts";
import { PATIENT_LIMITS } from "../../../sources/rules/files/limits.ts";
import { EMPTY_MEMO, observe } from "../../../sources/rules/memo.ts";
import { factsOf, observationOf } from "../../../sources/rules/session.ts";
import { loadConfig } from "../../../store/config.ts";
import { findHome } from "../../../store/home.ts";
import type { Input } from "../../command.ts";
import { hostOption, textOption, textsOption } from "../../terminal/options.ts";
import { type LeftOut, leftOut } from "./left-out.ts";

export interface Judged {
  readonly rule: CatalogRule;
  readonly tokens: number;
  readonly judgement: Judgement;
}

/** Evaluates every rule of a project for the session that the options describe. */
export async function judgeAll(
  input: Input,
): Promise<{ project: Project; catalog: Catalog; judged: Judged[]; leftOut: LeftOut[] }> {
  const directory = resolve(input.cwd, textOption(input, "project") ?? ".");
  const project = findProject(directory);
  const home = findHome(input.env);
  const { config } = loadConfig(home.config, await input.sources(), input.env);
  const host = hostOption(input) ?? "cli";
  const now = input.now();
  const catalog = await readCatalog({
    root: project.root,
    home: home.root,
    env: input.env,
    settings: config.sources["rules"] ?? {},
    host,
    readOnly: true,
    now,
    limits: PATIENT_LIMITS,
  });
  // From another folder, a path is one of the project that was named.
  const isInside = findProject(input.cwd).id === project.id;
  const from = isInside ? input.cwd : directory;
  const paths = textsOption(input, "path").map((path) => projectPath(path, from, project.root));
  const common = { session: { host, id: "preview" }, project, cwd: directory, at: now };
  const workingSet = paths.map((path) => ({ path, edited: false, at: now, turn: 0, heat: 1 }));
  const moment = { ...common, name: "prompt" as const, prompt: textOption(input, "prompt") ?? "" };
  const seen = observationOf(moment, catalog, EMPTY_MEMO, { workingSet });
  const memo = {
    ...observe(EMPTY_MEMO, { ...seen, tools: textsOption(input, "tool") }),
    model: textOption(input, "model") ?? null,
    agent: textOption(input, "agent") ?? null,
  };
  const branch = textOption(input, "branch");
  const facts = {
    ...factsOf(moment, memo, input.env),
    ...(branch === undefined ? {} : { branch: () => branch }),
  };
  const judged = catalog.rules.map((rule) => ({
    rule,
    tokens: rule.tokens,
    judgement: evaluate(rule, facts),
  }));
  const active = new Set(judged.filter((one) => one.judgement.active).map((one) => one.rule));
  const room = hostOption(input) === undefined ? undefined : await input.openingRoom(host);
  return {
    project,
    catalog,
    judged,
    leftOut: leftOut(catalog.rules, (rule) => active.has(rule), config, room),
  };
}
