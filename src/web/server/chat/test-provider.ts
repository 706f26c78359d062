import { describeError } from "../../../base/errors.ts";
import { bearer, type PostFailure, post } from "../../../models/http.ts";
import type { ChatProvider } from "../../../moments/ports/chat.ts";
import type { ChatProviderTest } from "../../api/chat.ts";

const TEST_MS = 20_000;

/** Sends one tiny request, only when the user asks for it. */
export async function testProvider(provider: ChatProvider): Promise<ChatProviderTest> {
  let failed: PostFailure | undefined;
  try {
    await post({
      ...requestFor(provider),
      timeoutMs: TEST_MS,
      failure: (failure) => {
        failed = failure;
        return new Error(failure.why);
      },
    });
    return { ok: true, message: `${provider.model} answered.` };
  } catch (error) {
    return { ok: false, ...explain(failed, describeError(error).message) };
  }
}

function requestFor({ type, baseUrl, model, wireApi, key }: ChatProvider) {
  const messages = [{ role: "user", content: "Say ok." }];
  if (type === "anthropic")
    return {
      url: `${baseUrl}/v1/messages`,
      headers: { "anthropic-version": "2023-06-01", ...(key === undefined ? {} : { "x-api-key": key }) },
      body: { model, max_tokens: 16, messages },
    };
  const headers = bearer(key);
  return wireApi === "responses"
    ? { url: `${baseUrl}/responses`, headers, body: { model, input: "Say ok.", max_output_tokens: 16 } }
    : { url: `${baseUrl}/chat/completions`, headers, body: { model, messages } };
}

function explain(failed: PostFailure | undefined, why: string): { message: string; hint: string } {
  const status = failed?.status;
  if (status === 401 || status === 403)
    return { message: `The provider refused the key (HTTP ${status}).`, hint: "Check the key." };
  if (status === 404)
    return {
      message: "The provider does not know this address or model (HTTP 404).",
      hint: "Check the address, the API and the model.",
    };
  if (status === 429)
    return {
      message: "The provider's rate limit or quota is used up.",
      hint: "Wait a minute, or check your plan.",
    };
  if (status !== undefined)
    return { message: `The provider answered with HTTP ${status}.`, hint: "Check the model and the API." };
  return { message: `No connection: ${why}.`, hint: "Check the address and your network." };
}
