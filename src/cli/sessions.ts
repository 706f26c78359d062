import { ContinuoError } from "../moments/errors.ts";
import type { Command } from "./command.ts";
import { receipt } from "./sessions/receipt.ts";

export const sessionsCommand: Command = {
  name: "sessions",
  summary: "receipt: what a session was given, and what compactions lost",
  usage: "sessions receipt [SESSION]",
  options: {},
  words: ["receipt"],
  run(input) {
    const action = input.positionals[0];
    if (action === "receipt") return receipt(input);
    throw new ContinuoError(
      "usage",
      action === undefined ? "what about sessions?" : `there is no "sessions ${action}"`,
      {
        hint: "try: continuo sessions receipt",
      },
    );
  },
};
