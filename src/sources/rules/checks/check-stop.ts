import { quoteLine } from "../../../compose/escape.ts";
import type { IdleMoment } from "../../../moments/types.ts";
import type { CatalogRule } from "../catalog/catalog-rule.ts";
import type { CheckContext } from "./check-call.ts";
import type { Checked } from "./checked.ts";
import { afterStop } from "./commands-so-far.ts";
import { judgeStop } from "./judge.ts";
import { forPerson, refusalOf } from "./lines.ts";
import { type CheckMemo, MAX_TO_TELL, NOTHING_SEEN } from "./memo.ts";
import { unrecordedCounts, withoutCounts } from "./occasions.ts";
import { tellPerson } from "./person.ts";
import { reactionAtStop } from "./reactions.ts";
import { afterDecision, decide, type Happened } from "./reminders.ts";
import { checkFinder, checkSetOf, soFarOf, textFinder } from "./rule-checks.ts";

/** The most lines for the user at one stop, and in a refusal. */
const MAX_LINES = 3;

/**
 * Judges the agent's stop: either it is refused, or the user is told at once and the model at its next step. Also
 * records what checks were applied since the last stop.
 */
export async function checkStop(
  moment: IdleMoment,
  memo: CheckMemo = NOTHING_SEEN,
  rules: readonly CatalogRule[],
  context: CheckContext,
): Promise<Checked> {
  const { answer, isAfterRefusal = false, project } = moment;
  const soFar = soFarOf(memo);
  const judged = judgeStop(checkSetOf(rules), { answer, soFar }, { isOver: context.isOver });
  const checkOf = checkFinder(rules);
  const happened: Happened = {
    judged,
    reactionTo: (breach) =>
      reactionAtStop(
        breach,
        { isUsers: breach.isUsers === true, isTrusted: context.isTrusted },
        isAfterRefusal,
      ),
    checkOf,
    tense: "broke",
    edits: [],
  };
  const decision = decide(memo, happened);
  const counts = unrecordedCounts(decision.memo.seen);
  const hasCounts = Object.keys(counts).length > 0;
  // A refused stop does not count: if the agent stops again without doing what is missing, the user is told.
  const isStopped = decision.refusals.length === 0;
  const isMoved = isStopped && afterStop(soFar) !== soFar;
  if (!hasCounts && judged.breaches.length === 0 && !isMoved) return {};
  const { lines, entries, refusals } = decision;
  const why = refusals
    .slice(0, MAX_LINES)
    .map((breach) => quoteLine(refusalOf(breach, checkOf(breach), "breaks", textFinder(rules, breach))))
    .join("\n");
  return {
    notices: [
      ...(await tellPerson(decision, { ...context, project, checkOf })),
      ...lines.slice(0, MAX_LINES).map(({ text }) => forPerson(text)),
    ],
    ledgerEntries: () => [...entries, ...(hasCounts ? [{ kind: "checked", counts } as const] : [])],
    change: (newest) => {
      const next = afterDecision(newest, happened, decision);
      return {
        ...next,
        seen: withoutCounts(next.seen, counts),
        toTell: [...next.toTell, ...lines].slice(-MAX_TO_TELL),
        ...(isStopped && next.soFar !== undefined ? { soFar: afterStop(soFarOf(next)) } : {}),
      };
    },
    ...(why === "" ? {} : { verdict: { action: "deny" as const, message: why } }),
  };
}
