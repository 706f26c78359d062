import type { Condition, Rule } from "../rule.ts";

/**
 * What a rule that does not apply in a new session is waiting for; undefined if nothing in a session can make it apply.
 */
export function waitsFor({ when }: Pick<Rule, "when">): string | undefined {
  if (when.kind !== "conditions") return undefined;
  return when.conditions.map(describeCondition).join(when.match === "all" ? ", and " : ", or ");
}

export function describeCondition(condition: Condition): string {
  switch (condition.on) {
    case "files": {
      const shown = (patterns: readonly { text: string }[]) =>
        [...new Set(patterns.map((one) => one.text))].join(", ");
      const parts = [
        condition.include.length > 0 ? `a file matching ${shown(condition.include)}` : "a file",
        ...(condition.exclude.length > 0 ? [`but not ${shown(condition.exclude)}`] : []),
        ...condition.contains.map((text) => `that contains "${text}"`),
        "is read, edited or mentioned",
      ];
      return parts.join(" ");
    }
    case "keywords":
      return `the prompt contains one of ${condition.words.join(", ")}`;
    case "branch":
      return `branch ${[...new Set(condition.patterns.map((one) => one.text))].join(", ")}`;
    case "ci":
      return condition.value ? "runs in CI" : "does not run in CI";
    default:
      return `${condition.on} ${condition.names.join(", ")}`;
  }
}
