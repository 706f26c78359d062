import { homeForHost } from "./home.ts";
import { appendRecord, type Journal } from "./journal.ts";

/** One request to a model that the user configured: for a text, or for vectors of texts. */
export interface ModelCall {
  readonly at: string;
  readonly kind: "text" | "vectors";
  readonly model: string;
}

export function modelCallsJournal(logs: string): Journal {
  return { folder: logs, prefix: "models", maxBytes: 500_000, keep: 2 };
}

/**
 * Appends to the log: a request takes thousands of times as long. A home that cannot be written is reported by other
 * writes.
 */
export function recordModelCall(env: NodeJS.ProcessEnv, kind: ModelCall["kind"], model: string): void {
  try {
    const call: ModelCall = { at: new Date().toISOString(), kind, model };
    appendRecord(modelCallsJournal(homeForHost(env).home.logs), { v: 1, ...call });
  } catch {
    // The request itself matters more than its count.
  }
}
