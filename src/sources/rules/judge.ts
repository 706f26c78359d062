import type { Place } from "../../moments/ports/action.ts";
import { findProject } from "../../moments/project/project.ts";
import type { Project } from "../../moments/types.ts";
import { projectPath } from "../../moments/working-set.ts";
import { loadConfig } from "../../store/config.ts";
import type { Mute } from "../../store/mutes.ts";
import { readCatalog } from "./catalog/catalog.ts";
import type { Catalog, CatalogRule } from "./catalog/catalog-rule.ts";
import { isOnRequest } from "./catalog/digest.ts";
import { leftOutChecks } from "./checks/left-out.ts";
import { evaluate, type Judgement } from "./evaluate.ts";
import { PATIENT_LIMITS, type RuleLimits } from "./files/limits.ts";
import { EMPTY_MEMO, observe } from "./memo.ts";
import { type LeftOut, leftOut } from "./no-room.ts";
import { tokensInSession } from "./rules-section.ts";
import { factsOf, observationOf } from "./session.ts";

export interface Judged {
  readonly rule: CatalogRule;
  /** Counted as in `continuo why` and the ledger: including the tag around the text. */
  readonly tokens: number;
  readonly judgement: Judgement;
}

/** A hypothetical session: what it touched and said. */
export interface Imagined {
  /** A folder of the project. */
  readonly directory: string;
  /** The folder for relative paths (default: `directory`). */
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

export type JudgePlace = Pick<Place, "cwd" | "env" | "home" | "now" | "sources" | "openingRoom">;

/** How the catalog is read. Default: as for a command, which waits until all rules are read. */
export interface ReadOptions {
  readonly limits?: RuleLimits;
  readonly readOnly?: boolean;
}

/** Evaluates every rule of a project for a hypothetical session. */
export async function judge(
  place: JudgePlace,
  imagined: Imagined,
  { limits = PATIENT_LIMITS, readOnly = true }: ReadOptions = {},
): Promise<JudgedRules> {
  const { directory, from = directory, host = "cli", prompt = "", branch } = imagined;
  const project = findProject(directory);
  const { home } = place;
  const { config } = loadConfig(home.config, await place.sources(), place.env);
  const now = place.now();
  const catalog = await readCatalog({
    root: project.root,
    home: home.root,
    env: place.env,
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
    ...factsOf(moment, memo, place.env),
    ...(branch === undefined ? {} : { branch: () => branch }),
  };
  const judged = catalog.rules.map((rule) => ({
    rule,
    tokens: tokensInSession(rule),
    judgement: evaluate(rule, facts),
  }));
  const active = new Set(judged.filter((one) => one.judgement.active).map((one) => one.rule));
  const room = imagined.host === undefined ? undefined : await place.openingRoom?.(host);
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

/**
 * Whether a session gets a rule, in the users' words. A mute and missing room take precedence over the rule's own
 * conditions.
 */
export function stateOf({ rule, judgement }: Judged, isMuted = false, hasNoRoom = false): RuleState {
  if (isMuted) return "muted";
  if (hasNoRoom) return "no room";
  if (judgement.active) return "active";
  return isOnRequest(rule) ? "on request" : "waits";
}

export type RuleState = "muted" | "no room" | "active" | "on request" | "waits";

/** Why it is muted, if it is. */
export function mutedText(mute: Mute): string {
  const what = mute.what === "rules" ? "all rules" : "it";
  return `you muted ${what} ${mute.in === "everywhere" ? "everywhere" : "in this project"}`;
}
