import type { Command } from "./command.ts";
import { accept, reject } from "./seed/decide.ts";
import { forget, learn, refresh, stale } from "./seed/learnings.ts";
import { proposals } from "./seed/proposals.ts";
import { repair } from "./seed/repair.ts";
import { review } from "./seed/review.ts";
import { setup } from "./seed/setup.ts";
import { diff, show, status } from "./seed/show.ts";
import { undo } from "./seed/undo.ts";
import { type Actions, chooseAction } from "./subcommands.ts";

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
    all: { type: "boolean" },
    yes: { type: "boolean" },
    edit: { type: "string" },
    project: { type: "boolean" },
    supersedes: { type: "string" },
    new: { type: "boolean" },
    name: { type: "string" },
    "ai-name": { type: "string" },
    catchphrase: { type: "string" },
    voice: { type: "string" },
    style: { type: "string" },
    timezone: { type: "string" },
    locale: { type: "string" },
  },
  words: Object.keys(ACTIONS),
  run: (input) => chooseAction("seed", ACTIONS, input, "status")(input),
};
