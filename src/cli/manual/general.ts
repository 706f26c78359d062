import type { Row } from "./page.ts";

// What concerns all commands, for the man page and the documentation. The first paragraph is the description of the package.

export const INTRODUCTION: readonly string[] = [
  "makes coding agents remember your rules, notes and past sessions",
  "Continuo gives Claude Code, OpenCode, pi, Codex, Copilot CLI and Gemini CLI your rules, notes and past sessions at every start, resume and compaction. Everything is stored as plain files on this machine. No network is used unless you configure a model.",
  "Begin with `continuo` in one of your projects: it finds your agents and asks before it connects each one. Then start an agent as usual; `continuo why` shows what it received.",
  "Every command takes --json, which prints one object: `ok`, and `data` or `error`. `continuo help COMMAND SUBCOMMAND` explains one command. A text that begins with a dash comes after `--`.",
];

export const ENVIRONMENT: readonly Row[] = [
  ["CONTINUO_HOME", "folder of Continuo's data (default: ~/.continuo)"],
  ["TOKEN_LIMIT", "maximum tokens added to a session at once, not counting rules (default: 4000)"],
  ["COLUMNS", "fit lines into this width in a pipe or a file too"],
  ["NO_COLOR", "print no colours if it is set"],
  ["FORCE_COLOR", "print colours even to a pipe or a file; 0: never"],
  ["PAGER", "program that shows long output (default: less); cat: none"],
  ["CONTINUO_NO_PAGER", "use no pager if it is set"],
  ["VISUAL, EDITOR", "the editor that continuo open starts"],
];

export const FILES: readonly Row[] = [
  [".continuo/rules/", "rules of a project"],
  ["~/.continuo/rules/", "your own rules, for all projects"],
  ["~/.continuo/config.json", "settings; continuo config explains them"],
  ["~/.continuo/memory/", "notes, as Markdown files"],
];

export const EXIT_CODES: readonly Row[] = [
  ["0", "done"],
  ["1", "could not be done, or a check found a problem"],
  ["2", "the command line is wrong; the message says what would work"],
  ["130", "ended with Ctrl-C at a question; nothing was changed"],
];
