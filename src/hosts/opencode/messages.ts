import { fileURLToPath } from "node:url";
import { isRecord } from "../../base/json.ts";
import { isMachineMade, stripInjected } from "../../compose/strip.ts";
import type { FileAccess } from "../../moments/tool-use.ts";
import type { LastRequest } from "../../moments/types.ts";
import { mentionsIn } from "../shared/mentions/parse-mentions.ts";
import type { Message, MessageInfo, Part } from "./api.ts";
import type { Frozen } from "./session-state.ts";
import { tools } from "./tools.ts";

/** Reads and edits the host's messages and requests. */

/** How the host's prompts for a title and for a summary begin. They pass through the same hooks as conversations. */
const HOUSEKEEPING = ["You are a title generator", "You are a context summarization agent"];

/**
 * Whether a request is not part of a conversation. `custom`: prompts that the user configured instead of the host's.
 */
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

/** What the user typed, without what the host and other plugins added to the message. */
export function promptOf(parts: readonly Part[]): string {
  return parts
    .filter((part) => part.type === "text" && part.synthetic !== true && part.ignored !== true)
    .map((part) => part.text ?? "")
    .join("\n");
}

/** The files that a message mentions: those whose content the host attached, and those that its text only names. */
export function* mentionsOf(parts: readonly Part[]): Generator<readonly string[]> {
  for (const { type, url = "" } of parts) if (type === "file" && url.startsWith("file:")) yield pathsOf(url);
  yield* mentionsIn(stripInjected(promptOf(parts)));
}

function pathsOf(url: string): string[] {
  try {
    return [fileURLToPath(url)];
  } catch {
    return []; // on another machine, or not a path
  }
}

/** The user's last request, and whether the agent finished it. Used if this process did not follow the session. */
export function lastRequestIn(messages: readonly Message[]): LastRequest | undefined {
  let answered: boolean | undefined;
  for (const { info, parts } of messages.toReversed()) {
    if (info.summary === true) continue;
    if (info.role === "assistant") {
      // The newest message decides: text before a tool call is not the answer yet.
      answered ??=
        info.error === undefined && info.time?.completed !== undefined && info.finish !== "tool-calls";
      continue;
    }
    const text = stripInjected(promptOf(parts)).trim();
    if (text === "" || isMachineMade(text)) continue;
    const created = info.time?.created;
    const at = created === undefined ? {} : { at: new Date(created).toISOString() };
    return { text, answered: answered ?? false, ...at };
  }
  return undefined;
}

/** The files that tool calls read or edited, in the order of the calls. */
export function filesIn(messages: readonly Message[], cwd: string, root: string): FileAccess[] {
  return messages
    .flatMap((message) => message.parts)
    .flatMap(({ type, tool, state }) => {
      const input = state?.["input"];
      const isDone = type === "tool" && tool !== undefined && state?.["status"] === "completed";
      return isDone && isRecord(input) ? tools.filesOf(tool, input, cwd, root) : [];
    });
}

const TIME_LENGTH = "prt_".length + 12;

/**
 * A part that the host stores with the message but does not show. Parts are read back in the order of their ids, which
 * are a time and 14 random characters, so this one uses the newest part's time and the highest characters.
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

/** Whether Continuo created the message. The host passes it to the hooks like any other. */
export function isOwnMessage(id: string): boolean {
  return id.endsWith(OWN);
}

/**
 * Ids are `msg_`, twelve hexadecimal digits of time and fourteen characters. Continuo's id sorts right before the next
 * message's, because undoing goes by ids. If the host has not created that message yet, the current time is used.
 */
export function ownMessageId(next: string | undefined, now: number): string {
  // 4096 ids per millisecond; the host keeps the lowest 48 bits.
  const time =
    next === undefined
      ? (now % 2 ** 36) * 4096
      : Number.parseInt(next.slice("msg_".length, TIME_LENGTH), 16) - 1;
  return `msg_${time.toString(16).padStart(12, "0")}${OWN}`;
}

/**
 * Whether one of Continuo's messages contains this snapshot. One from an earlier epoch, or a fork's copy, may have the
 * same text.
 */
export function hasSnapshot(messages: readonly Message[], { text, at }: Frozen): boolean {
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

/** The message with which the conversation continues after the last compaction. */
export function newestSummary(messages: readonly Message[]): MessageInfo | undefined {
  return messages.findLast(
    ({ info }) => info.role === "assistant" && info.summary === true && info.error === undefined,
  )?.info;
}

/**
 * When it compacts, the host keeps the last turns verbatim, and a fork copies everything, including what Continuo
 * added. The snapshot of the new epoch repeats all of that, so additions to stale messages are removed. Which messages
 * are stale must depend only on the messages, so that every request of an epoch is cut in the same way.
 */
export function cutAdditions(messages: Message[], isStale: (info: MessageInfo) => boolean): void {
  for (const message of messages) {
    if (isStale(message.info))
      message.parts = message.parts.filter((part) => !isContinuos(part)).map(withoutAddition);
  }
}

/**
 * Puts a text in front of the first user message that is newer than the summary. It is not stored: every request of the
 * epoch gets it in the same place, and the system prompt stays as it was before the compaction.
 */
export function putBehind(summary: string, messages: readonly Message[], text: string): void {
  const message = messages.find(({ info }) => info.role === "user" && info.id > summary);
  if (message === undefined) return;
  const { id: messageID, sessionID } = message.info;
  const id = `prt_${messageID.slice("msg_".length)}`;
  const part: Part = { id, sessionID, messageID, type: "text", text, synthetic: true };
  message.parts = [part, ...message.parts];
}

function isContinuos({ type, synthetic, text = "" }: Part): boolean {
  return type === "text" && synthetic === true && (text.startsWith(OPENING) || text.startsWith(SNAPSHOT));
}

function withoutAddition(part: Part): Part {
  const output = part.type === "tool" ? part.state?.["output"] : undefined;
  if (typeof output !== "string" || !output.endsWith(CLOSING)) return part;
  // An item cannot contain the tag, because it would be escaped. So the addition begins at the last one.
  const at = output.lastIndexOf(`\n\n${OPENING}`);
  return at === -1 ? part : { ...part, state: { ...part.state, output: output.slice(0, at) } };
}
