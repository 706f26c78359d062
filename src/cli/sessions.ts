import type { Command } from "./command.ts";
import { receipt } from "./sessions/receipt.ts";
import { type Actions, chooseAction } from "./subcommands.ts";

const ACTIONS: Actions = { receipt };

export const sessionsCommand: Command = {
  name: "sessions",
  summary: "receipt: what a session was given, and what compactions lost",
  usage: "sessions receipt [SESSION]",
  options: {},
  words: Object.keys(ACTIONS),
  run: (input) => chooseAction("sessions", ACTIONS, input)(input),
};
