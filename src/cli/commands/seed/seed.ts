import { RESPONSE_STYLES } from "../../../sources/seed/types.ts";
import type { Command } from "../../command.ts";
import { type Actions, chooseAction } from "../../subcommands.ts";
import { accept, reject } from "./decide.ts";
import { repair, undo } from "./history.ts";
import { forget, learn, refresh, stale } from "./learnings.ts";
import { proposals } from "./proposals.ts";
import { review } from "./review.ts";
import { setup } from "./setup.ts";
import { diff, show, status } from "./show.ts";

const ACTIONS: Actions = {
  status,
  show,
  setup,
  proposals,
  review,
  accept,
  reject,
  undo,
  learn,
  forget,
  stale,
  refresh,
  diff,
  repair,
};

export const seedCommand: Command = {
  name: "seed",
  summary: "who you are, what was learned, what waits for your decision",
  usage: "seed setup|review|accept|reject|… [ID…]",
  options: {
    all: { type: "boolean", help: "accept, reject: everything that waits" },
    yes: { type: "boolean", help: "accept --all, reject --all, repair: without being asked" },
    edit: { type: "string", value: "TEXT", help: "accept: in these words instead" },
    project: { type: "boolean", help: "accept, learn: for the project of this folder only" },
    supersedes: {
      type: "string",
      value: "ID",
      help: "accept, learn: the learning that it takes the place of",
    },
    new: { type: "boolean", help: "setup: begin anew although the history holds a seed" },
    name: { type: "string", value: "NAME", help: "setup: yours" },
    "ai-name": { type: "string", value: "NAME", help: "setup: your assistant's" },
    catchphrase: { type: "string", value: "TEXT", help: "setup: what it greets you with" },
    voice: { type: "string", value: "ID", help: "setup: for programs that speak" },
    style: { type: "string", value: "STYLE", choices: RESPONSE_STYLES, help: "setup: how it answers" },
    timezone: { type: "string", value: "ZONE", help: "setup: such as Europe/Zurich" },
    locale: { type: "string", value: "LOCALE", help: "setup: such as de-CH" },
  },
  words: Object.keys(ACTIONS),
  run: (input) => chooseAction("seed", ACTIONS, input, "status")(input),
};
