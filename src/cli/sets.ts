import { ContinuoError } from "../moments/errors.ts";
import { keepEvents } from "../sources/context/keep-events.ts";
import { findHome } from "../store/home.ts";
import { nearest } from "../store/settings.ts";
import type { Command, Input, Outcome } from "./command.ts";
import { clear, get, set } from "./sets/actions.ts";
import { pin } from "./sets/pin.ts";

const ACTIONS: Readonly<Record<string, (input: Input) => Outcome | Promise<Outcome>>> = {
  get,
  set,
  clear,
  pin,
};
const NAMES = Object.keys(ACTIONS);

export const setsCommand: Command = {
  name: "sets",
  summary: "files, ports, … a session keeps: show, change, pin",
  usage: "sets get|set|clear|pin [SET] [ITEM…] …",
  options: {
    merge: { type: "boolean" },
    all: { type: "boolean" },
    session: { type: "string" },
    host: { type: "string" },
    name: { type: "string" },
    "env-hint": { type: "string" },
  },
  words: NAMES,
  async run(input) {
    const name = input.positionals[0] ?? "get";
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action !== undefined) {
      const stop = keepEvents(findHome(input.env));
      try {
        return await action(input);
      } finally {
        stop();
      }
    }
    const near = nearest(name, NAMES);
    throw new ContinuoError("usage", `there is no "sets ${name}"`, {
      hint: near === undefined ? `one of ${NAMES.join(", ")}` : `did you mean "continuo sets ${near}"?`,
    });
  },
};
