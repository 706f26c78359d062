import type { Hooks } from "./api.ts";
import type { Bench } from "./bench.ts";
import { appended } from "./requests.ts";
import { served } from "./served.ts";
import { setAnswered } from "./threads.ts";

/** What happens before and after a tool call. */
export function toolHooks({
  threads,
  conductor,
  once,
  quietly,
}: Bench): Pick<Hooks, "tool.execute.before" | "tool.execute.after"> {
  return {
    "tool.execute.before": async (call, output) => {
      const verdict = await quietly("tool.execute.before", () => {
        if (served(output)) return undefined;
        const thread = threads.of(call.sessionID);
        setAnswered(thread, false);
        return conductor.guard(thread, call.tool, output.args);
      });
      if (verdict?.action === "warn") threads.of(call.sessionID).warnings.set(call.callID, verdict.message);
      else if (verdict?.action === "ask") throw new Error(`${verdict.message}\n${NEEDS_THE_USER}`);
      else if (verdict?.action === "deny") throw new Error(verdict.message);
    },

    "tool.execute.after": (call, output) =>
      once("tool.execute.after", output, async () => {
        const thread = threads.of(call.sessionID);
        const warning = thread.warnings.get(call.callID) ?? "";
        thread.warnings.delete(call.callID);
        // The addition last: that is where it is looked for when it has to go.
        const texts = [warning, await conductor.tool(thread, call.tool, call.args)].filter(
          (one) => one !== "",
        );
        const { output: result } = output;
        if (typeof result === "string") output.output = texts.reduce(appended, result);
        else thread.held.push(...texts);
      }),
  };
}

/** The host lets no plugin ask, so what would be asked is stopped and left to the person. */
const NEEDS_THE_USER =
  "This needs the user's consent, which cannot be asked for here: tell them what to run themselves.";
