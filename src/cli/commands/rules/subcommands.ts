import type { Options, Subcommand } from "../../command.ts";
import { CHANGING, CHANGING_OPTIONS } from "./changing.ts";

export const RULES_OPTIONS: Options = {
  project: { type: "string", value: "DIR", help: "project folder", fallback: "the current one" },
  path: {
    type: "string",
    multiple: true,
    value: "FILE",
    help: "show it as if this file had been read, edited or mentioned",
    fallback: "no file",
  },
  prompt: { type: "string", value: "TEXT", help: "show it as if this were the prompt", fallback: "none" },
  tool: {
    type: "string",
    multiple: true,
    value: "TOOL",
    help: "show it as if the agent had used this tool",
    fallback: "no tool",
  },
  branch: {
    type: "string",
    value: "NAME",
    help: "show it as if on this git branch",
    fallback: "the current one",
  },
  model: { type: "string", value: "MODEL", help: "show it as if with this model", fallback: "none" },
  agent: { type: "string", value: "NAME", help: "show it as if in this subagent", fallback: "none" },
  host: { type: "string", value: "AGENT", help: "show it as if in this agent", fallback: "none" },
  all: { type: "boolean", help: "include all projects" },
  since: {
    type: "string",
    value: "TIME",
    help: "only what happened since then: a day such as 2026-11-01 or yesterday, or 7d",
    fallback: "30d",
  },
  limit: { type: "string", value: "N", help: "show at most this many", fallback: "20" },
  ...CHANGING_OPTIONS,
  yes: { type: "boolean", help: "do not ask" },
};

/** They describe the session that rules are evaluated for. */
const SIMULATION = ["project", "path", "prompt", "tool", "branch", "model", "agent", "host"];

export const RULES_SUBCOMMANDS: readonly Subcommand[] = [
  {
    name: "list",
    summary: "list the rules and whether they apply",
    guide:
      "Shows what a new session in this folder would get. Some rules apply only to certain files, words or branches: use the options to simulate them.",
    options: SIMULATION,
    examples: [
      ["continuo rules list", "list the rules of this project"],
      ["continuo rules list --path lib/cart.ts", "show which apply once a file is read, edited or mentioned"],
      ['continuo rules list --prompt "write a migration"', "show which apply to a prompt"],
    ],
  },
  ...CHANGING,
  {
    name: "why",
    args: "[RULE]",
    summary: "explain why a rule applies or not",
    guide: "Names the file of the rule, its condition, and what is missing. Without RULE, all are explained.",
    options: SIMULATION,
    examples: [
      ["continuo rules why tests", "explain the rule in tests.md"],
      [
        "continuo rules why imports --path lib/cart.ts",
        "explain it as if a file had been read, edited or mentioned",
      ],
    ],
  },
  {
    name: "check",
    summary: "find mistakes in rules",
    guide:
      "Reports unknown keys, patterns that match no file, duplicates and damaged files. It ends with exit code 1 if a rule cannot be used.",
    options: SIMULATION,
    examples: [
      ["continuo rules check", "check the rules of this project"],
      ["continuo rules check --json", "the same for a script"],
    ],
  },
  {
    name: "report",
    args: "[RULE]",
    summary: "show which rules are followed and which are broken",
    guide: "Counts what the checks of rules found in your sessions. With RULE: where and when it was broken.",
    options: ["project", "all", "since", "limit"],
    examples: [
      ["continuo rules report --since 7d", "report on the last week"],
      ["continuo rules report no-any", "show where one rule was broken"],
    ],
  },
  {
    name: "try",
    args: "RULE",
    summary: "try a rule's checks on your past sessions",
    guide:
      "Shows what the checks would have reported, before you use them. RULE is a rule of this project or a file.",
    options: ["project", "host", "all", "since", "limit"],
    overrides: {
      host: { help: "only sessions of this agent", fallback: "all agents" },
      since: { fallback: "90d" },
    },
    examples: [
      ["continuo rules try no-any", "try a rule of this project"],
      ["continuo rules try draft.md --all", "try a file on the sessions of all projects"],
    ],
  },
  {
    name: "trust",
    summary: "let the checks of this project stop the agent",
    guide:
      "Checks come with the repository, so anyone may have written them. Until you trust the project, its checks only report: they refuse nothing, ask nothing and run no commands. New or changed commands do not run until you trust the project again.",
    options: ["project", "yes"],
    examples: [
      ["continuo rules trust", "show what the checks would do, then ask"],
      ["continuo rules trust --yes", "trust them without asking"],
    ],
  },
  {
    name: "untrust",
    summary: "stop trusting this project: its checks only report",
    options: ["project"],
    examples: [["continuo rules untrust", "stop trusting this project"]],
  },
];
