import { SESSIONS } from "../../../sources/sessions/actions/index.ts";
import { asCommand } from "../../actions/as-command.ts";
import type { Command } from "../../command.ts";

const forActions = asCommand(SESSIONS);

/** The actions on sessions. At a terminal there is also a picker, and `resume` starts the agent. */
export const sessionsCommand: Command = {
  ...forActions,
  async run(input) {
    const { canPick, pick } = await import("./pick.ts");
    const { resumeHere, startsAgent } = await import("./resume.ts");
    if (startsAgent(input)) return resumeHere(input);
    return (canPick(input) ? await pick(input) : undefined) ?? forActions.run(input);
  },
};
