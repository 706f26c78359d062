import { RESPONSE_STYLES } from "../../../sources/profile/types.ts";
import type { Options, Subcommand } from "../../command.ts";

export const SEED_OPTIONS: Options = {
  all: { type: "boolean", help: "decide on all pending suggestions" },
  yes: { type: "boolean", help: "do not ask" },
  edit: { type: "string", value: "TEXT", help: "accept it with this text instead", fallback: "its own text" },
  project: { type: "boolean", help: "only for the current project" },
  supersedes: {
    type: "string",
    value: "ID",
    help: "replace this learning",
    fallback: "replaces none",
  },
  new: { type: "boolean", help: "start a new profile even if the history has an older one" },
  name: { type: "string", value: "NAME", help: "your name", fallback: "asked, or unchanged" },
  "ai-name": { type: "string", value: "NAME", help: "name of the assistant", fallback: "unchanged" },
  catchphrase: { type: "string", value: "TEXT", help: "greeting of the assistant", fallback: "unchanged" },
  voice: { type: "string", value: "ID", help: "voice, for programs that speak", fallback: "unchanged" },
  style: {
    type: "string",
    value: "STYLE",
    choices: RESPONSE_STYLES,
    help: "how long answers should be",
    fallback: "unchanged",
  },
  timezone: {
    type: "string",
    value: "ZONE",
    help: "time zone, such as Europe/Zurich",
    fallback: "unchanged",
  },
  locale: {
    type: "string",
    value: "LOCALE",
    help: "language and region, such as de-CH",
    fallback: "unchanged",
  },
};

export const SEED_SUBCOMMANDS: readonly Subcommand[] = [
  {
    name: "status",
    summary: "show the state of your profile",
    options: [],
    examples: [["continuo seed status", "show how many learnings and suggestions there are"]],
  },
  {
    name: "show",
    summary: "show your whole profile",
    options: [],
    examples: [["continuo seed show", "show your profile with all learnings"]],
  },
  {
    name: "setup",
    summary: "create or change your profile",
    guide: "In an existing profile, only what the options name is changed.",
    options: ["new", "name", "ai-name", "catchphrase", "voice", "style", "timezone", "locale"],
    examples: [
      ["continuo seed setup --name Sam", "create a profile"],
      ["continuo seed setup --style concise", "ask for short answers"],
    ],
  },
  {
    name: "proposals",
    args: "[list|clean]",
    summary: "list suggested learnings; clean: remove those already decided",
    options: [],
    examples: [["continuo seed proposals", "list them with their ids"]],
  },
  {
    name: "review",
    summary: "decide on suggestions one by one; same as continuo review",
    options: [],
    examples: [["continuo seed review", "decide with single keys"]],
  },
  {
    name: "accept",
    args: "ID…",
    summary: "accept suggestions",
    options: ["all", "yes", "edit", "project", "supersedes"],
    examples: [
      ["continuo seed accept 3f2a", "accept the suggestion whose id begins like this"],
      ['continuo seed accept 3f2a --edit "Use pnpm."', "accept it with another text"],
    ],
  },
  {
    name: "reject",
    args: "ID…",
    summary: "reject suggestions; they are not suggested again",
    options: ["all", "yes"],
    examples: [["continuo seed reject 3f2a", "reject one"]],
  },
  {
    name: "undo",
    args: "[NUMBER]",
    summary: "undo the last decisions",
    options: [],
    examples: [["continuo seed undo", "undo the last one"]],
  },
  {
    name: "learn",
    args: "TYPE TEXT…",
    summary: "add a learning: what agents should know about you",
    options: ["project", "supersedes"],
    examples: [
      ["continuo seed learn pattern Use pnpm, never npm.", "add how you work"],
      ["continuo seed learn insight The CI is slow on Mondays. --project", "only for this project"],
    ],
  },
  {
    name: "forget",
    args: "ID…",
    summary: "remove learnings; asks first",
    options: ["yes"],
    examples: [["continuo seed forget 3f2a", "remove one; continuo seed undo brings it back"]],
  },
  {
    name: "stale",
    summary: "list learnings that were not confirmed for 90 days",
    options: [],
    examples: [["continuo seed stale", "list them with their ids"]],
  },
  {
    name: "refresh",
    args: "ID…",
    summary: "confirm that learnings still hold",
    options: [],
    examples: [["continuo seed refresh 3f2a", "confirm one"]],
  },
  {
    name: "diff",
    summary: "show the last change to your profile",
    options: [],
    examples: [["continuo seed diff", "show what changed in the file"]],
  },
  {
    name: "repair",
    summary: "restore a damaged profile from its git history",
    options: ["yes"],
    examples: [["continuo seed repair", "show the last good version, then ask"]],
  },
];
