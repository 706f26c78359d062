import type { Subcommand } from "../../command.ts";

const FILTERS = ["host", "project", "branch", "file", "since", "until", "children"];

/** The subcommands of `continuo sessions`; the options are in `with-sessions.ts`. */
export const SESSIONS_SUBCOMMANDS: readonly Subcommand[] = [
  {
    name: "list",
    summary: "list recent sessions",
    options: [...FILTERS, "limit", "tree"],
    examples: [
      ["continuo sessions list --project .", "list the sessions of this project"],
      ["continuo sessions list --file lib/cart.ts", "list the sessions that used a file"],
      ["continuo sessions list --since 7d --host codex", "list what Codex did in the last week"],
    ],
  },
  {
    name: "search",
    args: "QUERY…",
    summary: "search sessions by words and meaning",
    guide:
      "Shows the best passage of each session. Copies, such as forks that match in the same words, are shown once. Quotes around several words are optional. `continuo search` searches notes too; this one has more filters.",
    options: [...FILTERS, "limit", "weaker"],
    overrides: { limit: { fallback: "10" } },
    examples: [
      ["continuo sessions search retry failed webhooks", "search all sessions"],
      ["continuo sessions search flaky test --since 30d", "search the last 30 days"],
    ],
  },
  {
    name: "show",
    args: "SESSION",
    summary: "show a session's goal, decisions, outcome and files",
    options: ["host"],
    examples: [["continuo sessions show last", "show the newest session of this project"]],
  },
  {
    name: "ask",
    args: "SESSION QUESTION…",
    summary: "answer a question about a session",
    guide: "Answers with quotes from the session. If a model is configured, it writes the answer.",
    options: ["quotes"],
    examples: [
      ['continuo sessions ask last "what did we decide about retries?"', "ask about the newest session"],
    ],
  },
  {
    name: "resume",
    args: "[SESSION]",
    summary: "resume a session in its agent",
    guide: "Starts the agent in the session's folder. Where there is no terminal, it prints the command.",
    options: ["host", "print"],
    examples: [
      ["continuo sessions resume last", "continue the newest session of this project"],
      ["continuo sessions resume last --print", "print the command that continues it"],
    ],
  },
  {
    name: "handoff",
    args: "[SESSION]",
    summary: "print a summary for a new session in any agent",
    guide: "Without SESSION, it is the session that runs this command, or the newest one of this project.",
    options: ["host"],
    examples: [["continuo sessions handoff last", "print what another agent needs to continue"]],
  },
  {
    name: "export",
    args: "SESSION",
    summary: "print a whole session as Markdown",
    options: ["host"],
    examples: [["continuo sessions export last > session.md", "save the newest session as a file"]],
  },
  {
    name: "name",
    args: "SESSION NAME…",
    summary: "rename a session",
    options: ["host"],
    examples: [["continuo sessions name last webhook retries", "name the newest session"]],
  },
  {
    name: "forget",
    args: "SESSION",
    summary: "remove a session from the index",
    guide:
      "The agent's own transcript is kept. Continuo does not index it again until you run `continuo sessions remember`.",
    options: ["host", "yes"],
    examples: [["continuo sessions forget 3f2a91", "forget the session whose id begins like this"]],
  },
  {
    name: "remember",
    args: "[SESSION]",
    summary: "undo forget; without a session, list the forgotten ones",
    options: ["host"],
    examples: [["continuo sessions remember 3f2a91", "index the session again"]],
  },
  {
    name: "index",
    summary: "index all new sessions now",
    guide: "Usually not needed: every search first indexes what is new, for a few seconds.",
    options: [],
    examples: [["continuo sessions index", "index everything, even a large history"]],
  },
  {
    name: "describe",
    args: "[SESSION]",
    summary: "summarise sessions with the configured model",
    guide:
      "Sends the text of the session to the model that you configured (see `continuo config`), and nowhere else. --dry-run shows the cost first.",
    options: [...FILTERS, "limit", "all", "dry-run"],
    examples: [
      ["continuo sessions describe last", "summarise the newest session"],
      ["continuo sessions describe --all --dry-run", "show what summarising all would cost"],
    ],
  },
  {
    name: "receipt",
    args: "[SESSION]",
    summary: "show everything Continuo added to a session, and its tokens",
    options: [],
    examples: [["continuo sessions receipt", "show it for the last session"]],
  },
];
