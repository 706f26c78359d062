import type { ChatFailure } from "../../../moments/ports/chat.ts";
import { type Payload, text } from "../../shared/fields.ts";

/** Turns the runtime's `session.error` into plain words. Its own text names variables that are not used here. */
export function failureOf(data: Payload): ChatFailure {
  const status = typeof data["statusCode"] === "number" ? data["statusCode"] : undefined;
  const type = text(data, "errorType") ?? "";
  const said = (text(data, "message") ?? "").slice(0, 1000);
  if (/No GitHub OAuth token|Not authenticated/i.test(said))
    return {
      code: "not-logged-in",
      message: "You are not logged in to GitHub Copilot.",
      hint: "Run copilot in a terminal and use /login, or choose an endpoint of your own.",
    };
  if (status === 401 || status === 403 || type === "authentication")
    return {
      code: "key-refused",
      message: `The provider refused the key${status === undefined ? "" : ` (HTTP ${status})`}.`,
      hint: "Check the key in the provider settings, then send the message again.",
    };
  if (status === 429 || type === "rate_limit" || type === "quota")
    return {
      code: "rate-limited",
      message: "The provider's rate limit or quota is used up.",
      hint: "Wait a minute and send the message again, or choose another model.",
    };
  if (status === 404)
    return {
      code: "model-not-found",
      message: "The provider does not know this address or model (HTTP 404).",
      hint: "Check the address and the model in the provider settings.",
    };
  if (type === "context_limit")
    return {
      code: "too-long",
      message: "The conversation is longer than the model accepts.",
      hint: "Start a new chat and refer to this one with @@.",
    };
  if (status !== undefined && status >= 500)
    return {
      code: "provider-failed",
      message: `The provider failed (HTTP ${status}).`,
      hint: "This is a problem on its side. Send the message again later.",
    };
  if (/HTTP request|connect|ECONN|transport|decoding|network|dns/i.test(said))
    return {
      code: "connection-lost",
      message: "The connection to the provider failed or broke off.",
      hint: "Check the address and your network, then send the message again.",
    };
  return {
    code: "model-failed",
    message: said === "" ? "The model gave no answer." : said,
    hint: "Send the message again.",
  };
}
