import { oneLine } from "../../../base/for-terminal.ts";
import { clip } from "../../../base/text.ts";
import { mutedAt } from "../../../moments/state/muted.ts";
import { HOOK_LIMITS } from "../../../sources/rules/files/limits.ts";
import {
  type Imagined,
  type Judged,
  type JudgedRules,
  judge,
  mutedText,
  type RuleState,
  stateOf,
} from "../../../sources/rules/judge.ts";
import { waitsFor } from "../../../sources/rules/matching/condition-words.ts";
import type { Mute } from "../../../store/mutes.ts";
import type { RefusedRule, RuleRow } from "../../api/rules.ts";
import type { Web } from "../web.ts";
import { checkView } from "./check-view.ts";
import type { RuleDeliveries } from "./deliveries.ts";

/** Repositories can contain thousands of rules with any names, so lists and texts are cut. */
const MOST_RULES = 1_000;
const MOST_REFUSED = 200;
const MOST_CHECKS = 50;
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
      state: stateIn(one, mute !== undefined, out !== undefined),
      because: short(mute !== undefined ? mutedText(mute) : (out ?? judgement.because())),
      condition: short(waitsFor(rule) ?? ""),
      tokens,
      priority: rule.priority,
      path: rule.file.path,
      dialect: rule.file.dialect,
      scope: rule.file.scope,
      checks: rule.checks.slice(0, MOST_CHECKS).map(checkView),
      warnings: rule.lints.slice(0, 10).map(({ message }) => short(message)),
      delivered: times?.count ?? 0,
      ...(times === undefined ? {} : { lastDelivered: times.last }),
    };
  });
}

/** The API's names for the states of `rules list`. */
const STATES = {
  muted: "muted",
  "no room": "left-out",
  active: "active",
  "on request": "on-request",
  waits: "waiting",
} as const satisfies Record<RuleState, RuleRow["state"]>;

function stateIn(one: Judged, isMuted: boolean, hasNoRoom: boolean): RuleRow["state"] {
  const state = stateOf(one, isMuted, hasNoRoom);
  return state === "waits" && one.rule.when.kind !== "conditions" ? "manual" : STATES[state];
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

/** For one line of the page. */
export function shortText(text: string): string {
  return short(text);
}

export function shortName(text: string): string {
  return short(text, MAX_NAME);
}

/** Judges rules as hooks do, within a time limit; the next call reads what was not read. */
export function judgeIn(web: Web, imagined: Imagined): Promise<JudgedRules> {
  return judge(web, imagined, { limits: HOOK_LIMITS, readOnly: false });
}
