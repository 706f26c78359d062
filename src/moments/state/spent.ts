import type { Session } from "../types.ts";

/** The cost of moments for the user: how many there were, and how long the host waited for them. */
export interface Spent {
  readonly moments: number;
  readonly ms: number;
}

export function plus(a: Spent | undefined, b: Spent | undefined): Spent | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { moments: a.moments + b.moments, ms: a.ms + b.ms };
}

/** Measures one moment. Only the first write that can store the result takes it. */
export interface Meter {
  /** This moment's cost, plus that of earlier ones that wrote nothing. The same for every call. */
  own(): Spent | undefined;
  /** Call at the end of a moment that wrote nothing: its cost is kept until the session's next write. */
  keep(): void;
}

/** Costs of moments that wrote nothing, by session. Only in a long-running process. */
const unwritten = new Map<string, Spent>();
const MOST_SESSIONS = 100;

/** `elapsedMs`: how long the host has waited so far; undefined if it does not wait. */
export function meterFor({ host, id }: Session, elapsedMs: (() => number) | undefined): Meter {
  const key = `${host} ${id}`;
  let taken: { readonly spent: Spent | undefined } | undefined;
  const now = () => (elapsedMs === undefined ? undefined : { moments: 1, ms: Math.round(elapsedMs()) });
  return {
    own() {
      if (taken === undefined) {
        taken = { spent: plus(unwritten.get(key), now()) };
        unwritten.delete(key);
      }
      return taken.spent;
    },
    keep() {
      const spent = taken === undefined ? plus(unwritten.get(key), now()) : undefined;
      if (spent === undefined) return;
      if (unwritten.size >= MOST_SESSIONS && !unwritten.has(key)) unwritten.clear();
      unwritten.set(key, spent);
    },
  };
}
