import type { ToolContext, ToolPlace } from "./tool.ts";

/**
 * A source's part in an agent's search across sources, `search_memories`. A finder searches its own index and knows
 * nothing about the others.
 */
export interface Finder {
  /** What it finds, in the plural, such as `sessions`. Requests select a finder by this name. */
  readonly kind: string;
  /** Shown above its hits: what they are, and what can be done with them. */
  readonly heading: string;
  /** Shown if nothing was found. */
  readonly nothing: string;
  /** Hits on a page by default. */
  readonly pageSize: number;
  /** The filters that it supports. With any other filter this kind is not searched. */
  readonly filters: readonly FilterName[];
  /** False if its source is turned off. */
  isOn(call: Pick<ToolContext, "home" | "env">): boolean;
  /** Whether there is anything to find (default: yes). Must be cheap, because it is called at every session's start. */
  hasAny?(place: ToolPlace): boolean | Promise<boolean>;
  /** Throws `invalid-argument` if a filter has an invalid value. */
  find(request: FindRequest, call: ToolContext): Promise<Findings>;
}

export interface FindRequest {
  readonly query: string;
  readonly filter: FindFilter;
  /** The first page is 1. */
  readonly page: number;
  readonly pageSize: number;
  /** How long it may first spend on reading new files, while someone is waiting. */
  readonly patienceMs: number;
}

export interface FindFilter {
  readonly folder?: string;
  readonly tags?: readonly string[];
  readonly host?: string;
  /** The project's name, or `.` for the current one. */
  readonly project?: string;
  readonly branch?: string;
  /** A file that was touched: a path, or the end of one. */
  readonly file?: string;
  /** Milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
}

export type FilterName = keyof FindFilter;

export interface Findings {
  /** One page, best first. */
  readonly hits: readonly Hit[];
  /** The number of hits on all pages. */
  readonly total: number;
  /** What the reader should know about how the hits were found. */
  readonly notices: readonly string[];
}

/** Every text is on one line, and quoted if others wrote it. */
export interface Hit {
  readonly title: string;
  /** Where it is: first the address or id that opens it, then details that distinguish it from other hits. */
  readonly where: readonly string[];
  /** 0 to 1; comparable among hits of one kind. */
  readonly score: number;
  /** When it was last changed; milliseconds since 1970. */
  readonly time: number;
  /** Its best passage; empty if only its name matches. */
  readonly excerpt: string;
  /** The command with which the user continues from here. */
  readonly goOn?: string;
}
