import { quoteLine } from "../../../compose/escape.ts";
import type { Guarded } from "../../../moments/ports/source.ts";
import type { ToolMoment } from "../../../moments/types.ts";
import type { CatalogRule } from "../catalog/catalog-rule.ts";
import { withFilesNow, withRealPaths } from "./file-before.ts";
import { judgeCall } from "./judge.ts";
import { refusalOf } from "./lines.ts";
import { type CheckMemo, MAX_ASKED, NOTHING_SEEN } from "./memo.ts";
import { type Authority, reactionBefore } from "./reactions.ts";
import { entryOf } from "./reminders.ts";
import { checkFinder, checkSetOf, soFarOf, textFinder } from "./rule-checks.ts";

/** The most lines in one message. */
const MAX_LINES = 3;
const MAX_ENTRIES = 20;

/** What rules refuse, or ask the user about, before a call. */
export function checkBefore(
  { tool, project }: ToolMoment,
  rules: readonly CatalogRule[],
  isTrusted: Authority["isTrusted"],
  readMemo: () => CheckMemo | undefined,
): (Omit<Guarded, "remember"> & { readonly change?: (memo: CheckMemo) => CheckMemo }) | undefined {
  // The session's state is read only if earlier commands matter.
  const needsMemo = tool.command !== undefined && rules.some(({ checks }) => checks.some(isAfterAnother));
  const memo = (needsMemo ? readMemo() : undefined) ?? NOTHING_SEEN;
  const { edits } = tool;
  const { root } = project;
  const call =
    edits === undefined ? tool : { ...tool, edits: () => withFilesNow(withRealPaths(edits(), root), root) };
  const { breaches } = judgeCall(checkSetOf(rules), call, soFarOf(memo));
  const stops = breaches.flatMap((breach) => {
    const action = reactionBefore(breach, { isUsers: breach.isUsers === true, isTrusted });
    return action === undefined ? [] : [{ breach, action }];
  });
  if (stops.length === 0) return undefined;
  const action = stops.some((one) => one.action === "deny") ? "deny" : "ask";
  const strictest = stops.filter((one) => one.action === action);
  const checkOf = checkFinder(rules);
  const lines = strictest
    .slice(0, MAX_LINES)
    .map(({ breach }) =>
      quoteLine(refusalOf(breach, checkOf(breach), "would break", textFinder(rules, breach))),
    );
  const known = readMemo() ?? NOTHING_SEEN;
  const happened = { tool: tool.name };
  const places = strictest.map(({ breach }) => breach.place);
  return {
    action,
    message: lines.join("\n"),
    ledgerEntries: strictest
      .slice(0, MAX_ENTRIES)
      .map(({ breach }) => entryOf({ breach, more: breach.more ?? 0 }, action, known, happened)),
    // If the user allows the call, the model is not told about what they allowed.
    ...(action === "ask" && {
      change: (newest: CheckMemo) => ({
        ...newest,
        asked: [...new Set([...newest.asked, ...places])].slice(-MAX_ASKED),
      }),
    }),
  };
}

function isAfterAnother(check: CatalogRule["checks"][number]): boolean {
  return check.on === "commands" && check.ran !== undefined;
}
