import { keepEvents } from "../../../sources/context/events.ts";
import { findHome } from "../../../store/home.ts";
import type { Command } from "../../command.ts";
import { type Actions, chooseAction } from "../../subcommands.ts";
import { clear, get, set } from "./actions.ts";
import { pin } from "./pin.ts";

const ACTIONS: Actions = { get, set, clear, pin };

export const setsCommand: Command = {
  name: "sets",
  summary: "files, ports and more that a session keeps: show, change, pin",
  usage: "sets get|set|clear|pin [SET] [ITEM…]",
  options: {
    merge: { type: "boolean" },
    all: { type: "boolean" },
    session: { type: "string" },
    host: { type: "string" },
    name: { type: "string" },
    "env-hint": { type: "string" },
  },
  words: Object.keys(ACTIONS),
  async run(input) {
    const action = chooseAction("sets", ACTIONS, input, "get");
    const stop = keepEvents(findHome(input.env));
    try {
      return await action(input);
    } finally {
      stop();
    }
  },
};
