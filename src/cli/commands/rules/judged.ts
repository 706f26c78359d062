import { resolve } from "node:path";
import { findProject } from "../../../moments/project/project.ts";
import type { Project } from "../../../moments/types.ts";
import { projectPath } from "../../../moments/working-set.ts";
import { readCatalog } from "../../../sources/rules/catalog/catalog.ts";
import type { Catalog, CatalogRule } from "../../../sources/rules/catalog/catalog-rule.ts";
import { isOnRequest } from "../../../sources/rules/catalog/digest.ts";
import { leftOutChecks } from "../../../sources/rules/checks/left-out.ts";
import { evaluate, type Judgement } from "../../../sources/rules/evaluate.ts";
import { PATIENT_LIMITS, type RuleLimits } from "../../../sources/rules/files/limits.ts";
import { EMPTY_MEMO, observe } from "../../../sources/rules/memo.ts";
import { tokensInSession } from "../../../sources/rules/rules-section.ts";
import { factsOf, observationOf } from "../../../sources/rules/session.ts";
import { loadConfig } from "../../../store/config.ts";
import { findHome } from "../../../store/home.ts";
import type { Input, World } from "../../command.ts";
import { hostOption, textOption, textsOption } from "../../terminal/options.ts";
import { type LeftOut, leftOut } from "./left-out.ts";

export interface Judged {
  readonly rule: CatalogRule;
  /** As `continuo why` and the ledger count it: with the tag around the text. */
  readonly tokens: number;
  readonly judgement: Judgement;
}

/** A session as somebody imagines it: what it touched and said. */
export interface Imagined {
  /** A folder of the project. */
  readonly directory: string;
  /** Relative paths are relative to this folder; to `directory` unless given. */
  readonly from?: string;
  readonly host?: string;
  readonly paths?: readonly string[];
  readonly prompt?: string;
  readonly tools?: readonly string[];
  readonly branch?: string;
  readonly model?: string;
  readonly agent?: string;
}

export interface JudgedRules {
  readonly project: Project;
  readonly catalog: Catalog;
  readonly judged: readonly Judged[];
  readonly leftOut: readonly LeftOut[];
}

export type JudgeWorld = Pick<World, "cwd" | "env" | "now" | "sources" | "openingRoom">;

/** How the catalog is read: by default as a person's command does, which waits until all rules are read. */
export interface ReadOptions {
  readonly limits?: RuleLimits;
  readonly readOnly?: boolean;
}

/** Evaluates every rule of a project for the session that the options describe. */
export function judgeAll(input: Input): Promise<JudgedRules> {
  const directory = resolve(input.cwd, textOption(input, "project") ?? ".");
  // From another folder, a path is one of the project that was named.
  const isInside = findProject(input.cwd).id === findProject(directory).id;
  const given = {
    host: hostOption(input),
    prompt: textOption(input, "prompt"),
    branch: textOption(input, "branch"),
    model: textOption(input, "model"),
    agent: textOption(input, "agent"),
  };
  return judge(input, {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    directory,
    from: isInside ? input.cwd : directory,
    paths: textsOption(input, "path"),
    tools: textsOption(input, "tool"),
  });
}

/** Evaluates every rule of a project for an imagined session. */
export async function judge(
  world: JudgeWorld,
  imagined: Imagined,
  { limits = PATIENT_LIMITS, readOnly = true }: ReadOptions = {},
): Promise<JudgedRules> {
  const { directory, from = directory, host = "cli", prompt = "", branch } = imagined;
  const project = findProject(directory);
  const home = findHome(world.env);
  const { config } = loadConfig(home.config, await world.sources(), world.env);
  const now = world.now();
  const catalog = await readCatalog({
    root: project.root,
    home: home.root,
    env: world.env,
    settings: config.sources["rules"] ?? {},
    host,
    readOnly,
    now,
    limits,
  });
  const paths = (imagined.paths ?? []).map((path) => projectPath(path, from, project.root));
  const common = { session: { host, id: "preview" }, project, cwd: directory, at: now };
  const workingSet = paths.map((path) => ({ path, edited: false, at: now, turn: 0, heat: 1 }));
  const moment = { ...common, name: "prompt" as const, prompt };
  const seen = observationOf(moment, catalog, EMPTY_MEMO, { workingSet });
  const memo = {
    ...observe(EMPTY_MEMO, { ...seen, tools: imagined.tools ?? [] }),
    model: imagined.model ?? null,
    agent: imagined.agent ?? null,
  };
  const facts = {
    ...factsOf(moment, memo, world.env),
    ...(branch === undefined ? {} : { branch: () => branch }),
  };
  const judged = catalog.rules.map((rule) => ({
    rule,
    tokens: tokensInSession(rule),
    judgement: evaluate(rule, facts),
  }));
  const active = new Set(judged.filter((one) => one.judgement.active).map((one) => one.rule));
  const room = imagined.host === undefined ? undefined : await world.openingRoom(host);
  return {
    project,
    catalog,
    judged,
    leftOut: leftOut(catalog.rules, (rule) => active.has(rule), config, room),
  };
}

/** One rule, for `--json`. */
export function summary({ rule, tokens, judgement }: Judged) {
  const { name, priority, file, when, checks } = rule;
  return {
    name,
    active: judgement.active,
    onRequest: isOnRequest(rule),
    because: judgement.because(),
    tokens,
    priority,
    path: file.path,
    dialect: file.dialect,
    when,
    checks,
    leftOutChecks: leftOutChecks(rule.lints),
  };
}
