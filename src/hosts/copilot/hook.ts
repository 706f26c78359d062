import { isAbsolute, join } from "node:path";
import { isRecord } from "../../base/json.ts";
import type { Shows } from "../../moments/types.ts";
import { fileNameFor } from "../../store/home.ts";
import type { HookHost } from "../port/hook-host.ts";
import { type Payload, record, text } from "../shared/fields.ts";
import { tailLines } from "../shared/history/lines.ts";
import { type LineKind, shownIn } from "../shared/history/shown.ts";
import { mentionsIn } from "../shared/mentions/parse-mentions.ts";
import { isHeld } from "./held.ts";
import { tools } from "./tools.ts";

export const copilot: HookHost = {
  name: "copilot",
  label: "Copilot CLI",
  // Not `sessionStart`: Copilot does not store its context but puts it before the whole history, so it would be lost if
  // Continuo failed at a resume. A prompt's context is stored in the history.
  events: {
    userPromptSubmitted: { kind: "prompt" },
    preToolUse: { kind: "guard" },
    // Only the first 10,240 characters of all hooks together reach the model; Copilot drops the rest silently.
    postToolUse: { kind: "tool", room: { most: 9_500, unit: "characters", parts: 20 } },
    // Output of this hook does not reach the summariser.
    preCompact: { kind: "compacting", endsEpoch: true, answer: "none" },
    agentStop: { kind: "idle" },
    subagentStart: { kind: "childStart" },
  },
  opening: "userPromptSubmitted",
  // With a prompt 60,000 characters reach the model, but only those of the last hook.
  room: { most: 55_000, unit: "characters", parts: 20 },
  // `subagentStart` has the parent's session id, the child's own events have the child's.
  fields: {
    session: "sessionId",
    child: "agentId",
    parent: "parentAgentId",
    agent: "agentType",
    transcript: "transcriptPath",
    tool: "toolName",
    toolInput: "toolArgs",
    toolResponse: "toolResult",
    refused: "stop_hook_active",
  },
  // Copilot reads only top-level keys.
  reply: {
    context: "top",
    verdict: "top",
    decision: "permissionDecision",
    reason: "permissionDecisionReason",
    canAsk: true,
    showsLines: false, // none of Copilot's hooks can show text to the user: it reads `systemMessage` and drops it
  },
  tools,
  promptForm: { mentionsIn },
  transcriptOf: eventsFile,
  answerIn,
  shows: shownInEvents,
  // A program built on Copilot's SDK handles its own sessions and their children.
  isServedElsewhere: ({ env, at }, { id, parent }) =>
    isHeld(env, id, at) || (parent !== undefined && isHeld(env, parent, at)),
  fromTranscript: (_call, { name, transcript }) =>
    name === "prompt" ? { afterResume: isJustResumed(transcript) } : {},
};

/**
 * Where Copilot stores a session's history, which its payloads do not name. undefined if the user has no home folder.
 */
function eventsFile(env: NodeJS.ProcessEnv, session: string): string | undefined {
  const user = env["HOME"] || env["USERPROFILE"];
  const home = env["COPILOT_HOME"] || (user && isAbsolute(user) ? join(user, ".copilot") : undefined);
  return home && join(home, "session-state", fileNameFor(session), "events.jsonl");
}

const EVENTS = /^\{"type":"(?:session\.resume|session\.shutdown|user\.message)"/;

/** Enough to contain everything since the last request. */
const REACH = 256 * 1024;

/**
 * Whether the session was resumed since its last request. Copilot has an event for a resume, but runs its hook at the
 * same time as the prompt's, in any order.
 */
function isJustResumed(events: string | undefined): boolean {
  if (events === undefined) return false;
  try {
    // The shutdown of the previous process counts as well, because the new one's first event may not be on disk yet.
    const newest = tailLines(events, REACH).find((line) => EVENTS.test(line));
    return newest !== undefined && !newest.startsWith('{"type":"user.message"');
  } catch {
    return false; // no file yet, or not readable: the card is left out, but rules are still delivered
  }
}

/** Copilot writes its events a few hundredths of a second after they happen. */
const LOOKS = 5;
const PAUSE_MS = 20;

/**
 * The agent's last message before the stop that this hook is about; undefined if the file does not contain it in time.
 */
export function answerIn(events: string): string | undefined {
  for (let look = 1; ; look++) {
    const { isWritten, answer } = lastAnswer(events);
    if (isWritten || look === LOOKS) return isWritten ? answer : undefined;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

const SAID = /^\{"type":"(?:hook\.start|hook\.end|session\.resume|user\.message|assistant\.message)"/;

/**
 * The hook's own event comes after the answer: until it is there, the newest answer belongs to an earlier turn. So does
 * one whose hook has ended, or that is older than a resume.
 */
function lastAnswer(events: string): { isWritten: boolean; answer?: string } {
  let isWritten = false;
  for (const line of linesOf(events)) {
    if (!SAID.test(line)) continue;
    const { type, data, isChilds } = eventIn(line);
    const isHook = type === "hook.start" || type === "hook.end";
    if (isHook && text(data, "hookType") !== "agentStop") continue;
    if (type === "hook.start") isWritten = true;
    else if (!isWritten || type === "user.message") break;
    const answer = type === "assistant.message" && !isChilds ? text(data, "content") : undefined;
    if (answer !== undefined) return { isWritten, answer };
  }
  return { isWritten };
}

function linesOf(events: string): string[] {
  try {
    return tailLines(events, REACH);
  } catch {
    return []; // as above: no file yet, or not readable
  }
}

function eventIn(line: string): { type: string | undefined; data: Payload; isChilds: boolean } {
  try {
    const event: unknown = JSON.parse(line);
    if (!isRecord(event)) return NO_EVENT;
    const data = record(event, "data");
    const isChilds = text(event, "agentId") !== undefined || text(data, "parentToolCallId") !== undefined;
    return { type: text(event, "type"), data, isChilds };
  } catch {
    return NO_EVENT; // a line that is still being written
  }
}

const NO_EVENT = { type: undefined, data: {}, isChilds: false };

const KINDS: Readonly<Record<string, LineKind>> = {
  "user.message": "input",
  "tool.execution_complete": "input",
  "assistant.message": "answer",
};

/** How far around an event's data to look for its time, and for the subagent that it belongs to. */
const AROUND = 400;
const TIME = /"timestamp":"([^"]+)"[^{}]*\}\s*$/;
const OF_CHILD = /"agentId":"[^"]*"[^{}]*\}\s*$/;

/**
 * Copilot stores what hooks added for the model inside the prompt and the tool's result. It also records what a hook
 * printed, which is not what the model got.
 */
function shownInEvents(events: string): Shows {
  return shownIn(events, {
    kindOf(line): LineKind | undefined {
      const kind = KINDS[/^\{"type":"([\w.]+)"/.exec(line)?.[1] ?? ""];
      return kind === undefined || OF_CHILD.test(line.slice(-AROUND)) ? undefined : kind;
    },
    timeOf: (line) => Date.parse(TIME.exec(line.slice(-AROUND))?.[1] ?? "") || undefined,
  });
}
