export interface ToolUse {
  name: string;
  input: Record<string, unknown>;
}

export interface Usage {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
}

interface Common {
  /** Wait before answering, to hold a turn open. */
  delayMs?: number;
}

export interface ModelReply extends Common {
  text?: string;
  toolUses?: ToolUse[];
  /** Replaces the size estimate that the fake would report. */
  usage?: Partial<Usage>;
}

export interface ErrorReply extends Common {
  status: number;
  error: string;
}

export type Reply = ModelReply | ErrorReply;

type ReplyBlock =
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> };

export interface Message {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: ReplyBlock[];
  stop_reason: "end_turn" | "tool_use";
  stop_sequence: null;
  usage: Usage;
}

/** Ids are derived from the request's index, so two runs of one script give the same bytes. */
export function messageFrom(reply: ModelReply, model: string, index: number, inputTokens: number): Message {
  const toolUses = reply.toolUses ?? [];
  const content: ReplyBlock[] = [];
  if (reply.text !== undefined || toolUses.length === 0)
    content.push({ type: "text", text: reply.text ?? "ok" });
  for (const [place, use] of toolUses.entries()) {
    content.push({ type: "tool_use", id: `toolu_fake_${index}_${place}`, name: use.name, input: use.input });
  }
  return {
    id: `msg_fake_${index}`,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: toolUses.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: inputTokens,
      output_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      ...reply.usage,
    },
  };
}

/** The same message as the server-sent events of a streaming answer. */
export function sseFrom(message: Message): string {
  const events: Array<{ type: string; [field: string]: unknown }> = [
    {
      type: "message_start",
      message: { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } },
    },
  ];
  for (const [index, block] of message.content.entries()) {
    if (block.type === "text") {
      events.push({ type: "content_block_start", index, content_block: { type: "text", text: "" } });
      events.push({ type: "content_block_delta", index, delta: { type: "text_delta", text: block.text } });
    } else {
      const partial_json = JSON.stringify(block.input);
      events.push({ type: "content_block_start", index, content_block: { ...block, input: {} } });
      events.push({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } });
    }
    events.push({ type: "content_block_stop", index });
  }
  const { stop_reason, stop_sequence, usage } = message;
  events.push({ type: "message_delta", delta: { stop_reason, stop_sequence }, usage });
  events.push({ type: "message_stop" });
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
