import type { Command } from "../../command.ts";
import { type Actions, chooseAction } from "../../subcommands.ts";

/** Each is loaded when it is used. */
const ACTIONS: Actions = {
  list: async (input) => (await import("./list.ts")).list(input),
  why: async (input) => (await import("./list.ts")).why(input),
  check: async (input) => (await import("./check.ts")).check(input),
  report: async (input) => (await import("./report.ts")).report(input),
  try: async (input) => (await import("./try.ts")).tryRule(input),
  trust: async (input) => (await import("./trust.ts")).trust(input),
  untrust: async (input) => (await import("./trust.ts")).untrust(input),
};

export const rulesCommand: Command = {
  name: "rules",
  summary: "list rules, explain why they apply, see which are broken",
  usage: "rules list|why|check|report|try|… [RULE]",
  options: {
    project: { type: "string", value: "DIR", help: "project folder (default: the current one)" },
    path: {
      type: "string",
      multiple: true,
      value: "FILE",
      help: "as if this file was touched; may be repeated",
    },
    prompt: { type: "string", value: "TEXT", help: "as if this was the prompt" },
    tool: {
      type: "string",
      multiple: true,
      value: "TOOL",
      help: "as if this tool was used; may be repeated",
    },
    branch: { type: "string", value: "NAME", help: "as if on this git branch" },
    model: { type: "string", value: "MODEL", help: "as if with this model" },
    agent: { type: "string", value: "AGENT", help: "as if in this agent" },
    host: { type: "string", value: "HOST", help: "as if in this host; try: only sessions of this host" },
    all: { type: "boolean", help: "report, try: all projects" },
    since: {
      type: "string",
      value: "TIME",
      help: "report, try: since then: 2026-11-01, 7d (default: report 30d, try 90d)",
    },
    limit: { type: "string", value: "N", help: "report, try: maximum number shown (default: 20)" },
    yes: { type: "boolean", help: "trust: do not ask" },
  },
  words: Object.keys(ACTIONS),
  uses: [
    ["list", "list the rules and whether they apply (default)"],
    ["why [RULE]", "explain why a rule applies or not"],
    ["check", "find mistakes in rules"],
    ["report [RULE]", "which rules hold and which are broken; of one rule: where and when"],
    ["try RULE", "what its checks would have said in your past sessions; RULE may be a file"],
    ["trust", "let the checks of this project stop the agent"],
    ["untrust", "let the checks of this project stop nothing"],
  ],
  run: (input) => chooseAction("rules", ACTIONS, input, "list")(input),
};
