import type { SessionRef } from "./events.ts";

/** `GET /api/weeks` answers `Weeks`. */
export type { WeekNumbers, Weeks } from "../../moments/ports/week.ts";

/** The home page: what is going on, and what is pending for the user. */
export interface Overview {
  readonly active: readonly ActiveSession[];
  readonly waiting: Waiting;
  readonly recent: readonly RecentSession[];
  /** False if no agent on this machine calls Continuo: the page then starts with connecting one. */
  readonly isConnected: boolean;
}

export interface Waiting {
  readonly proposals: number;
  readonly unobserved: number;
  readonly problems: readonly Problem[];
}

export interface Problem {
  readonly message: string;
  readonly hint?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface ActiveSession extends RecentSession {
  /** Since when the agent works on the last request; milliseconds since 1970. Absent while it waits for the user. */
  readonly workingSince?: number;
}

export interface RecentSession extends SessionRef {
  readonly name: string;
  readonly project?: string;
  readonly branch?: string;
  readonly modified: number;
  readonly lastRequest?: string;
  readonly unobserved?: boolean;
}

export interface PaletteHit {
  /** The kind, as shown: Session, Note, Rule. */
  readonly kind: string;
  readonly title: string;
  readonly detail?: string;
  /** Its address in the page. */
  readonly address: string;
}
