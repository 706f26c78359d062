import { clip } from "../../../base/text.ts";
import type { Section } from "../../../compose/section.ts";
import type { Moment, Session } from "../../../moments/types.ts";
import { homeAt } from "../../../store/home.ts";
import { priorityOf } from "../../order.ts";
import type { CatalogRule } from "../catalog/catalog-rule.ts";
import type { Breach } from "../checks/breach.ts";
import type { CheckContext } from "../checks/check-call.ts";
import { refOf } from "../checks/check-set.ts";
import type { Checked } from "../checks/checked.ts";
import { forPerson, nameOf } from "../checks/lines.ts";
import { type CheckMemo, NOTHING_SEEN } from "../checks/memo.ts";
import { withoutOccasion } from "../checks/occasions.ts";
import { tellPerson } from "../checks/person.ts";
import { reactionAfter } from "../checks/reactions.ts";
import { decide, type Happened } from "../checks/reminders.ts";
import { checkFinder } from "../checks/rule-checks.ts";
import { brokenSection } from "../checks/section.ts";
import { markTold, type RunResult, readResults } from "./results.ts";

/**
 * What commands of rules found since the last report: one line for each, as for any broken rule, and the end of its
 * output as quoted data. Commands without a result become a line for the user. Leaves out rules that were removed or
 * muted.
 */
export async function tellRuns(
  { session, project }: Pick<Moment, "session" | "project">,
  memo: CheckMemo = NOTHING_SEEN,
  rules: readonly CatalogRule[],
  context: CheckContext,
): Promise<Checked> {
  const checkOf = checkFinder(rules);
  const results = resultsToTell(session, context);
  if (results.length === 0) return {};
  const found = results.flatMap((result) => {
    const isUsers = rules.some(({ file }) => file.scope === "global" && file.key === result.rule);
    const breach = breachOf(result, isUsers);
    return breach !== undefined && checkOf(breach) !== undefined ? [{ breach, result }] : [];
  });
  const withoutResult = results.flatMap((one) =>
    one.found.kind === "failed" ? [refOf(one.rule, one.check)] : [],
  );
  const happened: Happened = {
    judged: { breaches: found.map(({ breach }) => breach), occasions: [] },
    reactionTo: reactionAfter,
    checkOf,
    tense: "broke",
    edits: [],
  };
  const decision = decide(memo, happened);
  const isTold = ({ breach }: (typeof found)[number]) =>
    decision.lines.some(({ key }) => key.startsWith(`broken/${breach.place}/`));
  const asked = await tellPerson(decision, { ...context, project, checkOf });
  return {
    sections: [...brokenSection(decision.lines), ...outputSection(found.filter(isTold))],
    notices: [...results.flatMap((result) => notice(result) ?? []), ...asked],
    ledgerEntries: () => {
      // The state records the report from here on.
      forget(session, results, context);
      return decision.entries;
    },
    change: (newest) => {
      const { memo: after } = decide(newest, happened);
      return { ...after, seen: withoutOccasion(after.seen, withoutResult) };
    },
  };
}

function resultsToTell(session: Session, { home }: CheckContext): RunResult[] {
  return readResults(homeAt(home), session).filter(
    ({ found }) => !(found.kind === "failed" && found.isTold === true),
  );
}

function forget(session: Session, results: readonly RunResult[], { home, report }: CheckContext): void {
  try {
    for (const result of results) markTold(homeAt(home), session, result);
  } catch (error) {
    report("run-told", `the result of a rule's command may be reported twice: ${(error as Error).message}`);
  }
}

function breachOf(
  { rule, name, check, reaction, message, command, at, found }: RunResult,
  isUsers: boolean,
): Breach | undefined {
  if (found.kind !== "broken") return undefined;
  const last = found.output.slice(found.output.lastIndexOf("\n") + 1).trim();
  return {
    rule,
    name,
    check,
    on: "run",
    reaction,
    ...(isUsers && { isUsers }),
    ...(message === undefined ? {} : { message }),
    text: `${command}: ${last === "" ? `exit code ${found.code}` : last}`,
    // Each run is a separate place: the same output again means that the problem is still there.
    place: `run ${refOf(rule, check)} ${at.toString(36)}`,
  };
}

function outputSection(found: readonly { readonly breach: Breach; readonly result: RunResult }[]): Section[] {
  const items = found.flatMap(({ breach, result: { command, found: end } }, i) => {
    if (end.kind !== "broken" || end.output === "") return [];
    const text = `${clip(command, 300)}\n${end.output}`;
    return [
      { key: `output/${breach.place}`, name: breach.name, text, reason: "the rule was broken", priority: -i },
    ];
  });
  if (items.length === 0) return [];
  return [
    {
      source: "rules",
      title: "Output of commands that rules run",
      nature: "reference",
      priority: priorityOf("output of commands"),
      essential: false,
      isPassing: true,
      items,
    },
  ];
}

function notice({ found, command, name }: RunResult): string[] {
  if (found.kind !== "failed") return [];
  const what = clip(command, 200);
  return [forPerson(`"${what}" of the rule "${nameOf({ name })}" gave no result: ${found.detail}`)];
}
