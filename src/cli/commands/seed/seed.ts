import { RESPONSE_STYLES } from "../../../sources/seed/types.ts";
import type { Command } from "../../command.ts";
import { type Actions, chooseAction } from "../../subcommands.ts";
import { runReview } from "../review.ts";
import { diff, repair, undo } from "./history.ts";
import { forget, learn, refresh, stale } from "./learnings.ts";
import { accept, proposals, reject } from "./proposals.ts";
import { setup } from "./setup.ts";
import { show, status } from "./show.ts";

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
  summary: "your profile: who you are, what was learned, pending proposals",
  usage: "seed setup|review|accept|reject|… [ID…]",
  options: {
    all: { type: "boolean", help: "accept, reject: all pending proposals" },
    yes: { type: "boolean", help: "accept --all, reject --all, repair: do not ask" },
    edit: { type: "string", value: "TEXT", help: "accept: with this text instead" },
    project: { type: "boolean", help: "accept, learn: only for the current project" },
    supersedes: {
      type: "string",
      value: "ID",
      help: "accept, learn: replace this learning",
    },
    new: { type: "boolean", help: "setup: create a new seed even if the history has an older one" },
    name: { type: "string", value: "NAME", help: "setup: your name" },
    "ai-name": { type: "string", value: "NAME", help: "setup: name of the assistant" },
    catchphrase: { type: "string", value: "TEXT", help: "setup: greeting of the assistant" },
    voice: { type: "string", value: "ID", help: "setup: voice, for programs that speak" },
    style: {
      type: "string",
      value: "STYLE",
      choices: RESPONSE_STYLES,
      help: `setup: ${RESPONSE_STYLES.join(", ")}`,
    },
    timezone: { type: "string", value: "ZONE", help: "setup: time zone, such as Europe/Zurich" },
    locale: { type: "string", value: "LOCALE", help: "setup: language and region, such as de-CH" },
  },
  words: Object.keys(ACTIONS),
  uses: [
    ["status", "show the state of the seed (default)"],
    ["show", "show the whole seed"],
    ["setup", "create or change the seed"],
    ["proposals [list|clean]", "list pending proposals (default); clean: remove decided ones"],
    ["review", "decide on proposals one by one: the same as continuo review"],
    ["accept ID…", "accept proposals"],
    ["reject ID…", "reject proposals; they are not proposed again"],
    ["undo [NUMBER]", "undo the last decisions"],
    ["learn TYPE TEXT…", "add a learning"],
    ["forget ID…", "remove learnings"],
    ["stale", "list learnings that were not confirmed for 90 days"],
    ["refresh ID…", "confirm that learnings still hold"],
    ["diff", "show the last change"],
    ["repair", "restore a damaged seed from its history"],
  ],
  run: (input) => chooseAction("seed", ACTIONS, input, "status")(input),
};
