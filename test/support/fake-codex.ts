import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { HOOK_HOSTS, loadHistory } from "../../src/hosts/index.ts";
import { runHook } from "../../src/hosts/shared/hook/run-hook.ts";
import type { Source } from "../../src/moments/ports/source.ts";
import type { temporaryWorld } from "./world.ts";

/** Which answers of hooks the host does not wait for. */
export type Drops = (event: string) => boolean;

/** A host as its hooks and its transcript see it: it calls hooks, writes its file, and asks a model. */
export interface FakeHost {
  /** One turn, with these commands as tool calls. Returns what each request to the model had. */
  turn(prompt: string, options?: { drops?: Drops; runs?: readonly string[] }): Promise<string[]>;
  /** `isKilled`: the process ends after it has compacted, before its hook for that has answered. */
  compact(options?: { drops?: Drops; isKilled?: boolean }): Promise<void>;
  /** A new process goes on with the session. */
  resume(): Promise<void>;
}

const NONE: Drops = () => false;

export function fakeCodex(world: ReturnType<typeof temporaryWorld>, sources: readonly Source[]): FakeHost {
  const path = join(
    String(world.env["HOME"]),
    ".codex/sessions/2026/11/15/rollout-2026-11-15T12-00-00-s1.jsonl",
  );
  mkdirSync(dirname(path), { recursive: true });
  let at = Date.parse("2026-11-15T12:00:00Z");
  let conversation: string[] = [];
  /** What SessionStart answered: it goes before the next prompt. */
  let opening: string[] = [];
  let isStarted = false;

  const append = (type: string, payload: object) => {
    at += 10;
    const timestamp = new Date(at).toISOString();
    appendFileSync(path, `${JSON.stringify({ timestamp, type, payload })}\n`);
  };
  const said = (role: string, text: string) => {
    const type = role === "assistant" ? "output_text" : "input_text";
    append("response_item", { type: "message", id: `msg_${at}`, role, content: [{ type, text }] });
    conversation.push(text);
  };
  const hook = async (event: string, more: object, drops: Drops): Promise<string[]> => {
    at += 10;
    const begun = at;
    const payload = {
      session_id: "s1",
      transcript_path: path,
      cwd: world.root,
      hook_event_name: event,
      ...more,
    };
    const printed = await runHook({
      host: "codex",
      event,
      env: world.env,
      cwd: world.root,
      now: () => begun,
      hosts: HOOK_HOSTS,
      sources,
      history: loadHistory,
      readPayload: async () => Buffer.from(JSON.stringify(payload)),
    });
    if (printed === "" || drops(event)) return [];
    const text: unknown = JSON.parse(printed).hookSpecificOutput?.additionalContext;
    return typeof text === "string" ? [text] : [];
  };
  const start = async (source: string, drops: Drops) => {
    opening.push(...(await hook("SessionStart", { source }, drops)));
  };
  append("session_meta", { id: "s1" });

  return {
    async turn(prompt, { drops = NONE, runs = [] } = {}) {
      if (!isStarted) await start("startup", drops);
      isStarted = true;
      const added = await hook("UserPromptSubmit", { prompt }, drops);
      for (const text of opening) said("developer", text);
      opening = [];
      said("user", prompt);
      for (const text of added) said("developer", text);
      const requests: string[] = [];
      for (const command of runs) {
        requests.push(conversation.join("\n"));
        const call = {
          name: "exec_command",
          arguments: JSON.stringify({ cmd: command }),
          call_id: `call_${at}`,
        };
        append("response_item", { type: "function_call", id: `fc_${at}`, ...call });
        const tool = { tool_name: "Bash", tool_input: { command }, tool_response: "" };
        for (const text of await hook("PostToolUse", tool, drops)) said("developer", text);
        append("response_item", { type: "function_call_output", call_id: call.call_id, output: "ok" });
      }
      requests.push(conversation.join("\n"));
      said("assistant", "done");
      await hook("Stop", { last_assistant_message: "done" }, drops);
      return requests;
    },
    async compact({ drops = NONE, isKilled = false } = {}) {
      await hook("PreCompact", { trigger: "auto" }, drops);
      append("compacted", { message: "We did something.", replacement_history: [] });
      conversation = ["We did something."];
      await start("compact", isKilled ? () => true : drops);
    },
    async resume() {
      opening = [];
      await start("resume", NONE);
    },
  };
}
