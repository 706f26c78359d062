import type { TranscriptReader } from "../../../../../src/moments/ports/history.ts";

export const CWD = "/work/shop";
export const OURS = "<continuo>\nMARK-OURS: prices are in cents.\n</continuo>";

/**
 * One conversation in a host's own form, in shapes that the real program wrote, shortened:
 * a prompt, something of ours beside it, a file read, an answer, a compaction, another prompt and its answer.
 */
export interface History {
  readonly reader: TranscriptReader;
  readonly session: string;
  /** Writes it where the host would, below a user's home. */
  write(home: string): void;
  /** Files of JSON lines: where it lies below the home, and its lines. */
  readonly file?: { readonly path: string; readonly lines: readonly string[] };
}

/** What every history tells when it is read, injected and host-made turns left out. */
export const CONVERSATION = [
  ["user", "Where are prices rounded?"],
  ["assistant", ""],
  ["tool", "export const round = Math.round;"],
  ["assistant", "In round.ts — naïvely."],
  ["summary", "We looked at rounding."],
  ["user", "Round half to even."],
  ["assistant", "Done."],
] as const;

export const AT = (second: number): string => `2026-11-15T12:00:${String(second).padStart(2, "0")}.000Z`;
