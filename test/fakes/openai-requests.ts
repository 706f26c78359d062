import type { ChatMessage, ChatRequest } from "./openai.ts";

export type RequestKind = "main" | "title" | "compaction" | "child";

/** Which part of OpenCode sent a request; the marks were seen in 1.18.33. */
export function classify({ body, headers }: ChatRequest): RequestKind {
  const system = textOf(body.messages[0]);
  if (system.startsWith("You are a title generator")) return "title";
  if (system.startsWith("You are a context summarization agent")) return "compaction";
  return headers["x-parent-session-id"] === undefined ? "main" : "child";
}

/** All text that the model gets, in wire order. */
export function requestText({ body }: ChatRequest): string {
  return body.messages.map(textOf).join("\n");
}

/** What a provider caches, in order: tools, then each message, byte for byte. */
export function units({ body }: ChatRequest): string[] {
  return [JSON.stringify(body.tools ?? []), ...body.messages.map((message) => JSON.stringify(message))];
}

export function countOccurrences(request: ChatRequest, marker: string): number {
  return requestText(request).split(marker).length - 1;
}

function textOf(message: ChatMessage | undefined): string {
  const content = message?.content ?? "";
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("\n");
}
