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
