import { basename, dirname, join } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import { isRecord } from "../../../base/json.ts";
import { splitInjected } from "../../../compose/strip.ts";
import type { Header, SessionFile, Title } from "../../../moments/ports/history.ts";
import type { Marks, Turn, Usage } from "../../../moments/ports/turn.ts";
import { userHome } from "../../../store/home.ts";
import { readText } from "../../../store/read-file.ts";
import {
  type Entry,
  entryAt,
  numberAt,
  present,
  textAt,
  timeOf,
  usageIn,
} from "../../shared/history/fields.ts";
import { filesUnder, headerFrom } from "../../shared/history/files.ts";
import { newestRequest, type Trace } from "../../shared/history/last-request.ts";
import type { LineParser, Parsed } from "../../shared/history/read-json-lines.ts";
import { readerOf } from "../../shared/history/session-files.ts";
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

/** `<session>/events.jsonl`; the first versions wrote `<session>.jsonl`. */
export const copilotReader = readerOf({
  host: "copilot",
  paths: (env, onFailure) => filesUnder(stateFolder(env), 1, onFailure),
  recentPaths(env, { basis }) {
    basis?.watchNames(stateFolder(env));
    return filesUnder(stateFolder(env), 1, undefined);
  },
  named(path) {
    if (basename(path) === "events.jsonl") return { id: basename(dirname(path)) };
    const isSession = path.endsWith(".jsonl") && basename(dirname(path)) === "session-state";
    return isSession ? { id: basename(path, ".jsonl") } : undefined;
  },
  titleFile,
  headerOf,
  parser: ({ place, header }) => ({ ...copilotParser(place), title: () => header().title }),
  lastRequest: (path) =>
    newestRequest(path, trace, (line) => /"type":"(?:user|assistant)\.message"|abort"/.test(line)),
  resumeWords: ({ id }) => ["copilot", `--resume=${id}`],
});

function stateFolder(env: NodeJS.ProcessEnv): string {
  return join(env["COPILOT_HOME"] || join(userHome(env), ".copilot"), "session-state");
}

function headerOf(file: SessionFile): Header {
  const title = titleBeside(file.path);
  // The last line counts: a fork of a fork also contains the line of the first fork.
  let forkOf: string | undefined;
  const header = headerFrom(file.path, (event) => {
    const data = entryAt(event, "data");
    forkOf = forkedFrom(event, data) ?? forkOf;
    const handedOff = event["type"] === "session.handoff" ? textAt(data, "remoteSessionId") : undefined;
    if (handedOff !== undefined) return { continues: handedOff };
    if (event["type"] !== "session.start") return {};
    const context = entryAt(data, "context");
    return present({
      id: textAt(data, "sessionId"),
      cwd: textAt(context, "cwd"),
      branch: textAt(context, "branch"),
      startedAt: timeOf(data["startTime"]),
      // An agent that the host itself keeps running when a session ends, without the user's request.
      parent: textAt(data, "detachedFromSpawningParentSessionId"),
    });
  });
  return { ...header, ...present({ forkOf, title }) };
}

/** A line for the user: `Forked from "name" (id) as "name"`. The original session gets a line with other words. */
function forkedFrom(event: Entry, data: Entry): string | undefined {
  if (event["type"] !== "session.info" || data["infoType"] !== "fork") return undefined;
  return /^Forked from [\s\S]*\(([^\s()]+)\) as "/.exec(textAt(data, "message") ?? "")?.[1];
}

/** The title is one line of `workspace.yaml`, so the file is not parsed as YAML. */
function titleBeside(events: string): Title | undefined {
  try {
    const text = readText(titleFile(events), { maxBytes: 1024 * 1024 });
    const name = /^name: *(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(.+))$/m.exec(text);
    const found = name?.[1] ?? name?.[2] ?? name?.[3];
    if (found === undefined) return undefined;
    return { text: found.trim(), by: /^user_named: *true\b/m.test(text) ? "person" : "host" };
  } catch (error) {
    if (isSystemError(error)) return undefined; // older versions have no such file
    throw error;
  }
}

function titleFile(events: string): string {
  return join(dirname(events), "workspace.yaml");
}

function trace(event: Entry): Trace | undefined {
  if (isOfSubagent(event)) return undefined;
  const { type } = event;
  if (type === "abort") return { kind: "work", isAnswer: false };
  const text = saidIn(event);
  if (type === "user.message") return { kind: "request", text, at: event["timestamp"] };
  if (type !== "assistant.message") return undefined;
  return { kind: "work", isAnswer: text !== "" && callsIn(event).length === 0 };
}

/** Event families without conversation. Of `session.*`, only the compaction and errors are read. */
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

/** Parses Copilot's events. An answer's usage is in the line before it. */
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
      // The turn begins at the usage line, so that an interrupted reading resumes at that line.
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
      const error = entryAt(data, "error");
      const rejected = isFailed && DENIED.has(textAt(error, "code") ?? "");
      const answers = [answerTo(textAt(data, "toolCallId"), { failed: isFailed, rejected })];
      const text = textAt(result, "content") ?? textAt(error, "message") ?? "";
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

/** Denied by the user, or by one of their rules. */
const DENIED: ReadonlySet<string> = new Set(["denied", "rejected"]);

const TOKENS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"] as const;

/** `content` is what the user typed; `transformedContent` is what the model got. */
function saidIn(event: Entry): string {
  return textAt(entryAt(event, "data"), "content") ?? "";
}

/** Events of a subagent name it; in older versions they name the tool call that started it. */
function isOfSubagent(event: Entry): boolean {
  return (
    typeof event["agentId"] === "string" || typeof entryAt(event, "data")["parentToolCallId"] === "string"
  );
}

function callsIn(event: Entry): readonly unknown[] {
  const calls = entryAt(event, "data")["toolRequests"];
  return Array.isArray(calls) ? calls : [];
}
