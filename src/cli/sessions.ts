import type { Command } from "./command.ts";
import { ask } from "./sessions/ask.ts";
import { forget, name } from "./sessions/change.ts";
import { describe } from "./sessions/describe.ts";
import { exported } from "./sessions/export.ts";
import { indexAll } from "./sessions/index-all.ts";
import { list } from "./sessions/list.ts";
import { receipt } from "./sessions/receipt.ts";
import { search } from "./sessions/search.ts";
import { handoff, resume, show } from "./sessions/show.ts";
import { SESSION_OPTIONS } from "./sessions/with-sessions.ts";
import { type Actions, chooseAction } from "./subcommands.ts";

const ACTIONS: Actions = {
  list,
  show,
  search,
  ask,
  index: indexAll,
  describe,
  name,
  resume,
  handoff,
  forget,
  export: exported,
  receipt,
};

export const sessionsCommand: Command = {
  name: "sessions",
  summary: "past sessions of every host: find, ask, show, resume, hand over",
  usage: "sessions [ACTION] [SESSION]",
  options: SESSION_OPTIONS,
  words: Object.keys(ACTIONS),
  run: (input) => chooseAction("sessions", ACTIONS, input)(input),
};
