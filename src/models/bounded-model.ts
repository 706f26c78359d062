import { ContinuoError } from "../moments/errors.ts";
import type { LanguageModel } from "../moments/model-port.ts";

/** A host's model with our patience: hosts wait minutes for an answer that their user watches, and nobody watches ours. */
export function boundedModel(model: LanguageModel, timeoutMs: number): LanguageModel {
  const { key } = model;
  return {
    key,
    async complete(request) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([timeout, ...(request.signal === undefined ? [] : [request.signal])]);
      signal.throwIfAborted();
      const end = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
      try {
        return await Promise.race([model.complete({ ...request, signal }), end]);
      } catch (error) {
        if (!timeout.aborted || request.signal?.aborted === true) throw error;
        throw new ContinuoError("model-down", `the model ${key} gave no answer within ${timeoutMs} ms`, {
          hint: "raise modelTimeoutMs, or name a quicker model first in modelKeys",
          cause: error,
        });
      }
    },
  };
}
