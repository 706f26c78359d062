import { knownProject } from "../../../moments/project/known-project.ts";
import { findProject } from "../../../moments/project/project.ts";
import { readReport } from "../../../sources/rules/report/read-report.ts";
import type { ReportedRule } from "../../../sources/rules/report/report.ts";
import type { FollowedRule, RulesReport } from "../../api/rules.ts";
import type { Web } from "../web.ts";
import { shortName } from "./views.ts";

const DAYS = 30;
const DAY_MS = 24 * 3_600_000;
const MOST_RULES = 200;
const MOST_NAMES = 20;

/** How well rules were followed, by project. Reads the whole ledger, so several pages share one reading. */
export function followedRules(web: Web): (root: string) => Promise<RulesReport> {
  const running = new Map<string, Promise<RulesReport>>();
  return (root) => {
    const known = running.get(root);
    if (known !== undefined) return known;
    const reading = read(web, root).finally(() => running.delete(root));
    running.set(root, reading);
    return reading;
  };
}

async function read({ home, env, now }: Web, root: string): Promise<RulesReport> {
  const project = findProject(root);
  const found = await readReport({
    home,
    env,
    now: now(),
    since: now() - DAYS * DAY_MS,
    project: { ...project, ids: knownProject(project, { home, env }).ids },
  });
  const checked = found.rules.filter(({ occasions, broken }) => occasions + broken > 0);
  const always = new Set(found.alwaysBroken);
  return {
    days: DAYS,
    ...(found.first === undefined ? {} : { first: new Date(found.first).toISOString() }),
    sessions: found.sessions,
    rules: checked.slice(0, MOST_RULES).map((rule) => followed(rule, always.has(rule))),
    total: checked.length,
    neverApplied: found.neverApplied
      .slice(0, MOST_NAMES)
      .map(({ key, name }) => ({ key, name: shortName(name) })),
    totalNeverApplied: found.neverApplied.length,
  };
}

function followed(rule: ReportedRule, isAlwaysBroken: boolean): FollowedRule {
  const { key, name, sessions, occasions, broken, breaches, lastWeek, weekBefore } = rule;
  const { afterCompaction, afterReminder, refused, asked } = rule;
  return {
    key,
    name: shortName(name),
    exists: rule.exists !== false,
    sessions,
    // Occasions are recorded later than breaches, so there may be fewer.
    occasions: Math.max(occasions, broken),
    broken,
    places: breaches,
    afterCompaction,
    afterReminder,
    refused,
    asked,
    share: rule.share ?? 0,
    lastWeek,
    weekBefore,
    isAlwaysBroken,
  };
}
