import { ContinuoError } from "../moments/errors.ts";
import { nearest } from "../store/settings.ts";
import type { Command, Input, Outcome } from "./command.ts";
import { check } from "./rules/check.ts";
import { list } from "./rules/list.ts";
import { trust, untrust } from "./rules/trust.ts";
import { why } from "./rules/why.ts";

const ACTIONS: Readonly<Record<string, (input: Input) => Outcome | Promise<Outcome>>> = {
  list,
  why,
  check,
  trust,
  untrust,
};
const NAMES = Object.keys(ACTIONS);

export const rulesCommand: Command = {
  name: "rules",
  summary: "rules: which apply and why; lint; trust their guards here",
  usage: `rules ${NAMES.join("|")} [--path P] …`,
  options: {
    project: { type: "string" },
    path: { type: "string", multiple: true },
    prompt: { type: "string" },
    tool: { type: "string", multiple: true },
    branch: { type: "string" },
    model: { type: "string" },
    agent: { type: "string" },
    host: { type: "string" },
  },
  words: NAMES,
  run(input) {
    const name = input.positionals[0] ?? "list";
    const action = ACTIONS[name];
    if (action !== undefined) return action(input);
    const near = nearest(name, NAMES);
    throw new ContinuoError("usage", `there is no "rules ${name}"`, {
      hint: near === undefined ? `one of ${NAMES.join(", ")}` : `did you mean "continuo rules ${near}"?`,
    });
  },
};
