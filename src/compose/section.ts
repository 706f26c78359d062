/**
 * How a piece of text may act on the model. Only `instructions` may be obeyed; `reference` is quoted data;
 * a `proposal` is waiting for a human and has no effect yet.
 */
export type Nature = "instructions" | "reference" | "proposal";

/** The smallest thing that is delivered or dropped, always whole. */
export interface Item {
  /** Stable across sessions; with the text's hash it decides whether an item was delivered already. */
  readonly key: string;
  readonly name: string;
  readonly text: string;
  /** What the text costs, if the source knows: it is then not counted again. */
  readonly tokens?: number;
  /** The text's fingerprint, if the source knows it: a text that was delivered already is then not even read. */
  readonly hash?: string;
  /** Why it is here, for the ledger and for `continuo start`; not shown to the model. */
  readonly reason: string;
  /** Higher survives longer when the budget is short. */
  readonly priority: number;
  /** The user wrote it for all projects: no text of a repository may take its room. */
  readonly isUsers?: boolean;
}

export interface Section {
  /** The source's name. */
  readonly source: string;
  readonly title: string;
  readonly nature: Nature;
  /** Position among sections: higher comes first. */
  readonly priority: number;
  /** Essential items may use all of `rulesLimit`; others only what the snapshot aims at. */
  readonly essential: boolean;
  readonly items: readonly Item[];
}
