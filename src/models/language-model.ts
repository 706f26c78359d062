import { withDeadline } from "../base/deadline.ts";
import { ContinuoError } from "../base/errors.ts";

/** A language model that the user has opted into: nothing else of ours ever asks one. */
export interface LanguageModel {
  /** `provider/id`, as in the setting `modelKeys`. */
  readonly key: string;
  /** Where its requests go; absent where a host sends them. */
  readonly address?: string;
  /** One question, one answer. Throws a ContinuoError when there is none; nothing is tried again here. */
  complete(request: ModelRequest): Promise<ModelReply>;
}

export interface ModelRequest {
  readonly system: string;
  readonly prompt: string;
  /** Of the answer. */
  readonly maxTokens: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ModelReply {
  readonly text: string;
  /** Absent when the model's server does not tell. */
  readonly usage?: ModelUsage;
}

export interface ModelUsage {
  /** Tokens, those from the provider's cache included. */
  readonly input: number;
  readonly output: number;
  /** Undefined where nobody knows the price. */
  readonly costUsd?: number;
}

/** The models that a host has logged in to; undefined for a key that it does not know. */
export type HostModels = (key: string) => LanguageModel | undefined | Promise<LanguageModel | undefined>;

/** For people: what it cost, or how much was read and written where nobody knows the price. */
export function usageText({ input, output, costUsd }: ModelUsage): string {
  if (costUsd === undefined) return `${input} tokens read, ${output} written`;
  return `$${costUsd.toFixed(costUsd >= 0.01 ? 4 : 6)}`;
}

export function addUsage(one: ModelUsage, other: ModelUsage | undefined): ModelUsage {
  if (other === undefined) return one;
  const [a, b] = [one.costUsd, other.costUsd];
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    // A sum of which a part is unknown would be a lie.
    ...(a !== undefined && b !== undefined && { costUsd: a + b }),
  };
}

/** A host's model with our patience: hosts wait minutes for an answer that their user watches, and nobody watches ours. */
export function boundedModel(model: LanguageModel, timeoutMs: number): LanguageModel {
  const { key } = model;
  const late = () =>
    new ContinuoError("model-down", `the model ${key} gave no answer within ${timeoutMs} ms`, {
      hint: "raise modelTimeoutMs, or name a quicker model first in modelKeys",
    });
  return {
    key,
    complete: (request) =>
      withDeadline(timeoutMs, late, (signal) => model.complete({ ...request, signal }), request.signal),
  };
}
