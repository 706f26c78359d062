/**
 * How a text may act on the model. `instructions` and what is known `about the user` are to be obeyed; `on request` names
 * instructions that the model may fetch; `broken` says which of them the model did not follow; `reference` is quoted data.
 */
export type Nature = "instructions" | "about the user" | "on request" | "broken" | "reference";

/** The smallest thing that is delivered or dropped, always whole. */
export interface Item {
  /** Stable across sessions; with the text's hash it shows whether an item was already delivered. */
  readonly key: string;
  readonly name: string;
  readonly text: string;
  /** What the text costs, if the source knows: it is then not counted. */
  readonly tokens?: number;
  /** The text's fingerprint, if the source knows it: a text that was already delivered is then not even read. */
  readonly hash?: string;
  /** Why it is included, for the ledger and `continuo start`; not shown to the model. */
  readonly reason: string;
  /** What it is (`rule`), for the line that names it to the user when it is added inside an epoch. The model never sees it. */
  readonly noun?: string;
  /** What was found, for the same line if it names only this: the text that breaks a rule, and the number of its line. */
  readonly found?: { readonly text: string; readonly line?: number };
  /** Items with a lower priority are dropped first if the budget is too small. */
  readonly priority: number;
  /** It replaces an earlier text of the same item, which is still in the conversation. */
  readonly replaces?: boolean;
  /** It says that an earlier text of the same item no longer holds. */
  readonly withdraws?: boolean;
  /** How often it was broken, as the tag's attribute `broken`. Marked items come first in their section. */
  readonly mark?: string;
  /** The user wrote it for all projects: no text from a repository may displace it. */
  readonly isUsers?: boolean;
}

export interface Section {
  /** The source's name. */
  readonly source: string;
  readonly title: string;
  readonly nature: Nature;
  /** Position among sections: higher comes first. */
  readonly priority: number;
  /** Essential items may use all of `rulesLimit`; others only the snapshot's aim. */
  readonly essential: boolean;
  readonly items: readonly Item[];
  /**
   * `lines`: each item is one line of a list, without a tag and without its name, for short facts that need neither.
   * Default: each item has a tag with its name, and its text keeps its lines.
   */
  readonly layout?: "lines";
  /** Its items are about what just happened: a compaction does not restore them, and that is no loss. */
  readonly isPassing?: boolean;
  /** Its items say how things are at this event: what a late source said before must not stand in for them. */
  readonly isOfNow?: boolean;
  /** Its items are a choice of the best anyway: a note about what is left out does not count them. */
  readonly isChoice?: boolean;
  /** How the line for the user counts what was delivered of it, such as `3 rules`. The model never sees it. */
  readonly summary?: (delivered: number) => string;
}
