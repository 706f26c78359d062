import { isRecord } from "../../../base/json.ts";
import { splitInjected } from "../../../compose/strip.ts";
import type { Marks, Turn, Usage } from "../../../moments/ports/turn.ts";
import { type Entry, entryAt, numberAt, textAt, usageIn } from "../../shared/history/fields.ts";
import type { LineParser, Parsed } from "../../shared/history/read-json-lines.ts";
import {
  type About,
  aboutLine,
  answerTo,
  imagesIn,
  makeCall,
  makeTurn,
  oneTurn,
  type Place,
} from "../../shared/history/turns.ts";
import { tools } from "../tools.ts";

/** Families of events without any conversation. Of `session.*`, the compaction and errors are read. */
const PASSED =
  /^(?:session|hook|permission|external_tool|subagent|model|skill|elicitation|mcp|command|workspace|pending_messages)\./;
const PASSED_SINGLE: ReadonlySet<string> = new Set([
  "abort",
  "assistant.intent",
  "assistant.reasoning",
  "assistant.turn_end",
  "assistant.turn_start",
  "assistant.usage",
  "system.message",
  "system.notification",
  "tool.execution_partial_result",
  "tool.execution_progress",
  "tool.execution_start",
  "tool.user_requested",
]);

/** Copilot's events. The usage of an answer is in the line before it. */
export function copilotParser(place: Place): LineParser {
  let cost: { readonly usage: Usage; readonly offset: number } | undefined;
  return {
    parse(event, offset) {
      const type = textAt(event, "type") ?? "(none)";
      if (type === "session.usage_record") {
        const usage = entryAt(entryAt(event, "data"), "usage");
        cost = { usage: usageIn(usage, TOKENS), offset };
        return { passed: type };
      }
      const parsed = parse(event, type, offset, place);
      if (!("turns" in parsed)) return parsed;
      const last = cost;
      cost = undefined;
      if (last === undefined || type !== "assistant.message") return parsed;
      // The turn begins at the usage line, so that reading that resumes here reads that line too.
      return { turns: parsed.turns.map((turn) => ({ ...turn, usage: last.usage, offset: last.offset })) };
    },
    passable: (line) => /^\{"type":"(model\.\w+|system\.message)"/.exec(line)?.[1],
  };
}

function parse(event: Entry, type: string, offset: number, place: Place): Parsed {
  const data = entryAt(event, "data");
  const marks: Marks = isOfSubagent(event) ? { sidechain: true } : {};
  const about: About = { ...aboutLine(event, offset), marks };
  switch (type) {
    case "user.message": {
      const { injected } = splitInjected(textAt(data, "transformedContent") ?? "");
      const beside = { ...about, id: `${about.id}:injected`, role: "other", mark: "injected" } as const;
      const images = imagesIn(data["attachments"]);
      const said = makeTurn({ ...about, role: "user", text: saidIn(event), images });
      return {
        turns: injected === "" ? [said] : [said, makeTurn({ ...beside, text: injected })],
      };
    }
    case "assistant.message":
      return { turns: [fromAssistant(event, data, about, place)] };
    case "tool.execution_complete": {
      const result = entryAt(data, "result");
      const isFailed =
        data["success"] === false || numberAt(entryAt(data, "shellExecution"), "exitCode") !== 0;
      const answers = [answerTo(textAt(data, "toolCallId"), { failed: isFailed })];
      const text = textAt(result, "content") ?? textAt(entryAt(data, "error"), "message") ?? "";
      return oneTurn({ ...about, role: "tool", text, answers });
    }
    case "session.compaction_complete": {
      const text = textAt(data, "summaryContent") ?? "";
      return data["success"] === false
        ? { passed: type }
        : oneTurn({ ...about, role: "summary", text, mark: "compaction" });
    }
    case "session.error":
      return oneTurn({ ...about, role: "other", text: textAt(data, "message") ?? "", mark: "error" });
    default:
      return PASSED_SINGLE.has(type) || PASSED.test(type) ? { passed: type } : { unknown: type };
  }
}

function fromAssistant(event: Entry, data: Entry, about: About, place: Place): Turn {
  const calls = callsIn(event)
    .filter(isRecord)
    .map((request) =>
      makeCall(
        textAt(request, "toolCallId"),
        textAt(request, "name") ?? "",
        request["arguments"],
        place,
        tools,
      ),
    );
  return makeTurn({
    ...about,
    role: "assistant",
    text: saidIn(event),
    thinking: textAt(data, "reasoningText"),
    calls,
    model: textAt(data, "model"),
  });
}

const TOKENS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"] as const;

/** `content` is what the user typed; `transformedContent` is what the model got. */
export function saidIn(event: Entry): string {
  return textAt(entryAt(event, "data"), "content") ?? "";
}

/** Events of a subagent name it; in older versions they name the tool call that started it. */
export function isOfSubagent(event: Entry): boolean {
  return (
    typeof event["agentId"] === "string" || typeof entryAt(event, "data")["parentToolCallId"] === "string"
  );
}

export function callsIn(event: Entry): readonly unknown[] {
  const calls = entryAt(event, "data")["toolRequests"];
  return Array.isArray(calls) ? calls : [];
}
