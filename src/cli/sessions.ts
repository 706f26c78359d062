import type { Command } from "./command.ts";
import { ask } from "./sessions/ask.ts";
import { receipt } from "./sessions/receipt.ts";
import { type Actions, chooseAction } from "./subcommands.ts";

const ACTIONS: Actions = { ask, receipt };

export const sessionsCommand: Command = {
  name: "sessions",
  summary:
    "ask: what a past session has on a question; receipt: what a session was given, and what compactions lost",
  usage: "sessions ask SESSION QUESTION | sessions receipt [SESSION]",
  options: {},
  words: Object.keys(ACTIONS),
  run: (input) => chooseAction("sessions", ACTIONS, input)(input),
};
