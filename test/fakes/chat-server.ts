import type { ServerResponse } from "node:http";
import { type JsonRequest, jsonServer } from "./json-server.ts";

export interface ChatRequest extends JsonRequest {
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
}

export interface ChatServer {
  /** The base URL of the API. Both forms of requests are supported. */
  readonly url: string;
  readonly requests: ChatRequest[];
  close(): Promise<void>;
}

interface Body {
  readonly model: string;
  readonly system?: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** A language model without streaming: records requests to `/chat/completions` and `/messages`, and a test answers them. */
export async function chatServer(
  answer: (request: ChatRequest, response: ServerResponse) => string | undefined,
): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  const server = await jsonServer((incoming, response) => {
    const body = incoming.body as Body;
    const said = (role: string) => body.messages.find((one) => one.role === role)?.content ?? "";
    const request = {
      ...incoming,
      model: body.model,
      system: body.system ?? said("system"),
      prompt: said("user"),
    };
    requests.push(request);
    const text = answer(request, response);
    if (text === undefined) return undefined;
    return incoming.url?.endsWith("/messages")
      ? {
          content: [{ type: "text", text }],
          usage: { input_tokens: 900, cache_read_input_tokens: 100, output_tokens: 50 },
        }
      : {
          choices: [{ message: { role: "assistant", content: text } }],
          usage: { prompt_tokens: 1000, completion_tokens: 50 },
        };
  });
  return { ...server, requests };
}
