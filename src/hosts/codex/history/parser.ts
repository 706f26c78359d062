import { statSync } from "node:fs";
import type { Call, Turn, Usage } from "../../../moments/ports/turn.ts";
import {
  type Entry,
  entryAt,
  listAt,
  numberAt,
  textAt,
  textOf,
  timeOf,
} from "../../shared/history/fields.ts";
import type { LineParser, Parsed } from "../../shared/history/read-json-lines.ts";
import {
  answerTo,
  imagesIn,
  joinTurns,
  makeCall,
  makeTurn,
  oneTurn,
  type Place,
} from "../../shared/history/turns.ts";
import { hasFailedCommand, toolsWith } from "../tools.ts";

/** Types of lines with state and events. The conversation is in the items. */
const PASSED: ReadonlySet<string> = new Set([
  "session_meta",
  "turn_context",
  "world_state",
  "event_msg",
  "ghost_snapshot",
]);

/** Codex's rollout files. The first versions wrote bare items; later ones wrap each item in a line. */
export function codexParser(place: Place, modelSoFar?: string): LineParser {
  let model = modelSoFar;
  return {
    parse(entry, offset) {
      const type = textAt(entry, "type") ?? "(none)";
      const payload = entryAt(entry, "payload");
      if (type === "turn_context") model = textAt(payload, "model") ?? model;
      const at = timeOf(entry["timestamp"]);
      switch (type) {
        case "response_item":
          return fromItem(payload, { offset, at, model }, place);
        case "compacted": {
          const text = textAt(payload, "message") ?? "";
          return oneTurn({ id: `@${offset}`, offset, at, role: "summary", text, mark: "compaction" });
        }
        case "token_usage_record":
          return usageLine(type, entryAt(payload, "usage"));
        case "event_msg":
          return fromEvent(payload, offset, at);
        default:
          if (PASSED.has(type)) return { passed: type };
          return "payload" in entry ? { unknown: type } : fromBare(entry, offset, place);
      }
    },
    join(before, next) {
      const [first, second] = [before[0], next[0]];
      if (before.length !== 1 || next.length !== 1 || first === undefined || second === undefined)
        return undefined;
      if (first.role !== "assistant") return undefined;
      // The model first writes the summary as an ordinary answer; the final summary follows in the next line.
      const isSummary = second.role === "summary" && first.text !== "" && second.text.includes(first.text);
      if (isSummary) return [{ ...second, offset: first.offset }];
      // One answer of the model is written as several items: one each for every thought, text and call.
      return second.role === "assistant" && first.usage === undefined
        ? [joinTurns(first, second)]
        : undefined;
    },
    passable: (line) => /^\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"(world_state)"/.exec(line)?.[1],
  };
}

interface About {
  readonly offset: number;
  readonly at: number | undefined;
  readonly model?: string | undefined;
}

function fromItem(item: Entry, about: About, place: Place): Parsed {
  const type = textAt(item, "type") ?? "(none)";
  const { offset, at, model } = about;
  const id = textAt(item, "id") ?? textAt(item, "call_id") ?? `@${offset}`;
  const base = { id, offset, at };
  switch (type) {
    case "message":
      return fromMessage(item, base, model);
    case "reasoning": {
      const thinking = textOf(item["summary"]) || textOf(item["content"]);
      if (thinking === "") return { passed: "response_item:reasoning" };
      return oneTurn({ ...base, role: "assistant", text: "", thinking, model });
    }
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
    case "web_search_call":
    case "tool_search_call":
      return oneTurn({ ...base, role: "assistant", text: "", calls: [callFrom(item, place)], model });
    case "function_call_output":
    case "custom_tool_call_output":
    case "local_shell_call_output":
    case "tool_search_output": {
      const text = outputOf(item["output"]);
      const call = textAt(item, "call_id");
      const answers = [answerTo(call, { failed: hasFailedCommand(text) })];
      // Older versions give the output no id of its own; `call_id` is already used by the call.
      const own = textAt(item, "id") ?? `${call ?? `@${offset}`}:output`;
      return oneTurn({ ...base, id: own, role: "tool", text, images: imagesIn(item["output"]), answers });
    }
    case "compaction":
    case "compaction_summary":
    case "ghost_snapshot":
      return { passed: `response_item:${type}` };
    default:
      return { unknown: `response_item:${type}` };
  }
}

function fromMessage(
  item: Entry,
  base: Pick<Turn, "id" | "offset"> & About,
  model: string | undefined,
): Parsed {
  const role = textAt(item, "role") ?? "(none)";
  if (role === "assistant") return oneTurn({ ...base, role, text: textOf(item["content"]), model });
  const isUser = role === "user";
  if (!isUser && role !== "developer" && role !== "system") return { unknown: `message:${role}` };
  const { own, injected } = isUser ? saidIn(item) : { own: "", injected: textOf(item["content"]) };
  const beside = { ...base, id: own === "" ? base.id : `${base.id}:injected` };
  const turns = [
    ...(injected === "" ? [] : [makeTurn({ ...beside, role: "other", text: injected, mark: "injected" })]),
    ...(own === "" && injected !== ""
      ? []
      : [makeTurn({ ...base, role: "user", text: own, images: imagesIn(item["content"]) })]),
  ];
  return { turns };
}

function callFrom(item: Entry, place: Place): Call {
  const name = textAt(item, "name") ?? textAt(item, "type") ?? "";
  return makeCall(
    textAt(item, "call_id"),
    name,
    item["arguments"] ?? item["input"] ?? item["action"],
    place,
    pastTools,
  );
}

/** The file may have been deleted since: a name with a file extension counts as well. */
function maybeFile(path: string): boolean {
  return /\.[A-Za-z]\w*$/.test(path) || statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

const pastTools = toolsWith(maybeFile);

function fromEvent(payload: Entry, offset: number, at: number | undefined): Parsed {
  const type = textAt(payload, "type") ?? "(none)";
  if (type === "token_count")
    return usageLine("event_msg:token_count", entryAt(entryAt(payload, "info"), "last_token_usage"));
  if (type !== "error" && type !== "stream_error") return { passed: `event_msg:${type}` };
  const text = textAt(payload, "message") ?? "";
  return oneTurn({ id: `@${offset}`, offset, at, role: "other", text, mark: "error" });
}

/** The usage line follows its answer, in some versions twice. */
function usageLine(type: string, usage: Entry): Parsed {
  const counts: Usage = {
    input: Math.max(0, numberAt(usage, "input_tokens") - numberAt(usage, "cached_input_tokens")),
    output: numberAt(usage, "output_tokens"),
    cacheRead: numberAt(usage, "cached_input_tokens"),
    cacheWrite: numberAt(usage, "cache_write_input_tokens"),
  };
  if (counts.output === 0) return { passed: type };
  const amend = (turn: Turn): Turn =>
    turn.role === "assistant" && turn.usage === undefined ? { ...turn, usage: counts } : turn;
  return { type, amend };
}

/** A line written by the first versions: the header, an item, or state. */
function fromBare(entry: Entry, offset: number, place: Place): Parsed {
  if ("record_type" in entry) return { passed: "record_type" };
  if (!("type" in entry))
    return "instructions" in entry || "git" in entry ? { passed: "header" } : { unknown: "(none)" };
  return fromItem(entry, { offset, at: timeOf(entry["timestamp"]) }, place);
}

/** Texts that the oldest versions put into the user's role. Newer versions record where each text comes from. */
const HOST_TEXT =
  /^\s*(?:<(?:environment_context|user_instructions|permissions instructions|skills_instructions|turn_aborted|user_shell_command|INSTRUCTIONS)\b|# AGENTS\.md instructions)/;

/** A message's texts, separated into what the user wrote and what was injected. */
export function saidIn(message: Entry): { own: string; injected: string } {
  const about = entryAt(message, "internal_chat_message_metadata_passthrough");
  const kinds = Array.isArray(about["content_item_kinds"]) ? about["content_item_kinds"] : [];
  const own: string[] = [];
  const injected: string[] = [];
  listAt(message, "content").forEach((item, index) => {
    const text = textAt(item, "text") ?? "";
    const kind: unknown = kinds[index];
    const isOwn = typeof kind === "string" ? kind.startsWith("user.") : !HOST_TEXT.test(text);
    (isOwn ? own : injected).push(text);
  });
  return { own: own.join("\n"), injected: injected.join("\n") };
}

/** A tool's output: text, an object with text, or a list of parts. */
export function outputOf(output: unknown): string {
  if (Array.isArray(output)) return textOf(output);
  if (typeof output !== "string") return textOf((output as Entry | null)?.["content"]);
  return output;
}
