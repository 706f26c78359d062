import { withDeadline } from "../base/deadline.ts";
import { ContinuoError } from "../base/errors.ts";

/** A language model that the user has configured. Continuo never asks any other. */
export interface LanguageModel {
  /** `provider/id`, as in the setting `modelKeys`. */
  readonly key: string;
  /** Where its requests go; absent if a host sends them. */
  readonly address?: string;
  /** Sends one request. Throws a ContinuoError if there is no answer; does not retry. */
  complete(request: ModelRequest): Promise<ModelReply>;
}

export interface ModelRequest {
  readonly system: string;
  readonly prompt: string;
  /** The maximum length of the answer. */
  readonly maxTokens: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ModelReply {
  readonly text: string;
  /** Absent if the model's server does not report it. */
  readonly usage?: ModelUsage;
}

export interface ModelUsage {
  /** Tokens, including those from the provider's cache. */
  readonly input: number;
  readonly output: number;
  /** Undefined if the price is unknown. */
  readonly costUsd?: number;
}

/** The models that a host is logged in to; undefined for an unknown key. */
export type HostModels = (key: string) => LanguageModel | undefined | Promise<LanguageModel | undefined>;

/** To show: the cost, or the number of tokens if the price is unknown. */
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
    // A sum with an unknown part would be wrong.
    ...(a !== undefined && b !== undefined && { costUsd: a + b }),
  };
}

/** A host's model with Continuo's time limit. Hosts wait for minutes, because their user watches the answer. */
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
