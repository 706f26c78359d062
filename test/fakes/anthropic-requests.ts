import type { Block, MessagesBody, ModelRequest, WireMessage } from "./anthropic-wire.ts";

export type RequestKind = "main" | "title" | "compaction" | "subagent" | "other";

/** Which part of Claude Code sent a request; the marks were seen in 2.1.325 and 2.0.77. */
export function classify(request: ModelRequest): RequestKind {
  const { body, headers } = request;
  const names = (body.tools ?? []).map((tool) => tool.name);
  if (texts(body.system).some((text) => text.startsWith("You are naming a coding session"))) return "title";
  // Not always the last message: for 5.x models a `system` message with hook context can follow it.
  const asked = body.messages.findLast((message) => message.role === "user")?.content ?? "";
  const summarise = "Your task is to create a detailed summary of the conversation";
  if (blocks(asked).some((block) => block.text?.includes(summarise))) return "compaction";
  if (headers["x-claude-code-agent-id"]) return "subagent";
  // Only the main thread may start agents in every version; 2.0.77 marks its subagents by nothing else.
  if (names.includes("Agent") || names.includes("Task")) return "main";
  return names.length > 0 && body.system ? "subagent" : "other";
}

/** All text that the model gets as instructions or conversation: system, then messages, in wire order. */
export function requestText(request: ModelRequest): string {
  const { system, messages } = request.body;
  return [...texts(system), ...messages.flatMap((message) => texts(message.content))].join("\n");
}

/** How often a marker occurs in the system prompt and the messages. */
export function countOccurrences(request: ModelRequest, marker: string): number {
  return requestText(request).split(marker).length - 1;
}

export interface PrefixReport {
  system: boolean;
  tools: boolean;
  /** Whether the second request begins with all messages of the first, unchanged and in order. */
  messages: boolean;
  /** Where the two differ first, for error messages; undefined if nothing differs. */
  firstDifference?: string;
}

/**
 * Compares two requests in the order in which the server caches them: tools, system, messages.
 *
 * Only `cache_control` is left out of the comparison: the host moves that marker to the newest message with
 * each request by design, and it is not part of the text that is cached. As the marker can only sit on a
 * block, the host also sends one and the same message as a block while it is marked and as a bare string
 * later, so a bare string counts as one text block. Everything else has to be equal byte for byte, key order
 * included.
 */
export function sharedPrefix(a: ModelRequest, b: ModelRequest): PrefixReport {
  const tools = firstDifference("tools", units(a.body.tools), units(b.body.tools), true);
  const system = firstDifference("system", units(a.body.system), units(b.body.system), true);
  const messages = firstDifference("messages", messageUnits(a.body), messageUnits(b.body), false);
  const first = tools ?? system ?? messages;
  return {
    tools: tools === undefined,
    system: system === undefined,
    messages: messages === undefined,
    ...(first === undefined ? {} : { firstDifference: first }),
  };
}

/** The request as `sharedPrefix` sees it, unit by unit: tools, system, messages. */
export function cacheUnits(request: ModelRequest): string[] {
  return [...units(request.body.tools), ...units(request.body.system), ...messageUnits(request.body)];
}

function units(value: string | unknown[] | undefined): string[] {
  if (value === undefined) return [];
  return typeof value === "string" ? [bytes(value)] : value.map(bytes);
}

function messageUnits({ messages }: MessagesBody): string[] {
  return messages.map((message: WireMessage) => bytes({ ...message, content: blocks(message.content) }));
}

function blocks(content: string | Block[]): Block[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function bytes(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => (key === "cache_control" ? undefined : inner));
}

function firstDifference(name: string, a: string[], b: string[], whole: boolean): string | undefined {
  for (const [place, left] of a.entries()) {
    const right = b[place];
    if (left === right) continue;
    if (right === undefined) return `${name}[${place}] is missing from the second request: ${cut(left, 0)}`;
    let at = 0;
    while (left[at] === right[at]) at++;
    return `${name}[${place}] differs at ${at}:\n  first:  ${cut(left, at)}\n  second: ${cut(right, at)}`;
  }
  return whole && b.length > a.length
    ? `${name}: the second request has ${b.length - a.length} more`
    : undefined;
}

function cut(text: string, at: number): string {
  return JSON.stringify(text.slice(Math.max(0, at - 60), at + 120));
}

function texts(content: string | Block[] | undefined): string[] {
  if (content === undefined) return [];
  if (typeof content === "string") return [content];
  return content.flatMap((block) => [
    ...(block.text === undefined ? [] : [block.text]),
    ...texts(block.content),
  ]);
}
