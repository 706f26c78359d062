import type { Command } from "../../command.ts";
import { type Actions, chooseAction } from "../../subcommands.ts";
import { SESSIONS_SUBCOMMANDS } from "./subcommands.ts";
import { SESSION_OPTIONS } from "./with-sessions.ts";

/** Each is loaded when it is used: most need code that the others do not. */
const ACTIONS: Actions = {
  list: async (input) => (await import("./list.ts")).list(input),
  show: async (input) => (await import("./show.ts")).show(input),
  search: async (input) => (await import("./search.ts")).search(input),
  ask: async (input) => (await import("./ask.ts")).ask(input),
  index: async (input) => (await import("./change.ts")).indexAll(input),
  describe: async (input) => (await import("./describe.ts")).describe(input),
  name: async (input) => (await import("./change.ts")).name(input),
  resume: async (input) => (await import("./resume.ts")).resume(input),
  handoff: async (input) => (await import("./show.ts")).handoff(input),
  forget: async (input) => (await import("./forget.ts")).forget(input),
  remember: async (input) => (await import("./forget.ts")).remember(input),
  export: async (input) => (await import("./show.ts")).exportSession(input),
  receipt: async (input) => (await import("./receipt.ts")).receipt(input),
};

export const sessionsCommand: Command = {
  name: "sessions",
  summary: "find, show, ask and resume past sessions",
  usage: "sessions [SUBCOMMAND]",
  section: "sessions",
  guide:
    "Continuo reads the sessions that your agents store on this machine: Claude Code, OpenCode, pi, Codex, Copilot CLI and Gemini CLI. It changes none of them. Without a subcommand, it is a picker on a terminal: type a part of a name, a project or an agent, or what was said in a session.",
  options: SESSION_OPTIONS,
  arguments: {
    SESSION: {
      help: "a session by its id, the beginning of its id, or its name; last: the newest of this project",
    },
    QUERY: { help: "words to search for" },
    QUESTION: { help: "what you want to know" },
    NAME: { help: "the new name" },
  },
  subcommands: SESSIONS_SUBCOMMANDS,
  examples: [
    ["continuo sessions", "pick a session; without a terminal, list recent ones"],
    ["continuo sessions search retry failed webhooks", "find a session by what was said in it"],
    ["continuo sessions resume last", "continue the newest one in its agent"],
  ],
  async run(input) {
    const { canPick, pick } = await import("./pick.ts");
    return canPick(input) ? pick(input) : chooseAction("sessions", ACTIONS, input, "list")(input);
  },
};
