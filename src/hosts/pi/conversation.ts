import { isRecord } from "../../base/json.ts";
import type { SessionState } from "../../moments/state/session-state.ts";
import type { CustomMessage, PiEvent } from "./api.ts";

/** The type of every message of Continuo in pi's session files. */
export const CUSTOM_TYPE = "continuo";

/**
 * What a session's branch shows. pi stores Continuo's messages in the session's file, so the branch shows what the
 * model has been given. That is right even after a restart, a fork or a step back in pi's tree.
 */
export interface Branch {
  /** The number of compactions on the branch, which identifies its current epoch. */
  readonly compactions: number;
  /** When the last of them happened. */
  readonly compactedAt?: string;
  /** Whether the user has sent a prompt. */
  readonly hasPrompts: boolean;
  /** What Continuo delivered in the current epoch. */
  readonly texts: readonly string[];
}

export function readBranch(entries: readonly unknown[]): Branch {
  const all = entries.filter(isRecord);
  const compacted = all.filter((entry) => entry["type"] === "compaction");
  const at = compacted.at(-1)?.["timestamp"];
  return {
    compactions: compacted.length,
    ...(typeof at === "string" ? { compactedAt: at } : {}),
    hasPrompts: all.some((entry) => isRecord(entry["message"]) && entry["message"]["role"] === "user"),
    texts: all.filter((entry) => epochOf(entry) === compacted.length).flatMap(textsOf),
  };
}

/** A message by Continuo. It is not displayed, because the user would see the same rules at every start. */
export function continuoMessage(texts: readonly string[], compactions: number): CustomMessage {
  return {
    customType: CUSTOM_TYPE,
    content: texts.map((text) => ({ type: "text", text })),
    display: false,
    details: { compactions },
  };
}

/**
 * A compaction keeps the last messages verbatim, possibly including Continuo's. Those are removed once the new epoch
 * has its own. This depends only on the branch, so consecutive requests of an epoch omit the same messages.
 */
export function withoutOldEpochs(messages: readonly unknown[], compactions: number): unknown[] | undefined {
  const epochs = messages.map(epochOf);
  if (!epochs.includes(compactions)) return undefined;
  const kept = messages.filter((_, i) => epochs[i] === undefined || epochs[i] === compactions);
  return kept.length === messages.length ? undefined : kept;
}

export function isContinuos(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && value["customType"] === CUSTOM_TYPE;
}

/** The id of the entry that Continuo's note says it named. */
export function namedByContinuo(entry: Readonly<Record<string, unknown>>): unknown[] {
  const { type, data } = entry;
  return isContinuos(entry) && type === "custom" && isRecord(data) && "named" in data ? [data["named"]] : [];
}

/** The epoch of an entry in the file, or of a message on its way to the model; both have the same fields. */
function epochOf(value: unknown): number | undefined {
  if (!isContinuos(value) || !isRecord(value["details"])) return undefined;
  const { compactions } = value["details"] as { compactions?: unknown };
  return typeof compactions === "number" ? compactions : undefined;
}

function textsOf(entry: Record<string, unknown>): string[] {
  const content = Array.isArray(entry["content"]) ? (entry["content"] as unknown[]) : [];
  return content.flatMap((block) =>
    isRecord(block) && typeof block["text"] === "string" ? [block["text"]] : [],
  );
}

/** The agent's last message in the run that this event ends; undefined if it ended without text. */
export function answerIn(event: PiEvent): string | undefined {
  const messages = Array.isArray(event["messages"]) ? (event["messages"] as unknown[]) : [];
  const last = messages.findLast((message) => isRecord(message) && message["role"] === "assistant");
  return isRecord(last) ? textsOf(last).join("\n") || undefined : undefined;
}

export type Opening = "start" | "resume" | "compacted";

/**
 * The moment that opens a session or an epoch before this prompt; undefined if it is already open. pi reports every new
 * process as "startup", so a resume is recognised by what the branch and Continuo's state already contain.
 */
export function openingOf(
  branch: Branch,
  snapshot: SessionState["snapshot"] | undefined,
  isBegun: boolean,
): Opening | undefined {
  if (!snapshot) return branch.hasPrompts ? "resume" : "start";
  // pi compacted without calling Continuo: another process without Continuo did it, or the answer came too late.
  if (branch.compactedAt !== undefined && Date.parse(snapshot.at) < Date.parse(branch.compactedAt)) {
    return "compacted";
  }
  if (!isBegun) return "resume";
  // A step back in pi's tree can lead to a point before the snapshot.
  return snapshot.text !== "" && !branch.texts.includes(snapshot.text) ? "resume" : undefined;
}

/**
 * pi has no way to extend the summariser's instructions, but it summarises the very list that the event carries. So
 * Continuo's own blocks are removed from the list (they come back after the compaction anyway), and the handover
 * becomes its last message. In a version that passes a copy, only this is lost.
 */
export function prepareSummary(event: PiEvent, handover: string, compactions: number): void {
  const preparation = event["preparation"];
  if (!isRecord(preparation)) return;
  const lists = [preparation["messagesToSummarize"], preparation["turnPrefixMessages"]].filter(Array.isArray);
  for (const list of lists) {
    const others = list.filter((message: unknown) => !isContinuos(message));
    // An empty list could make the compaction fail, which is worse than a repeated rule.
    if (others.length > 0) list.splice(0, list.length, ...others);
  }
  const target = lists.find((list) => list.length > 0);
  if (handover === "" || target === undefined) return;
  target.push({ role: "custom", ...continuoMessage([handover], compactions), timestamp: Date.now() });
}

/** Who asked for the compaction. 0.73.1 does not say, but only a user gives instructions. */
export function triggerOf(event: PiEvent): "manual" | "auto" {
  if (typeof event["reason"] === "string") return event["reason"] === "manual" ? "manual" : "auto";
  return typeof event["customInstructions"] === "string" ? "manual" : "auto";
}

/**
 * Whether pi continues the interrupted turn right after the compaction, without a prompt. Newer versions say so. In
 * 0.73.1 that is the case after an answer that failed because the context was full.
 */
export function continuesTurn(event: PiEvent, entries: readonly unknown[]): boolean {
  if (typeof event["willRetry"] === "boolean") return event["willRetry"];
  const last = entries
    .filter(isRecord)
    .map((entry) => entry["message"])
    .filter(isRecord)
    .at(-1);
  return last?.["role"] === "assistant" && last["stopReason"] === "error";
}
