import { count } from "../../../base/when.ts";
import type { Section } from "../../../compose/section.ts";
import type { Moment } from "../../../moments/types.ts";
import { priorityOf } from "../../order.ts";
import type { CheckMemo } from "./memo.ts";
import type { Line } from "./reminders.ts";

/** What the model is told about broken rules, one line each. */
export function brokenSection(lines: readonly Line[]): Section[] {
  if (lines.length === 0) return [];
  return [
    {
      source: "rules",
      title: "Broken rules",
      nature: "broken",
      priority: priorityOf("broken rules"),
      essential: true,
      layout: "lines",
      isPassing: true,
      items: lines.map((line, i) => ({
        ...line,
        ...(isFirstOfRule(line, i, lines) ? { noun: "broken rule" } : {}),
        reason: "the rule was broken",
        priority: -i,
      })),
    },
  ];
}

/** Names each broken rule only once to the user. */
function isFirstOfRule({ key, name }: Line, at: number, lines: readonly Line[]): boolean {
  return !key.endsWith("/rest") && lines.findIndex((line) => line.name === name) === at;
}

/**
 * How a rule that was broken in this session is marked when an epoch begins. The mark must stay true for the whole
 * epoch.
 */
export function markOf(rule: string, memo: CheckMemo | undefined, { name }: Moment): string | undefined {
  const times = memo?.broken[rule]?.breaches ?? 0;
  if (times === 0 || (name !== "compacted" && name !== "resume")) return undefined;
  const until = name === "compacted" ? "the compaction" : "it was resumed";
  return `${count(times, "time")} in this session before ${until}`;
}
