import type { ModelUsage } from "../../../models/port.ts";
import { usageText } from "../../../models/usage-text.ts";
import type { OfferContext } from "../../../moments/ports/offer.ts";
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

type Seat = Pick<OfferContext, "home" | "session">;

/** What the status line says of each session whose user waits for a model. */
const told = new Map<string, string>();

export function askingStatus(seat: Seat): string {
  return told.get(placeOf(seat)) ?? "";
}

/** Work that tells what it waits for; when it is done the line is taken away again. */
export async function withStatus<T>(
  seat: Seat,
  changed: () => void,
  work: (tell: (line: string) => void) => Promise<T>,
): Promise<T> {
  const place = placeOf(seat);
  try {
    return await work((line) => {
      told.set(place, line);
      changed();
    });
  } finally {
    if (told.delete(place)) changed();
  }
}

function placeOf({ home, session }: Seat): string {
  return `${home.root}\n${session.host}/${session.id}`;
}
