import type { ModelUsage } from "../../../models/port.ts";
import { usageText } from "../../../models/usage-text.ts";
import type { SessionAnswer } from "./quotes.ts";

/** What asking a model came to, for whoever pays for it. */
export interface ModelCall {
  /** Absent when none could be asked. */
  readonly model?: string;
  /** Why the answer is not the model's. */
  readonly code?: ComposeFailure;
  readonly latencyMs: number;
  /** Of the session's words that it was sent. */
  readonly bytes: number;
  /** There was no room for all of them. */
  readonly truncated: boolean;
  readonly attempts: number;
  /** Of all attempts together. */
  readonly usage?: ModelUsage;
}

export type ComposeFailure =
  | "QUERY_MODEL_UNAVAILABLE"
  | "QUERY_TRANSPORT_FAILED"
  | "QUERY_INVALID_OUTPUT"
  | "UNKNOWN_QUERY_SESSION_ERROR";

/** A person pays for it, and is told what. */
export function withPrice({ answerMarkdown, model }: SessionAnswer): string {
  return model === undefined || model.attempts === 0
    ? answerMarkdown
    : `${answerMarkdown}\n${priceText(model)}`;
}

function priceText({ model, attempts, latencyMs, usage }: ModelCall): string {
  return [
    `${model}: ${(latencyMs / 1000).toFixed(1)} s`,
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
    ...(usage === undefined ? [] : [usageText(usage)]),
  ].join(", ");
}
