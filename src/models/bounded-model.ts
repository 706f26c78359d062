import { withDeadline } from "../base/deadline.ts";
import { ContinuoError } from "../base/errors.ts";
import type { LanguageModel } from "./port.ts";

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
