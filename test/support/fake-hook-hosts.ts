import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Source } from "../../src/moments/ports/source.ts";
import { hookWith } from "./hooks.ts";
import type { temporaryWorld } from "./world.ts";

/** Which answers of hooks the host does not wait for. */
export type Drops = (event: string) => boolean;

/** A host as its hooks and its transcript see it: it calls hooks, writes its file, and asks a model. */
export interface FakeHost {
  /** One turn, with these commands as tool calls. Returns what each request to the model had. */
  turn(
    prompt: string,
    options?: { drops?: Drops; runs?: readonly string[]; isWithoutAnswer?: boolean },
  ): Promise<string[]>;
  /** `isKilled`: the process ends after it has compacted, before a hook for that has answered. */
  compact(options?: { drops?: Drops; isKilled?: boolean }): Promise<void>;
  /** The host's event after a tool call. */
  readonly toolEvent: string;
  /** The process ends, and says so if the host has an event for it. */
  end(): Promise<void>;
  /** The time in this world. */
  now(): number;
  /** A new process goes on with the session. */
  resume(): Promise<void>;
}

/** What differs between hosts: their events, and the lines of their transcripts. Each line is what the next request has too. */
interface Shape {
  readonly file: string;
  readonly events: {
    start?: string;
    prompt: string;
    tool: string;
    compacting?: string;
    stop: string;
    end?: string;
  };
  payload(more: { event: string; transcript: string; cwd: string }): object;
  call(command: string): object;
  contextIn(printed: Record<string, unknown>): unknown;
  /** Lines for a prompt, with what SessionStart and the prompt's hook gave. */
  prompted(prompt: string, before: readonly string[], after: readonly string[]): object[];
  called(id: string, command: string): object[];
  result(id: string, context: readonly string[]): object[];
  answered(): object[];
  compacted(): object[];
  resumed(): object[];
  line(time: string, entry: object): object;
}

const message = (role: string, text: string) => {
  const type = role === "assistant" ? "output_text" : "input_text";
  return item({ type: "message", id: "msg_1", role, content: [{ type, text }] });
};
const item = (payload: object) => ({ type: "response_item", payload });

const codex: Shape = {
  file: ".codex/sessions/2026/11/15/rollout-2026-11-15T12-00-00-s1.jsonl",
  events: {
    start: "SessionStart",
    prompt: "UserPromptSubmit",
    tool: "PostToolUse",
    compacting: "PreCompact",
    stop: "Stop",
    end: "SessionEnd",
  },
  payload: ({ event, transcript, cwd }) => ({
    session_id: "s1",
    transcript_path: transcript,
    cwd,
    hook_event_name: event,
  }),
  call: (command) => ({ tool_name: "Bash", tool_input: { command }, tool_response: "" }),
  contextIn: ({ hookSpecificOutput }) =>
    (hookSpecificOutput as Record<string, unknown> | undefined)?.["additionalContext"],
  prompted: (prompt, before, after) => [
    ...before.map((text) => message("developer", text)),
    message("user", prompt),
    ...after.map((text) => message("developer", text)),
  ],
  called: (id, command) => [
    item({
      type: "function_call",
      id: `fc_${id}`,
      name: "exec_command",
      arguments: JSON.stringify({ cmd: command }),
      call_id: id,
    }),
  ],
  result: (id, context) => [
    ...context.map((text) => message("developer", text)),
    item({ type: "function_call_output", id: `fco_${id}`, call_id: id, output: "ok" }),
  ],
  answered: () => [message("assistant", "done")],
  compacted: () => [
    { type: "compacted", payload: { message: "We did something.", replacement_history: [] } },
  ],
  resumed: () => [],
  line: (timestamp, entry) => ({ timestamp, ...entry }),
};

const copilot: Shape = {
  file: ".copilot/session-state/s1/events.jsonl",
  events: {
    prompt: "userPromptSubmitted",
    tool: "postToolUse",
    compacting: "preCompact",
    stop: "agentStop",
  },
  payload: ({ cwd }) => ({ sessionId: "s1", timestamp: 1, cwd }),
  call: (command) => ({
    toolName: "view",
    toolArgs: { path: command.replace("cat ", "") },
    toolResult: { resultType: "success", textResultForLlm: "ok" },
  }),
  contextIn: ({ additionalContext }) => additionalContext,
  prompted: (prompt, _before, after) => {
    const reminders = after.map((text) => `\n\n<system_reminder>\n${text}\n</system_reminder>`).join("");
    return [
      { type: "hook.end", data: { hookType: "userPromptSubmitted" } },
      { type: "user.message", data: { content: prompt, transformedContent: `${prompt}${reminders}` } },
    ];
  },
  called: (id) => [
    { type: "assistant.message", data: { content: "", toolRequests: [{ toolCallId: id, name: "view" }] } },
  ],
  result: (id, context) => [
    {
      type: "tool.execution_complete",
      data: { toolCallId: id, success: true, result: { content: ["ok", ...context].join("\n\n") } },
    },
  ],
  answered: () => [{ type: "assistant.message", data: { content: "done" } }],
  compacted: () => [
    { type: "session.compaction_complete", data: { success: true, summaryContent: "We did something." } },
  ],
  resumed: () => [
    { type: "session.shutdown", data: {} },
    { type: "session.resume", data: {} },
  ],
  line: (timestamp, entry) => ({ ...entry, id: timestamp, timestamp, parentId: null }),
};

let lines = 0;
const uuid = () => `00000000-0000-4000-8000-${String(++lines).padStart(12, "0")}`;
const spoken = (entry: object) => ({ parentUuid: uuid(), isSidechain: false, ...entry });
const added = (hookEvent: string) => (text: string) =>
  spoken({
    attachment: { type: "hook_additional_context", content: [text], hookName: hookEvent, hookEvent },
    type: "attachment",
  });
const said = (content: unknown) =>
  spoken({ message: { id: "msg_1", type: "message", role: "assistant", content }, type: "assistant" });
const asked = (content: unknown) => spoken({ type: "user", message: { role: "user", content } });

const claudeCode: Shape = {
  file: ".claude/projects/-p/s1.jsonl",
  events: {
    start: "SessionStart",
    prompt: "UserPromptSubmit",
    tool: "PostToolUse",
    compacting: "PreCompact",
    stop: "Stop",
    end: "SessionEnd",
  },
  payload: ({ event, transcript, cwd }) => ({
    session_id: "s1",
    transcript_path: transcript,
    cwd,
    hook_event_name: event,
  }),
  call: (command) => ({ tool_name: "Read", tool_input: { file_path: command.replace("cat ", "") } }),
  contextIn: ({ hookSpecificOutput }) =>
    (hookSpecificOutput as Record<string, unknown> | undefined)?.["additionalContext"],
  prompted: (prompt, before, after) => [
    ...before.map(added("SessionStart")),
    asked(prompt),
    ...after.map(added("UserPromptSubmit")),
  ],
  called: (id) => [said([{ type: "tool_use", id, name: "Read", input: {} }])],
  result: (id, context) => [
    asked([{ type: "tool_result", tool_use_id: id, content: "1" }]),
    ...context.map(added("PostToolUse")),
  ],
  answered: () => [said([{ type: "text", text: "done" }])],
  compacted: () => [asked("This session is being continued: we did something.")],
  resumed: () => [],
  line: (timestamp, entry) => ({ ...entry, uuid: uuid(), timestamp, sessionId: "s1", version: "2.1.327" }),
};

const hookContext = (text: string) =>
  `<hook_context>${text.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</hook_context>`;

const gemini: Shape = {
  file: ".gemini/tmp/p/chats/session-1.jsonl",
  events: { prompt: "BeforeAgent", tool: "AfterTool", stop: "AfterAgent", end: "SessionEnd" },
  payload: ({ event, transcript, cwd }) => ({
    session_id: "s1",
    transcript_path: transcript,
    cwd,
    hook_event_name: event,
  }),
  call: (command) => ({ tool_name: "read_file", tool_input: { file_path: command.replace("cat ", "") } }),
  contextIn: ({ hookSpecificOutput }) =>
    (hookSpecificOutput as Record<string, unknown> | undefined)?.["additionalContext"],
  prompted: (prompt, _before, after) => [
    { type: "user", content: [prompt, ...after.map(hookContext)].map((text) => ({ text })) },
  ],
  called: () => [{ type: "gemini", content: "" }],
  result: (id, context) => {
    const output = ["1", ...context.map(hookContext)].join("\n\n");
    return [{ type: "user", content: [{ functionResponse: { id, response: { output } } }] }];
  },
  answered: () => [{ type: "gemini", content: "done" }],
  compacted: () => [
    { $set: { messages: [{ type: "user", content: "We did something." }, { type: "gemini" }] } },
  ],
  resumed: () => [],
  line: (timestamp, entry) => ("$set" in entry ? entry : { id: timestamp, timestamp, ...entry }),
};

const SHAPES = { codex, copilot, "claude-code": claudeCode, gemini };
export type FakeHostName = keyof typeof SHAPES;
export const FAKE_HOSTS = Object.keys(SHAPES) as FakeHostName[];

const NONE: Drops = () => false;

export function fakeHost(
  name: FakeHostName,
  world: ReturnType<typeof temporaryWorld>,
  sources: readonly Source[],
): FakeHost {
  const shape: Shape = SHAPES[name];
  const { events } = shape;
  const transcript = join(String(world.env["HOME"]), shape.file);
  mkdirSync(dirname(transcript), { recursive: true });
  let at = Date.parse("2026-11-15T12:00:00Z");
  let calls = 0;
  let conversation: string[] = [];
  /** What a start answered: it goes before the next prompt. */
  let opening: string[] = [];
  let isStarted = false;

  const append = (entries: readonly object[], isSaid = true) => {
    for (const entry of entries) {
      at += 10;
      const line = shape.line(new Date(at).toISOString(), entry);
      appendFileSync(transcript, `${JSON.stringify(line)}\n`);
      if (isSaid) conversation.push(JSON.stringify(entry));
    }
  };
  const hook = async (event: string | undefined, more: object, drops: Drops): Promise<string[]> => {
    if (event === undefined) return [];
    at += 10;
    const begun = at;
    // What a hook printed is in some transcripts, also if the host did not take it.
    const payload = { ...shape.payload({ event, transcript, cwd: world.root }), ...more };
    const printed = await hookWith(sources, world, name, event, payload, { now: () => begun });
    // What the summariser gets is plain text in some hosts.
    if (printed === "" || drops(event) || event === events.compacting) return [];
    const text = shape.contextIn(JSON.parse(printed));
    return typeof text === "string" ? [text] : [];
  };
  return {
    toolEvent: events.tool,
    async turn(prompt, { drops = NONE, runs = [], isWithoutAnswer = false } = {}) {
      if (!isStarted) opening = await hook(events.start, { source: "startup" }, drops);
      isStarted = true;
      const added = await hook(events.prompt, { prompt }, drops);
      append(shape.prompted(prompt, opening, added));
      opening = [];
      if (isWithoutAnswer) return [];
      const requests: string[] = [];
      for (const command of runs) {
        requests.push(conversation.join("\n"));
        const id = `call_${++calls}`;
        append(shape.called(id, command));
        append(shape.result(id, await hook(events.tool, shape.call(command), drops)));
      }
      requests.push(conversation.join("\n"));
      append(shape.answered());
      await hook(events.stop, {}, drops);
      return requests;
    },
    async compact({ drops = NONE, isKilled = false } = {}) {
      await hook(events.compacting, { trigger: "auto" }, drops);
      conversation = [];
      append(shape.compacted());
      opening = await hook(events.start, { source: "compact" }, isKilled ? () => true : drops);
    },
    async end() {
      await hook(events.end, { reason: "other" }, NONE);
    },
    now: () => at,
    async resume() {
      append(shape.resumed(), false);
      // Claude Code gives the snapshot again, and drops a text that the conversation has.
      const again = await hook(events.start, { source: "resume" }, NONE);
      opening = again.filter((text) => !conversation.join("\n").includes(JSON.stringify(text).slice(1, -1)));
    },
  };
}
