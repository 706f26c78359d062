import type { Input } from "../../command.ts";

/** Options that describe a session; --project only chooses the rules. */
const SIMULATING = ["path", "prompt", "tool", "branch", "model", "agent", "host"];

/** For which session rules are judged here: a running one may have met more conditions. */
export function shownFor({ values }: Pick<Input, "values">): string {
  return SIMULATING.some((option) => values[option] !== undefined)
    ? "Shown for a session simulated with the given options."
    : "Shown for a new session. Simulate others with --path, --prompt, --tool and --branch.";
}
