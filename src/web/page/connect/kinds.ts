/** A kind of thing that users store in Continuo; names are between backticks. */
export interface Kind {
  readonly name: string;
  readonly use: string;
  readonly by: string;
  readonly cost: string;
}

/** When to use which. The README has the same table (`test/docs/readme.test.ts`). */
export const KINDS: readonly Kind[] = [
  {
    name: "rule",
    use: "the agent must do or avoid something: always, or for a file, a word, a branch or a tool. Start here",
    by: "you (`continuo rules add`), or the rule files that your agents have already",
    cost: "its text when it applies, and again after a compaction",
  },
  {
    name: "note",
    use: "something is worth finding again: a decision, a fact, how something is done",
    by: "you (`continuo note`), or the agent",
    cost: "a line at the start, at most 120 tokens for all; its beginning when a prompt is about it",
  },
  {
    name: "suggestion",
    use: "Continuo heard how you want to work, or sees that a rule could be checked: you decide (`continuo review`)",
    by: "Continuo, from what you typed, without a model; or the agent, quoting you",
    cost: "nothing: no agent gets it before you accept it",
  },
  {
    name: "learning",
    use: "one sentence says how you work, in all projects or in one",
    by: "you, by accepting a suggestion, or with `continuo seed learn`",
    cost: "its sentence at each start",
  },
  {
    name: "set",
    use: "files, ports or addresses belong to one session",
    by: "you (`continuo sets`, or the session's card in the page), or the agent",
    cost: "a line for each set after a resume or a compaction",
  },
];

export const HEADINGS = ["", "use it when", "who writes it", "what it costs"] as const;
