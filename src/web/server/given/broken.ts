import { oneLine } from "../../../base/for-terminal.ts";
import { clip } from "../../../base/text.ts";
import type { Broken } from "../../../moments/state/ledger.ts";
import type { BrokenRule } from "../../api/given.ts";

const MAX_TEXT = 500;
const REACTIONS: readonly BrokenRule["reaction"][] = ["remind", "deny", "ask", "report", "question", "none"];

/** A breach from the ledger as the page shows it. Its line may be from another version: missing fields are left out. */
export function brokenRule(line: Broken, isTold = true): BrokenRule {
  const short = (text: unknown): string => (typeof text === "string" ? clip(oneLine(text), MAX_TEXT) : "");
  return {
    rule: line.rule,
    name: short(line.name),
    on: short(line.on),
    reaction: REACTIONS.find((one) => one === line.reaction) ?? "report",
    ...(line.path === undefined ? {} : { path: short(line.path) }),
    ...(typeof line.line === "number" ? { line: line.line } : {}),
    text: short(line.text),
    ...(typeof line.more === "number" && line.more > 0 ? { more: line.more } : {}),
    ...(line.reaction === "remind" && !isTold ? { isUntold: true } : {}),
    ...(line.isAfterCompaction === true ? { isAfterCompaction: true } : {}),
    ...(line.isAfterReminder === true ? { isAfterReminder: true } : {}),
  };
}
