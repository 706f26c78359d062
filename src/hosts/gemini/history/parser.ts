import type { Range, Title } from "../../../moments/ports/history.ts";
import type { Turn } from "../../../moments/ports/turn.ts";
import {
  type Entry,
  entryAt,
  listAt,
  numberAt,
  parseJson,
  textAt,
  textOf,
} from "../../shared/history/fields.ts";
import { decoded, readOverview } from "../../shared/history/lines.ts";
import type { LineParser, Parsed } from "../../shared/history/read-json-lines.ts";
import { preferred } from "../../shared/history/tally.ts";
import {
  type About,
  aboutLine,
  answerTo,
  imagesIn,
  makeCall,
  makeTurn,
  type Place,
} from "../../shared/history/turns.ts";
import { hasFailedCommand, tools } from "../tools.ts";

/** The host adds this as the model's answer after compressing a chat. */
const ACKNOWLEDGED = "Got it. Thanks for the additional context";

/** A chat file's lines: messages and patches. A later line with the same id completes a message. */
export function geminiParser(place: Place, own: OwnLines): LineParser {
  let title: Title | undefined;
  return {
    otherBranches: own.otherBranches,
    title: () => title,
    parse(entry, offset) {
      title = preferred(title, titleIn(entry));
      if ("$rewindTo" in entry) return { passed: "$rewindTo" };
      if ("$set" in entry) {
        const messages = listAt(entryAt(entry, "$set"), "messages");
        const turns = messages
          .filter((message) => own.isFirst(String(message["id"]), offset))
          .flatMap((message) => turnsOf(message, offset, place) ?? [])
          .filter((turn) => !turn.answers.some(({ call }) => own.isAnswered(call)));
        return turns.length === 0 ? { passed: "$set" } : { turns };
      }
      if ("sessionId" in entry && !("id" in entry)) return { passed: "header" };
      return parsedMessage(entry, offset, place);
    },
    join(before, next) {
      const isSame = before[0]?.id === next[0]?.id && before[0] !== undefined;
      const offset = before[0]?.offset ?? 0;
      return isSame ? next.map((turn) => ({ ...turn, offset })) : undefined;
    },
  };
}

/** The host has a model summarise a session in one sentence, and later adds the sentence to the file. */
export function titleIn(entry: Entry): Title | undefined {
  const text =
    textAt(entryAt(entry, "$set"), "summary") ?? ("id" in entry ? undefined : textAt(entry, "summary"));
  return text === undefined ? undefined : { text, by: "host" };
}

export function parsedMessage(message: Entry, offset: number, place: Place): Parsed {
  const turns = turnsOf(message, offset, place);
  const type = textAt(message, "type") ?? "(none)";
  if (turns === undefined) return { unknown: `message:${type}` };
  return turns.length === 0 ? { passed: `message:${type}` } : { turns };
}

function turnsOf(message: Entry, offset: number, place: Place): readonly Turn[] | undefined {
  const about = aboutLine(message, offset);
  switch (message["type"]) {
    case "user":
      return fromUser(message, about);
    case "gemini":
      return fromModel(message, about, place);
    case "error":
      return [makeTurn({ ...about, role: "other", text: saidIn(message), mark: "error" })];
    case "info":
    case "warning":
      return [makeTurn({ ...about, role: "other", text: saidIn(message), mark: "machineMade" })];
    default:
      return undefined;
  }
}

function fromUser(message: Entry, about: About): Turn[] {
  const said = saidIn(message);
  const hooks = toldByHooks(message);
  const turns = listAt(message, "content").flatMap(
    (part) => answerFrom(entryAt(part, "functionResponse"), about) ?? [],
  );
  if (said.startsWith("<state_snapshot>")) {
    turns.push(makeTurn({ ...about, role: "summary", text: said, mark: "compaction" }));
  } else if (said.startsWith("<session_context>")) {
    turns.push(makeTurn({ ...about, role: "other", text: said, mark: "injected" }));
  } else if (said !== "" || (turns.length === 0 && hooks === "")) {
    turns.push(makeTurn({ ...about, role: "user", text: said, images: imagesIn(message["content"]) }));
  }
  const beside = { ...about, id: `${about.id}:injected`, role: "other", mark: "injected" } as const;
  if (hooks !== "") turns.push(makeTurn({ ...beside, text: hooks }));
  return turns;
}

function fromModel(message: Entry, about: About, place: Place): Turn[] {
  const tokens = entryAt(message, "tokens");
  const cached = numberAt(tokens, "cached");
  const given = [
    ...callsIn(message),
    ...listAt(message, "content").map((part) => entryAt(part, "functionCall")),
  ];
  const calls = given
    .filter((call) => typeof call["name"] === "string")
    .map((call) => makeCall(textAt(call, "id"), textAt(call, "name") ?? "", call["args"], place, tools));
  const text = saidIn(message);
  const thoughts = listAt(message, "thoughts").map((thought) =>
    [textAt(thought, "subject"), textAt(thought, "description")].filter((part) => part).join(": "),
  );
  const said = makeTurn({
    ...about,
    role: text.startsWith(ACKNOWLEDGED) ? "other" : "assistant",
    text,
    thinking: thoughts.join("\n\n"),
    calls,
    model: textAt(message, "model"),
    usage:
      "tokens" in message
        ? {
            input: Math.max(0, numberAt(tokens, "input") - cached),
            output: numberAt(tokens, "output") + numberAt(tokens, "thoughts"),
            cacheRead: cached,
            cacheWrite: 0,
          }
        : undefined,
  });
  // The host also writes the tool's output as a separate message. Both turns have the call's id, and the later one is
  // kept.
  const answers = callsIn(message).flatMap((call) =>
    listAt(call, "result").flatMap((part) => answerFrom(entryAt(part, "functionResponse"), about) ?? []),
  );
  return [said, ...answers];
}

function answerFrom(response: Entry, about: About): Turn | undefined {
  const call = textAt(response, "id");
  if (call === undefined) return undefined;
  const answer = entryAt(response, "response");
  const error = textAt(answer, "error");
  const text = textAt(answer, "output") ?? error ?? textOf(answer["content"]);
  const name = textAt(response, "name");
  const failed = error !== undefined || hasFailedCommand(name ?? "", text);
  return makeTurn({
    ...about,
    id: `call:${call}`,
    role: "tool",
    text,
    answers: [answerTo(call, { name, failed })],
  });
}

/** Hook context is a separate part after the prompt. A tool's result has no text part. */
const HOOK = "<hook_context>";

export function saidIn(message: Entry): string {
  return textOf(message["content"], (part) => !isHookPart(part));
}

function toldByHooks(message: Entry): string {
  return textOf(listAt(message, "content"), isHookPart);
}

export function callsIn(message: Entry): readonly Entry[] {
  return listAt(message, "toolCalls");
}

function isHookPart(part: Entry): boolean {
  return typeof part["text"] === "string" && part["text"].startsWith(HOOK);
}

/**
 * What must be known about a whole chat file before any part of it is read. At each start and each compression the host
 * writes all messages again, as incomplete copies; a copy is used only if the message has no line of its own.
 */
interface OwnLines {
  /**
   * Whether this line, which holds many messages, is the first that contains this message, and the message has no line
   * of its own.
   */
  isFirst(id: string, offset: number): boolean;
  /** Whether the output of this call has a line of its own. */
  isAnswered(call: string): boolean;
  /** Ranges that the user abandoned by going back. */
  readonly otherBranches: readonly Range[];
}

export function ownLines(path: string): OwnLines {
  const own = new Map<string, number>();
  const copies = new Map<string, number>();
  const answered = new Set<string>();
  const otherBranches: Range[] = [];
  for (const line of readOverview(path)) {
    const { text, offset } = decoded(line);
    if (text === undefined) continue;
    const id = /^\{"id":"([^"\\]+)"/.exec(text)?.[1];
    if (id !== undefined) {
      if (!own.has(id)) own.set(id, offset);
      for (const [, call = ""] of text.matchAll(/"functionResponse":\{"id":"([^"\\]+)"/g)) answered.add(call);
    } else if (text.startsWith('{"$set":{"messages"')) {
      for (const message of listAt(entryAt(parseJson(text) ?? {}, "$set"), "messages")) {
        const copied = String(message["id"]);
        if (!copies.has(copied)) copies.set(copied, offset);
      }
    } else if (text.startsWith('{"$rewindTo"')) {
      const target = parseJson(text)?.["$rewindTo"];
      // The target message itself is abandoned too. If it is unknown, everything is.
      const from = typeof target === "string" ? (own.get(target) ?? 0) : 0;
      otherBranches.push({ from, to: offset });
    }
  }
  return {
    isFirst: (id, offset) => !own.has(id) && (copies.get(id) ?? offset) === offset,
    isAnswered: (call) => answered.has(call),
    otherBranches,
  };
}
