import { isRecord } from "../base/settings.ts";
import { count, type ModelApi } from "./endpoint-model.ts";

/** `POST /messages`. */
export const anthropicApi: ModelApi = {
  request: ({ url, model, secret }, { system, prompt, maxTokens }) => ({
    url: `${url}/messages`,
    headers: {
      "anthropic-version": "2023-06-01",
      ...(secret === undefined ? {} : { "x-api-key": secret }),
    },
    body: { model, max_tokens: maxTokens, system, messages: [{ role: "user", content: prompt }] },
  }),
  read({ content, usage }) {
    const texts = (Array.isArray(content) ? (content as unknown[]) : []).flatMap((block) =>
      isRecord(block) && typeof block["text"] === "string" ? [block["text"]] : [],
    );
    if (texts.length === 0) return undefined;
    const read = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
    return {
      text: texts.join(""),
      ...(isRecord(usage) && {
        usage: {
          input: read.reduce((sum, name) => sum + count(usage[name]), 0),
          output: count(usage["output_tokens"]),
        },
      }),
    };
  },
};
