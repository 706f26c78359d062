/**
 * How a text may act on the model. The model should obey `instructions` and what is known `about the user`; `on
 * request` names instructions that it may fetch; `broken` says which of them it did not follow; `reference` is quoted
 * data.
 */
export type Nature = "instructions" | "about the user" | "on request" | "broken" | "reference";

/** The smallest thing that is delivered or dropped, always whole. */
export interface Item {
  /** Stable across sessions; with the text's hash it shows whether an item was already delivered. */
  readonly key: string;
  readonly name: string;
  readonly text: string;
  /** The text's tokens, if the source knows them: they are then not counted again. */
  readonly tokens?: number;
  /** The text's fingerprint, if the source knows it: a text that was already delivered is then not even read. */
  readonly hash?: string;
  /** Why it is included, for the ledger and `continuo start`; not shown to the model. */
  readonly reason: string;
  /**
   * What kind of item it is (`rule`), for the line that names it to the user when it is added inside an epoch. The
   * model never sees it.
   */
  readonly noun?: string;
  /** The text that breaks a rule and its line number, for the same line if the item is about a single breach. */
  readonly found?: { readonly text: string; readonly line?: number };
  /** Items with a lower priority are dropped first if the budget is too small. */
  readonly priority: number;
  /** Delivered only in the room that everything else leaves. */
  readonly isSpare?: boolean;
  /** Replaces an earlier text of the same item, which is still in the conversation. */
  readonly replaces?: boolean;
  /** Says that an earlier text of the same item no longer holds. */
  readonly withdraws?: boolean;
  /** How often the rule was broken, as the tag's attribute `broken`. Marked items come first in their section. */
  readonly mark?: string;
  /** The user wrote it for all projects, so no text from a repository may displace it. */
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
   * `lines`: each item is one line of a list, without a tag or a name, for short facts. Default: each item has a tag
   * with its name, and its text keeps its lines.
   */
  readonly layout?: "lines";
  /**
   * The items are about something that just happened: a compaction does not restore them, and does not count them as
   * lost.
   */
  readonly isPassing?: boolean;
  /** The items describe the state at this event, so a late source's earlier answer must not be used in their place. */
  readonly isOfNow?: boolean;
  /** The items are only the best of many, so a note about dropped items does not count them. */
  readonly isChoice?: boolean;
  /** How the line for the user describes what was delivered, such as `3 rules`. The model never sees it. */
  readonly summary?: (delivered: number) => string;
}
