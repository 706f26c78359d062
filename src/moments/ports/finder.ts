import type { ToolContext } from "./tool.ts";

/**
 * What a source has on some words, for whoever searches across sources: `search_memories` and `continuo search`. A
 * finder looks at its own index and knows nothing of the others.
 */
export interface Finder {
  /** What it finds, in the plural, such as `sessions`: how it is asked for by name. */
  readonly kind: string;
  /** Above its hits: what they are, and what can be done with one. */
  readonly heading: string;
  /** Said when nothing was found. */
  readonly nothing: string;
  /** Hits on a page, unless said otherwise. */
  readonly pageSize: number;
  /** The filters that its things can pass. By another one nothing of this kind is meant. */
  readonly filters: readonly FilterName[];
  /** False where its source is turned off. */
  isOn(call: ToolContext): boolean;
  /** `invalid-argument` where a filter has a value that it cannot have. */
  find(asked: Sought, call: ToolContext): Promise<Findings>;
}

export interface Sought {
  readonly query: string;
  readonly filter: FindFilter;
  /** From 1 on. */
  readonly page: number;
  readonly pageSize: number;
  /** How long it may first read what is new on the disk: somebody waits. */
  readonly patienceMs: number;
}

export interface FindFilter {
  readonly folder?: string;
  readonly tags?: readonly string[];
  readonly host?: string;
  /** By its name, or `.` for the one that the asker is in. */
  readonly project?: string;
  readonly branch?: string;
  /** One that was touched: a path, or its end. */
  readonly file?: string;
  /** Milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
}

export type FilterName = keyof FindFilter;

export interface Findings {
  /** One page of them, best first. */
  readonly hits: readonly Found[];
  /** On all pages. */
  readonly total: number;
  /** What the reader should know about how this was found. */
  readonly notices: readonly string[];
}

/** One thing that was found. Every text is on one line, and quoted where it is somebody else's words. */
export interface Found {
  readonly title: string;
  /** Where it is: first the address or id that opens it, then what tells it apart from others. */
  readonly where: readonly string[];
  /** 0 to 1; comparable among hits of one kind. */
  readonly score: number;
  /** When it was last changed; milliseconds since 1970. */
  readonly time: number;
  /** Its best passage; empty when only its name fits. */
  readonly excerpt: string;
  /** What a person types to go on with it. */
  readonly goOn?: string;
}
