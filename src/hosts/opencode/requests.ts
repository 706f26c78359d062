import type { Message, MessageInfo, Part } from "./api.ts";

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
 * The host keeps the last turns word for word when it compacts, and what we added to them with it. The new snapshot
 * says all of that again, so additions from before the summary go; which ones those are depends on nothing but the
 * messages, so every request of an epoch is cut in the same way. For the summariser all of them go.
 */
export function cutAdditions(messages: Message[], before: MessageInfo | "all"): void {
  for (const message of messages) {
    // Ids grow with time, whatever order the host puts the messages in.
    if (before !== "all" && message.info.id >= before.id) continue;
    message.parts = message.parts.filter((part) => !isAddition(part)).map(withoutAddition);
  }
}

function isAddition(part: Part): boolean {
  return part.type === "text" && part.synthetic === true && part.text?.startsWith(OPENING) === true;
}

function withoutAddition(part: Part): Part {
  const output = part.type === "tool" ? part.state?.["output"] : undefined;
  if (typeof output !== "string" || !output.endsWith(CLOSING)) return part;
  // An item cannot hold the tag itself: it is escaped. So the last one is where ours begins.
  const at = output.lastIndexOf(`\n\n${OPENING}`);
  return at === -1 ? part : { ...part, state: { ...part.state, output: output.slice(0, at) } };
}
