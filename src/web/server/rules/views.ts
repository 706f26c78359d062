import { createHash } from "node:crypto";
import { oneLine } from "../../../base/for-terminal.ts";
import { clip } from "../../../base/text.ts";
import type { Judged, JudgedRules } from "../../../cli/commands/rules/judged.ts";
import { waitsFor } from "../../../cli/commands/rules/list.ts";
import { aboutRun } from "../../../cli/commands/rules/runs.ts";
import { mutedAt } from "../../../moments/muted.ts";
import { isOnRequest } from "../../../sources/rules/catalog/digest.ts";
import type { Check } from "../../../sources/rules/checks/check.ts";
import { describeCheck } from "../../../sources/rules/checks/describe.ts";
import {
  acceptedText,
  mayRun,
  type Run,
  runsOf,
  shownCommand,
  waitingRuns,
} from "../../../sources/rules/run/runs.ts";
import { checksToTrust, fingerprintOf, haveChanged } from "../../../sources/rules/trusted-checks.ts";
import type { Mute } from "../../../store/mutes.ts";
import type { Trust } from "../../../store/trust.ts";
import type { RefusedRule, RuleCheck, RuleRow, TrustState } from "../../api/rules.ts";
import type { RuleDeliveries } from "./deliveries.ts";

/** Repositories can hold thousands of rules, and name them as they like: lists and texts are cut. */
const MOST_RULES = 1_000;
const MOST_REFUSED = 200;
const MOST_CHECKS = 500;
const MOST_RUNS = 100;
const MAX_NAME = 200;
const MAX_TEXT = 1_000;

const short = (text: string, most = MAX_TEXT): string => clip(oneLine(text), most);

export function ruleRows(
  { project, judged, leftOut }: JudgedRules,
  deliveries: RuleDeliveries,
  mutes: readonly Mute[],
): RuleRow[] {
  const noRoom = new Map(leftOut.map(({ rule, message, hint }) => [rule, `${message}; ${hint}`]));
  const muted = mutedAt(mutes, { project: project.id });
  return judged.slice(0, MOST_RULES).map((one): RuleRow => {
    const { rule, tokens, judgement } = one;
    const mute = muted?.of("rules", rule.file.key);
    const out = noRoom.get(rule);
    const times = deliveries.of(project.id, rule.file.key);
    return {
      key: rule.file.key,
      name: short(rule.name, MAX_NAME),
      state: mute !== undefined ? "muted" : out !== undefined ? "left-out" : stateOf(one),
      because: short(
        mute !== undefined
          ? `you muted ${mute.what === "rules" ? "all rules" : "it"} ${mute.in === "everywhere" ? "everywhere" : "in this project"}`
          : (out ?? judgement.because()),
      ),
      condition: short(waitsFor(rule) ?? ""),
      tokens,
      priority: rule.priority,
      path: rule.file.path,
      dialect: rule.file.dialect,
      scope: rule.file.scope,
      checks: rule.checks.map(checkOf),
      warnings: rule.lints.slice(0, 10).map(({ message }) => short(message)),
      delivered: times?.count ?? 0,
      ...(times === undefined ? {} : { lastDelivered: times.last }),
    };
  });
}

function stateOf({ rule, judgement }: Judged): RuleRow["state"] {
  if (judgement.active) return "active";
  if (isOnRequest(rule)) return "on-request";
  return rule.when.kind === "conditions" ? "waiting" : "manual";
}

export function refusedRows({ catalog }: JudgedRules): RefusedRule[] {
  return [
    ...catalog.rejects.map(
      ({ path, message }): RefusedRule => ({
        path: short(path),
        why: "refused",
        message: short(message.replace(`${path}: `, "")),
      }),
    ),
    ...catalog.repeated.map(
      ({ file, by }): RefusedRule => ({
        path: short(file.path),
        why: "duplicate",
        message: short(`same text as ${by.path}, which is used`),
      }),
    ),
    ...catalog.pending.map(
      ({ path }): RefusedRule => ({
        path: short(path),
        why: "pending",
        message: "not read yet: there are many rules, and the next reading continues",
      }),
    ),
  ].slice(0, MOST_REFUSED);
}

export function trustState({ project, catalog }: JudgedRules, trust: Trust): TrustState {
  const checks = checksToTrust(catalog.rules);
  const runs = runsOf(catalog.rules);
  const hasWaiting = waitingRuns(trust, project.id, runs).length > 0;
  return {
    isTrusted: trust.projects.includes(project.id),
    hasChanged: hasWaiting || haveChanged(trust, project.id, checks),
    checks: fingerprintOf(checks),
    total: checks.length,
    shown: checks
      .slice(0, MOST_CHECKS)
      .map((one) => ({ ...checkOf(one.check), rule: short(one.rule, MAX_NAME), path: one.path })),
    runs: runs.slice(0, MOST_RUNS).map((run) => ({
      rule: short(run.name, MAX_NAME),
      path: run.path,
      isUsers: run.isUsers,
      command: shownCommand(run.check.command),
      about: short(aboutRun(run)),
      isAccepted: mayRun(trust, project.id, run),
    })),
    totalRuns: runs.length,
    runsToken: runsToken(runs),
    ...(trust.damage === undefined
      ? {}
      : { damage: { message: trust.damage.message, hint: trust.damage.hint } }),
  };
}

/** Not the short fingerprint of texts, which can be forged: a stranger writes these commands. */
function runsToken(runs: readonly Run[]): string {
  const all = runs.map((run) => JSON.stringify([run.isUsers, acceptedText(run) ?? ""])).sort();
  return createHash("sha256").update(all.join("\n")).digest("hex");
}

function checkOf(check: Check): RuleCheck {
  return {
    on: check.on,
    reaction: check.reaction,
    what: short(describeCheck(check)),
    ...(check.message === undefined ? {} : { message: short(check.message) }),
  };
}

/** For one line of the page. */
export function shortText(text: string): string {
  return short(text);
}
