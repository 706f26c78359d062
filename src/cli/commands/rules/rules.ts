import type { Command } from "../../command.ts";
import { type Actions, chooseAction } from "../../subcommands.ts";
import { check } from "./check.ts";
import { list, why } from "./list.ts";
import { trust, untrust } from "./trust.ts";

const ACTIONS: Actions = { list, why, check, trust, untrust };

export const rulesCommand: Command = {
  name: "rules",
  summary: "rules: which apply and why; lint; trust their guards here",
  usage: "rules list|why|check|trust|untrust",
  options: {
    project: { type: "string" },
    path: { type: "string", multiple: true },
    prompt: { type: "string" },
    tool: { type: "string", multiple: true },
    branch: { type: "string" },
    model: { type: "string" },
    agent: { type: "string" },
    host: { type: "string" },
    yes: { type: "boolean", help: "trust: do not ask" },
  },
  words: Object.keys(ACTIONS),
  run: (input) => chooseAction("rules", ACTIONS, input, "list")(input),
};
