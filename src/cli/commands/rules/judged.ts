import { resolve } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { HOST_NAMES } from "../../../hosts/names.ts";
import { findProject } from "../../../moments/project.ts";
import type { Project } from "../../../moments/types.ts";
import { projectPath } from "../../../moments/working-set.ts";
import { type Catalog, readCatalog } from "../../../sources/rules/catalog.ts";
import type { CatalogRule } from "../../../sources/rules/catalog-rule.ts";
import { evaluate, type Judgement } from "../../../sources/rules/evaluate.ts";
import { PATIENT_LIMITS } from "../../../sources/rules/limits.ts";
import { EMPTY_MEMO, observe } from "../../../sources/rules/memo.ts";
import { factsOf, observationOf } from "../../../sources/rules/session.ts";
import { loadConfig } from "../../../store/config.ts";
import { findHome } from "../../../store/home.ts";
import type { Input } from "../../command.ts";
import { type LeftOut, leftOut } from "./left-out.ts";

/** `mcp` and `cli` have sessions too, but no room and no events of their own. */
const HOSTS: readonly string[] = [...HOST_NAMES, "mcp", "cli"];

export interface Judged {
  readonly rule: CatalogRule;
  readonly tokens: number;
  readonly judgement: Judgement;
}

/** Every rule of a project, held against what the options say about a session. */
export async function judgeAll(
  input: Input,
): Promise<{ project: Project; catalog: Catalog; judged: Judged[]; leftOut: LeftOut[] }> {
  const directory = resolve(input.cwd, text(input, "project") ?? ".");
  const project = findProject(directory);
  const home = findHome(input.env);
  const { config } = loadConfig(home.config, await input.sources(), input.env);
  const host = hostOf(text(input, "host") ?? "cli");
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
  const paths = texts(input, "path").map((path) => projectPath(path, input.cwd, project.root));
  const common = { session: { host, id: "preview" }, project, cwd: directory, at: now };
  const workingSet = paths.map((path) => ({ path, edited: false, at: now, turn: 0, heat: 1 }));
  const moment = { ...common, name: "prompt" as const, prompt: text(input, "prompt") ?? "" };
  const seen = observationOf(moment, catalog, EMPTY_MEMO, { workingSet });
  const memo = {
    ...observe(EMPTY_MEMO, { ...seen, tools: texts(input, "tool") }),
    model: text(input, "model") ?? null,
    agent: text(input, "agent") ?? null,
  };
  const branch = text(input, "branch");
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
  const room = text(input, "host") === undefined ? undefined : await input.openingRoom(host);
  return {
    project,
    catalog,
    judged,
    leftOut: leftOut(catalog.rules, (rule) => active.has(rule), config, room),
  };
}

export function text(input: Input, name: string): string | undefined {
  const value = input.values[name];
  return typeof value === "string" ? value : undefined;
}

function texts(input: Input, name: string): string[] {
  const value = input.values[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

export function hostOf(name: string): string {
  const host = HOSTS.find((one) => one === name);
  if (host !== undefined) return host;
  throw new ContinuoError("usage", `there is no host "${name}"`, { hint: `one of ${HOSTS.join(", ")}` });
}
