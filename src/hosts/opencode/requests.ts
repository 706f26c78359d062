import type { Message, MessageInfo, Part } from "./api.ts";
import type { Frozen } from "./threads.ts";

/** How the host's prompts for a title and for a summary begin; they come through the same hooks as conversations. */
const HOUSEKEEPING = ["You are a title generator", "You are a context summarization agent"];

/** A request that is no conversation. `custom` are prompts that the user put in the place of the host's. */
export function isHousekeeping(system: string, custom: readonly string[] = []): boolean {
  return [...HOUSEKEEPING, ...custom].some((prompt) => system.startsWith(prompt));
}

/** Prompts for titles and summaries that the user's configuration sets. */
export function housekeepingPrompts(config: Readonly<Record<string, unknown>>): string[] {
  const agents = config["agent"] as Record<string, { prompt?: unknown } | undefined> | undefined;
  return ["title", "compaction", "summary"].flatMap((name) => {
    const prompt = agents?.[name]?.prompt;
    return typeof prompt === "string" && prompt.trim() !== "" ? [prompt.trim()] : [];
  });
}

/** What the person typed: other plugins' and the host's own additions to a message are not it. */
export function promptOf(parts: readonly Part[]): string {
  return parts
    .filter((part) => part.type === "text" && part.synthetic !== true && part.ignored !== true)
    .map((part) => part.text ?? "")
    .join("\n");
}

const TIME_LENGTH = "prt_".length + 12;

/**
 * A part that the host keeps with the message and that the person does not see. Parts are read back in the order of
 * their ids, which are a time and 14 random characters: ours takes the newest part's time and the highest characters.
 */
export function additionPart(message: MessageInfo, parts: readonly Part[], text: string): Part | undefined {
  const newest =
    parts
      .map((part) => part.id)
      .toSorted()
      .at(-1) ?? "";
  if (!newest.startsWith("prt_") || newest.length < TIME_LENGTH) return undefined;
  const id = newest.slice(0, TIME_LENGTH) + "z".repeat(14);
  return { id, sessionID: message.sessionID, messageID: message.id, type: "text", text, synthetic: true };
}

const OWN = "continuo000000";

/** Is it one that we put there ourselves? The host hands it to us like any other. */
export function isOwnMessage(id: string): boolean {
  return id.endsWith(OWN);
}

/**
 * Ids are `msg_`, twelve hexadecimal digits of time and fourteen characters. Ours sorts right before the next message's,
 * because undoing goes by ids; where the host has yet to make that one, it is of now.
 */
export function ownMessageId(next: string | undefined, now: number): string {
  // 4096 ids a millisecond, of which the host keeps the lowest 48 bits.
  const time =
    next === undefined
      ? (now % 2 ** 36) * 4096
      : Number.parseInt(next.slice("msg_".length, TIME_LENGTH), 16) - 1;
  return `msg_${time.toString(16).padStart(12, "0")}${OWN}`;
}

/** Does a message of its own say this snapshot? The one of an earlier epoch, or a fork's copy, may be the same. */
export function standsIn(messages: readonly Message[], { text, at }: Frozen): boolean {
  return messages.some(
    ({ info, parts }) =>
      (info.time?.created ?? 0) >= at && parts.some((part) => part.synthetic === true && part.text === text),
  );
}

const SNAPSHOT = "<continuo>";
const OPENING = "<continuo-addition>";
const CLOSING = "</continuo-addition>";

/** A tool's output with an addition at its end. */
export function appended(output: string, addition: string): string {
  return `${output}\n\n${addition}`;
}

/** The message from which the conversation goes on after the last compaction. */
export function newestSummary(messages: readonly Message[]): MessageInfo | undefined {
  return messages.findLast(
    ({ info }) => info.role === "assistant" && info.summary === true && info.error === undefined,
  )?.info;
}

/**
 * The host keeps the last turns word for word when it compacts, and a fork has a copy of all, with what we added. The
 * snapshot of the new epoch says all of that again, so what we added to stale messages goes. Which ones are stale must
 * depend on nothing but the messages, so that every request of an epoch is cut in the same way.
 */
export function cutOurs(messages: Message[], isStale: (info: MessageInfo) => boolean): void {
  for (const message of messages) {
    if (isStale(message.info))
      message.parts = message.parts.filter((part) => !isOurs(part)).map(withoutAddition);
  }
}

function isOurs({ type, synthetic, text = "" }: Part): boolean {
  return type === "text" && synthetic === true && (text.startsWith(OPENING) || text.startsWith(SNAPSHOT));
}

function withoutAddition(part: Part): Part {
  const output = part.type === "tool" ? part.state?.["output"] : undefined;
  if (typeof output !== "string" || !output.endsWith(CLOSING)) return part;
  // An item cannot hold the tag itself: it is escaped. So the last one is where ours begins.
  const at = output.lastIndexOf(`\n\n${OPENING}`);
  return at === -1 ? part : { ...part, state: { ...part.state, output: output.slice(0, at) } };
}
