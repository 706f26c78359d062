import { ContinuoError } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import { type Post, type PostFailure, post } from "./http.ts";
import type { LanguageModel, ModelReply, ModelRequest, ModelUsage } from "./language-model.ts";

interface ModelEndpoint {
  /** `provider/id`. */
  readonly key: string;
  readonly model: string;
  /** The API's address, such as `https://api.openai.com/v1`. */
  readonly url: string;
  readonly secret?: string | undefined;
  readonly timeoutMs: number;
  readonly price?: Price | undefined;
}

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** The format of an API's requests and answers. */
export interface ModelApi {
  request(endpoint: ModelEndpoint, request: ModelRequest): Pick<Post, "url" | "headers" | "body">;
  /** Undefined if the answer has no text in the expected place. */
  read(answer: Readonly<Record<string, unknown>>): ModelReply | undefined;
}

export function endpointModel(endpoint: ModelEndpoint, api: ModelApi): LanguageModel {
  const { key, url, timeoutMs, price } = endpoint;
  return {
    key,
    address: url,
    async complete(request) {
      const answer = await post({
        ...api.request(endpoint, request),
        timeoutMs,
        signal: request.signal,
        failure: (failure) => down(endpoint, failure),
      });
      const reply = isRecord(answer) ? api.read(answer) : undefined;
      if (reply === undefined) throw down(endpoint, { why: "its answer has no text" });
      return { ...reply, ...(reply.usage && { usage: priced(reply.usage, price) }) };
    },
  };
}

function priced(usage: ModelUsage, price: Price | undefined): ModelUsage {
  if (price === undefined || usage.costUsd !== undefined) return usage;
  return { ...usage, costUsd: (usage.input * price.input + usage.output * price.output) / 1e6 };
}

function down({ key, url }: ModelEndpoint, failure: PostFailure): ContinuoError {
  return new ContinuoError("model-down", `the model ${key} at ${url} gave no answer: ${failure.why}`, {
    hint: `${adviceOn(failure)}; nothing was lost, and the words of the session itself are used instead`,
    cause: failure.cause,
  });
}

function adviceOn({ status, isLate = false }: PostFailure): string {
  if (isLate) return "raise modelTimeoutMs, or name a quicker model first in modelKeys";
  if (status === undefined || status >= 500) return "check that the server runs";
  if (status === 401 || status === 403) return "check the key in its environment variable";
  if (status === 404) return "check the model's name in modelKeys";
  if (status === 402 || status === 429) return "the account is out of credit, or has reached its rate limit";
  return "the server refused the request: it may be too long for the model, or the model's name may be wrong";
}

/** A count from a server's answer, which may be any value. */
export function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
