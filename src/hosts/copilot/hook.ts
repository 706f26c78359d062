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
  // Not `sessionStart`: Copilot does not store its context, puts it before the whole history, and it is gone after a
  // resume at which Continuo fails. A prompt's context is part of the history.
  events: {
    userPromptSubmitted: { kind: "prompt" },
    preToolUse: { kind: "guard" },
    // Only the first 10,240 characters of all hooks together reach the model; Copilot drops the rest silently.
    postToolUse: { kind: "tool", room: { most: 9_500, unit: "characters", parts: 20 } },
    // Nothing that is printed here reaches the summariser.
    preCompact: { kind: "compacting", endsEpoch: true, answer: "none" },
    agentStop: { kind: "idle" },
    subagentStart: { kind: "childStart" },
  },
  opening: "userPromptSubmitted",
  // With a prompt 60,000 characters reach the model, but only those of the last hook.
  room: { most: 55_000, unit: "characters", parts: 20 },
  // `subagentStart` names the parent as its session, the child's own events name the child.
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
  // Copilot respects only keys at the top.
  reply: {
    context: "top",
    verdict: "top",
    decision: "permissionDecision",
    reason: "permissionDecisionReason",
    canAsk: true,
    showsLines: false, // no hook of Copilot's can show its user a text: it reads `systemMessage` and drops it
  },
  tools,
  promptForm: { mentionsIn },
  transcriptOf: eventsFile,
  answerIn,
  shows: shownInEvents,
  // A program built on Copilot's SDK answers for its sessions and their children.
  isServedElsewhere: ({ env, at }, { id, parent }) =>
    isHeld(env, id, at) || (parent !== undefined && isHeld(env, parent, at)),
  fromTranscript: (_call, { name, transcript }) =>
    name === "prompt" ? { afterResume: isJustResumed(transcript) } : {},
};

/** Where Copilot keeps a session's history: its payloads do not name it. undefined when the user has no home folder. */
function eventsFile(env: NodeJS.ProcessEnv, session: string): string | undefined {
  const user = env["HOME"] || env["USERPROFILE"];
  const home = env["COPILOT_HOME"] || (user && isAbsolute(user) ? join(user, ".copilot") : undefined);
  return home && join(home, "session-state", fileNameFor(session), "events.jsonl");
}

const EVENTS = /^\{"type":"(?:session\.resume|session\.shutdown|user\.message)"/;

/** Enough to see what happened since the last request. */
const REACH = 256 * 1024;

/**
 * Was the session resumed since its last request? Copilot has an event for it, but runs its hook at the same time as the
 * prompt's, in any order.
 */
function isJustResumed(events: string | undefined): boolean {
  if (events === undefined) return false;
  try {
    // The shutdown of the old process counts as well: the new one's first event may not be on disk yet.
    const newest = tailLines(events, REACH).find((line) => EVENTS.test(line));
    return newest !== undefined && !newest.startsWith('{"type":"user.message"');
  } catch {
    return false; // no file yet, or an unreadable one: the card is left out, the rules are still delivered
  }
}

/** Copilot writes its events a few hundredths of a second after they happen. */
const LOOKS = 5;
const PAUSE_MS = 20;

/** What the agent said before the stop that this hook is about; undefined if the file does not say it in time. */
export function answerIn(events: string): string | undefined {
  for (let look = 1; ; look++) {
    const { isWritten, answer } = lastAnswer(events);
    if (isWritten || look === LOOKS) return isWritten ? answer : undefined;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

const SAID = /^\{"type":"(?:hook\.start|hook\.end|session\.resume|user\.message|assistant\.message)"/;

/**
 * The event of the hook itself comes after the answer: without it, the newest answer is that of an earlier turn. So is one
 * whose hook has ended, or that is older than a resume.
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
    return []; // as above
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
    return NO_EVENT; // a line that is being written
  }
}

const NO_EVENT = { type: undefined, data: {}, isChilds: false };

const KINDS: Readonly<Record<string, LineKind>> = {
  "user.message": "input",
  "tool.execution_complete": "input",
  "assistant.message": "answer",
};

/** What stands around an event's data: its time, and the agent that it belongs to if that is a subagent. */
const AROUND = 400;
const TIME = /"timestamp":"([^"]+)"[^{}]*\}\s*$/;
const OF_CHILD = /"agentId":"[^"]*"[^{}]*\}\s*$/;

/**
 * Copilot keeps what hooks gave the model inside the prompt and inside the tool's result. It also records what a hook
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
