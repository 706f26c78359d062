import { LEARNING_TYPES } from "../../../sources/profile/types.ts";
import type { Command } from "../../command.ts";
import { type Actions, chooseAction } from "../../subcommands.ts";
import { runReview } from "../review.ts";
import { diff, repair, undo } from "./history.ts";
import { forget, learn, refresh, stale } from "./learnings.ts";
import { accept, proposals, reject } from "./proposals.ts";
import { setup } from "./setup.ts";
import { show, status } from "./show.ts";
import { SEED_OPTIONS, SEED_SUBCOMMANDS } from "./subcommands.ts";

const ACTIONS: Actions = {
  status,
  show,
  setup,
  proposals,
  review: (input) => runReview({ ...input, positionals: input.positionals.slice(1) }),
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
  summary: "your profile: what you let Continuo learn about you",
  usage: "seed [SUBCOMMAND]",
  section: "rules",
  guide:
    "Your profile is one file, `~/.pai/seed.json`: your name, how agents should answer, and learnings: sentences that you accepted in continuo review or added yourself. Agents get them at the start of a session. Other programs that use this file call it the seed.",
  options: SEED_OPTIONS,
  arguments: {
    ID: { help: "a suggestion or a learning; the first characters of its id are enough" },
    NUMBER: { help: "how many decisions (default: 1)" },
    TYPE: { help: "what kind of learning it is", choices: LEARNING_TYPES },
    TEXT: { help: "what agents should know, in one sentence" },
  },
  subcommands: SEED_SUBCOMMANDS,
  examples: [
    ["continuo seed show", "show your profile with all learnings"],
    ["continuo seed learn pattern Use pnpm, never npm.", "add a learning yourself"],
  ],
  run: (input) => chooseAction("seed", ACTIONS, input, "status")(input),
};
