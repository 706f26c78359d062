import { describeError } from "../../base/errors.ts";
import { once } from "../../base/once.ts";
import type { Answer, SourceContext } from "../../moments/ports/source.ts";
import type { IdleMoment, Moment, Session } from "../../moments/types.ts";
import { wasUsedBefore } from "../../moments/working-set.ts";
import { homeAt } from "../../store/home.ts";
import { placeOf, readCatalog } from "./catalog/catalog.ts";
import type { Catalog, CatalogRule } from "./catalog/catalog-rule.ts";
import { type CheckContext, checkCall } from "./checks/check-call.ts";
import { checkStop } from "./checks/check-stop.ts";
import { type Checked, together, withFewNotices } from "./checks/checked.ts";
import { forPerson } from "./checks/lines.ts";
import { type CheckMemo, mergeRunMemo, NOTHING_SEEN } from "./checks/memo.ts";
import { countOccasions } from "./checks/occasions.ts";
import type { Question } from "./checks/person.ts";
import { brokenSection } from "./checks/section.ts";
import { type RulesMemo, readMemo } from "./memo.ts";
import { hasResults } from "./run/result-folder.ts";
import { trustedProjects } from "./trusted.ts";

/**
 * What checks report at a moment inside an epoch, and what they remember when an epoch begins. `begun`: a time by
 * `performance.now`.
 */
export async function checkedAt(
  moment: Moment,
  memo: CheckMemo | undefined,
  catalog: Catalog,
  context: SourceContext,
  begun: number,
): Promise<Checked> {
  if (moment.name === "compacted" && checkedRules(moment, catalog, context).length > 0)
    return { change: (newest) => ({ ...newest, isCompacted: true }) };
  const waiting = together(tellWaiting(moment, memo), await tellRuns(moment, memo, catalog, context, begun));
  const isStep = moment.name === "prompt" || moment.name === "tool";
  const late = isStep && !context.signal.aborted ? takeLate(moment.session) : {};
  const earlier = together(waiting, late);
  if (moment.name !== "tool" || moment.isPast === true) return withFewNotices(earlier);
  const rules = checkedRules(moment, catalog, context);
  if (rules.length === 0) return withFewNotices(earlier);
  try {
    const call = await checkCall(moment, memo, rules, {
      ...checkContext(moment, context, begun),
      wasUsed: (path) => wasUsedBefore(context.workingSet, path, moment.tool.files),
      timeLeft: () => context.deadlineMs - (performance.now() - begun),
    });
    if (context.signal.aborted) keepLate(moment.session, together(late, call));
    return withFewNotices(together(earlier, call));
  } catch (error) {
    // The rules themselves are still delivered.
    const { code, message, hint } = describeError(error);
    context.report(code, `checks of a call: ${message}`, hint);
    return withFewNotices(earlier);
  }
}

/** The results of rules' commands that ran after the agent went idle. A subagent's results go to its parent. */
async function tellRuns(
  moment: Moment,
  memo: CheckMemo | undefined,
  catalog: Catalog,
  context: SourceContext,
  begun: number,
): Promise<Checked> {
  const { name, session } = moment;
  if ((name !== "prompt" && name !== "tool") || session.parent !== undefined) return {};
  if (!hasResults({ root: context.home }, session)) return {};
  const { tellRuns: tell } = await import("./run/tell-runs.ts");
  return tell(moment, memo, checkedRules(moment, catalog, context), checkContext(moment, context, begun));
}

/** Breaches found when the agent stopped are reported at its next step. */
function tellWaiting({ name }: Moment, memo: CheckMemo | undefined): Checked {
  const told = memo?.toTell ?? [];
  if (told.length === 0 || (name !== "prompt" && name !== "tool")) return {};
  const keys = new Set(told.map(({ key }) => key));
  return {
    sections: brokenSection(told),
    change: (newest) => ({ ...newest, toTell: newest.toTell.filter(({ key }) => !keys.has(key)) }),
  };
}

/**
 * Checks apply regardless of their rules' conditions. In a project that the user does not trust, its rules cannot
 * replace the user's own.
 */
function checkedRules(moment: Moment, catalog: Catalog, context: SourceContext): CatalogRule[] {
  const { rules, checked = rules, replaced } = catalog;
  const own = replaced.length === 0 || isTrusted(moment, context) ? [] : replaced;
  const taken = new Set(own.map(({ content }) => content));
  return [...own, ...checked.filter(({ content }) => !taken.has(content))].filter(
    ({ checks, file }) => checks.length > 0 && context.isMuted?.(file.key) !== true,
  );
}

function isTrusted({ at, project }: Moment, context: SourceContext): boolean {
  return trustedProjects(at, context).includes(project.id);
}

function checkContext(moment: Moment, context: SourceContext, begun: number): CheckContext {
  const { home, env, report, reviewCommand } = context;
  // Half of the time is reserved for reporting: a late answer is lost, including what the user's own rules report.
  const isOver = () => performance.now() - begun > context.deadlineMs / 2;
  const trust = once(() => isTrusted(moment, context));
  // Rarely needed, so it is loaded only here.
  const ask = async (question: Question) =>
    (await import("./drafts/waiting.ts")).askPerson(homeAt(home), question, moment.at);
  return { home, env, report, reviewCommand, ask, isTrusted: trust, isOver };
}

export function changed(memo: RulesMemo, { change }: Checked): RulesMemo {
  return change === undefined ? memo : { ...memo, checks: change(memo.checks ?? NOTHING_SEEN) };
}

/** The agent stops: first checks of its answer and of what it should have done. */
export async function atIdle(moment: IdleMoment, context: SourceContext): Promise<Answer> {
  const begun = performance.now();
  const memo = readMemo(context.memo);
  const catalog = await readCatalog({ ...placeOf(moment, context), wanted: { kind: "checks" } });
  const rules = checkedRules(moment, catalog, context);
  if (rules.length === 0) return {};
  const stop = await checkStop(moment, memo.checks, rules, checkContext(moment, context, begun));
  // An agent whose stop is refused goes on, so its files are not finished.
  const runs = stop.verdict === undefined ? await startRuns(moment, memo.checks, rules, context) : {};
  const checked = withFewNotices(together(stop, runs));
  if (checked.change === undefined) return {};
  return { ...checked, remember: (newest) => changed(readMemo(newest), checked) };
}

/** Starts the commands of rules on changed files, without waiting for them. */
async function startRuns(
  moment: IdleMoment,
  memo: CheckMemo = NOTHING_SEEN,
  rules: readonly CatalogRule[],
  context: SourceContext,
): Promise<Checked> {
  if (!rules.some(({ checks }) => checks.some(({ on }) => on === "run"))) return {};
  const { startRuns: start } = await import("./run/start-runs.ts");
  const { memo: after, occasions, notices } = start(moment, rules, memo.runs, context);
  if (after === memo.runs) return {};
  return {
    notices: notices.map(forPerson),
    change: (newest) => ({
      ...newest,
      seen: countOccasions(newest.seen, { occasions, breaches: [] }),
      runs: mergeRunMemo(newest.runs, after),
    }),
  };
}

/**
 * Findings of a call that came too late. A long-running process reports them at the session's next step. A hook process
 * has ended by then, and the health log says that the rules were late.
 */
const late = new Map<string, Checked>();

/** More sessions than one process handles at a time. */
const MAX_SESSIONS = 20;

function keepLate(session: Session, checked: Checked): void {
  const key = keyOf(session);
  late.set(key, together(late.get(key) ?? {}, checked));
  for (const oldest of late.keys()) if (late.size > MAX_SESSIONS) late.delete(oldest);
}

function takeLate(session: Session): Checked {
  if (late.size === 0) return {};
  const key = keyOf(session);
  const found = late.get(key) ?? {};
  late.delete(key);
  return found;
}

function keyOf({ host, id }: Session): string {
  return JSON.stringify([host, id]);
}
