import type { Call, Marks, Turn } from "../../../moments/ports/turn.ts";
import { type Entry, entryAt, numberAt, textAt, timeOf } from "../../shared/history/fields.ts";
import type { Tally } from "../../shared/history/tally.ts";
import { answerTo, imagesIn, makeCall, makeTurn, type Place } from "../../shared/history/turns.ts";
import { tools as ownTools } from "../tools.ts";

export interface Message {
  readonly id: string;
  readonly created: number;
  readonly data: Entry;
  /** In order, with their ids. */
  readonly parts: readonly Entry[];
}

const PASSED: ReadonlySet<string> = new Set([
  "step-start",
  "step-finish",
  "snapshot",
  "patch",
  "file",
  "agent",
  "retry",
  // The summary that follows represents the compaction.
  "compaction",
  "subtask",
]);

/** One OpenCode message: what was said, what was injected with it, and the output of each tool. */
export function turnsOf(message: Message, marks: Marks, place: Place, tally: Tally): Turn[] {
  const { id, data, parts } = message;
  const about = {
    id,
    parent: textAt(data, "parentID"),
    at: timeOf(message.created),
    offset: message.created,
    marks,
  };
  const byType = (type: string) => parts.filter((part) => part["type"] === type);
  for (const { type } of parts) countPart(String(type), tally);
  const texts = byType("text");
  const own = textIn(texts.filter((part) => !isInjected(part)));
  const injected = textIn(texts.filter(isInjected));
  const beside = { ...about, id: `${id}:injected`, role: "other", mark: "injected" } as const;
  const added = injected === "" ? [] : [makeTurn({ ...beside, text: injected })];
  if (data["role"] === "user") {
    // A message that only asks for a compaction has no text.
    const images = imagesIn(byType("file"));
    return own === "" && images.length === 0
      ? added
      : [makeTurn({ ...about, role: "user", text: own, images }), ...added];
  }
  const tools = byType("tool");
  const failure = entryAt(entryAt(data, "error"), "data");
  const isError = "error" in data && own === "" && tools.length === 0;
  const said = makeTurn({
    ...about,
    role: data["summary"] === true ? "summary" : isError ? "other" : "assistant",
    text: isError ? (textAt(failure, "message") ?? "") : own,
    thinking: textIn(byType("reasoning")),
    calls: tools.map((part) => callFrom(part, place)),
    model: textAt(data, "modelID"),
    usage: usageFrom(entryAt(data, "tokens")),
    marks: {
      ...marks,
      ...(data["summary"] === true ? { compaction: true } : {}),
      ...("error" in data ? { error: true } : {}),
    },
  });
  return [said, ...added, ...tools.flatMap((part) => answerFrom(part, about) ?? [])];
}

function countPart(type: string, tally: Tally): void {
  tally.line();
  if (type === "text" || type === "tool" || type === "reasoning") tally.used();
  else if (PASSED.has(type)) tally.passed(`part:${type}`);
  else tally.unknown(`part:${type}`);
}

/** `ignored` texts are shown to the user, never to the model. */
function isInjected(part: Entry): boolean {
  return part["synthetic"] === true || part["ignored"] === true;
}

function textIn(parts: readonly Entry[]): string {
  return parts.map((part) => textAt(part, "text") ?? "").join("\n\n");
}

function callFrom(part: Entry, place: Place): Call {
  const input = entryAt(part, "state")["input"];
  return makeCall(textAt(part, "callID"), textAt(part, "tool") ?? "", input, place, ownTools);
}

/** The error of a call that the user did not allow. */
const REJECTED = /^The user rejected permission to use this/;

function answerFrom(part: Entry, about: Pick<Turn, "offset" | "marks">): Turn | undefined {
  const state = entryAt(part, "state");
  const status = textAt(state, "status");
  if (status !== "completed" && status !== "error") return undefined;
  const name = textAt(part, "tool");
  const failed = status === "error" || ownTools.hasFailed?.(name ?? "", state) === true;
  const rejected = status === "error" && REJECTED.test(textAt(state, "error") ?? "");
  const call = textAt(part, "callID") ?? "";
  return makeTurn({
    id: textAt(part, "id") ?? call,
    role: "tool",
    text: textAt(state, status === "error" ? "error" : "output") ?? "",
    images: imagesIn(state["attachments"]),
    answers: [answerTo(call, { name, failed, rejected })],
    at: timeOf(entryAt(state, "time")["end"]),
    offset: about.offset,
    marks: about.marks,
  });
}

function usageFrom(tokens: Entry) {
  const cache = entryAt(tokens, "cache");
  return {
    input: numberAt(tokens, "input"),
    output: numberAt(tokens, "output") + numberAt(tokens, "reasoning"),
    cacheRead: numberAt(cache, "read"),
    cacheWrite: numberAt(cache, "write"),
  };
}
