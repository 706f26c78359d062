import * as v from "valibot";
import { text } from "../requests.ts";
import { MAX_PROMPT } from "./chat.ts";

export const providerRequest = v.strictObject({
  type: v.picklist(["none", "openai", "anthropic", "copilot"]),
  baseUrl: text(2000),
  model: text(200),
  wireApi: v.picklist(["completions", "responses"]),
  keyEnv: text(200),
  /** Stored only in memory; null forgets it; absent leaves it unchanged. */
  key: v.optional(v.nullable(v.pipe(text(5000), v.nonEmpty("must not be empty")))),
});
export type ProviderRequest = v.InferOutput<typeof providerRequest>;

const id = v.pipe(text(500), v.nonEmpty("must not be empty"));

/** Either a new chat in a project, or a session to resume. */
export const openRequest = v.union([
  v.strictObject({ resume: id, model: v.optional(text(200)) }),
  v.strictObject({ project: text(4096), model: v.optional(text(200)) }),
]);

export const sendRequest = v.strictObject({
  // Slightly more than is allowed: a longer text gets an answer that explains what to do.
  text: v.pipe(text(MAX_PROMPT + 100_000), v.regex(/\S/, "must not be empty")),
  /** Chosen by the page, so that the same message is sent only once, even if the page retries. */
  key: v.pipe(text(100), v.nonEmpty("must not be empty")),
});

export const decisionRequest = v.union([
  v.strictObject({ answer: v.picklist(["once", "session"]) }),
  v.strictObject({ answer: v.literal("deny"), reason: v.optional(text(2000), "") }),
]);

export const answerRequest = v.strictObject({ text: v.pipe(text(20_000), v.nonEmpty("must not be empty")) });

export const renameRequest = v.strictObject({ name: v.pipe(text(200), v.regex(/\S/, "must not be empty")) });

export const completeQuery = v.strictObject({
  before: text(2000),
  project: v.optional(text(4096)),
  id: v.optional(text(500)),
});

export const handoffQuery = v.strictObject({ host: text(100), id });
