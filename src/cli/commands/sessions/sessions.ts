import { SESSIONS } from "../../../sources/sessions/actions/index.ts";
import { asCommand } from "../../actions/as-command.ts";
import type { Command, Input } from "../../command.ts";

const forActions = asCommand(SESSIONS);

/** The actions on sessions. At a terminal there is also a picker, and `resume` starts the agent. */
export const sessionsCommand: Command = {
  ...forActions,
  async run(input) {
    // Loaded only where somebody reads the output and types: only then another program may take over the terminal.
    if (input.screen?.isTerminal && (await import("../../terminal/input.ts")).canAsk(input)) {
      if (startsAgent(input)) return (await import("./resume.ts")).resumeHere(input);
      if (canPick(input)) return (await (await import("./pick.ts")).pick(input)) ?? forActions.run(input);
    }
    return forActions.run(input);
  },
};

/** Otherwise `resume` prints the command. */
function startsAgent({ positionals, values }: Input): boolean {
  return positionals[0] === "resume" && !values["print"] && !values["json"];
}

/** Only `continuo sessions` alone, on a terminal that can show it. */
function canPick({ positionals, values, env }: Input): boolean {
  // Windows has no TERM, and its terminals understand the sequences.
  const term = env["TERM"] ?? (process.platform === "win32" ? "windows" : "");
  return positionals.length === 0 && Object.keys(values).length === 0 && !["dumb", ""].includes(term);
}
