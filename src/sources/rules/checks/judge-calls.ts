import type { ToolCall } from "../../../moments/types.ts";
import { isSameTool } from "../matching/tool-names.ts";
import type { CallCheck } from "./check.ts";
import type { CheckSet, RuleCheck } from "./check-set.ts";
import type { Findings } from "./findings.ts";
import { MAX_SEARCHED, SearchedText } from "./searched-text.ts";

/** Looks at any tool call: its name, and its arguments as JSON. */
export function judgeCalls(
  set: CheckSet,
  call: Pick<ToolCall, "name" | "input" | "command">,
  findings: Findings,
): void {
  const checks = set.calls.filter(({ check }) => isAbout(check, call.name));
  if (checks.length === 0) return;
  const text = call.command ?? call.name;
  let args: SearchedText | undefined;
  for (const one of checks) {
    if (findings.leavesOut(one)) continue;
    const { pattern } = one.check;
    if (pattern !== undefined) {
      args ??= new SearchedText(JSON.stringify(call.input));
      const isFound =
        args.text.length > MAX_SEARCHED ? "unknown" : args.isFound(pattern, findings.budgetOf(one));
      if (isFound === "unknown") findings.unknown(one);
      else findings.occasion(one);
      if (isFound !== true) continue;
    } else findings.occasion(one);
    findings.breach(one, () => ({ text }));
  }
}

function isAbout({ tools }: RuleCheck<CallCheck>["check"], tool: string): boolean {
  return tools.some((name) => name === "*" || isSameTool(name, tool));
}
