import type { ModelUsage } from "../../../models/port.ts";
import { usageText } from "../../../models/usage-text.ts";
import type { SessionAnswer } from "./quotes.ts";

/** What a call of a model cost, for those who pay for it. */
export interface ModelCall {
  /** Absent when no model could be asked. */
  readonly model?: string;
  /** Why the answer is not the model's. */
  readonly code?: ComposeFailure;
  readonly latencyMs: number;
  /** Bytes of the session that were sent. */
  readonly bytes: number;
  /** Not everything fitted. */
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

/** Adds what the call cost, for the person who pays. */
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
