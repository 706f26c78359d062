import { expect, it } from "vitest";
import type { Answer } from "../../../../src/moments/ports/source.ts";
import type { IdleMoment } from "../../../../src/moments/types.ts";
import { puppet } from "../../../support/engine.ts";
import { hookWith } from "../../../support/hooks.ts";
import { item, section, temporaryWorld, write } from "../../../support/world.ts";

/** A hook host with one source, which answers like this when the agent stops. */
function wired(host: string, answer: Answer) {
  const world = temporaryWorld();
  const heard: IdleMoment[] = [];
  const start = () => ({ sections: [section([item("a", "Rule A.")])] });
  const idle = (moment: IdleMoment) => {
    heard.push(moment);
    return answer;
  };
  const { source } = puppet({ guard: () => undefined, answers: { start, prompt: start, idle } });
  const run = async (event: string, payload: object = {}) => {
    const given = { session_id: "s1", sessionId: "s1", cwd: world.root, prompt: "hello", ...payload };
    const printed = await hookWith([source], world, host, event, given);
    return printed === "" ? "" : JSON.parse(printed);
  };
  return { ...world, heard, run };
}

const DENIED: Answer = { verdict: { action: "deny", message: "Run the tests first." } };
const BLOCK = {
  decision: "block",
  reason: "<continuo-addition>Run the tests first.</continuo-addition>",
};

const HOSTS: [string, string, string, string | undefined][] = [
  ["claude-code", "SessionStart", "Stop", "last_assistant_message"],
  ["codex", "SessionStart", "Stop", "last_assistant_message"],
  ["copilot", "userPromptSubmitted", "agentStop", undefined],
  ["gemini", "BeforeAgent", "AfterAgent", "prompt_response"],
];

it.each(HOSTS)("%s: refuses a stop in the host's own words, once in a row", async (host, opening, stop) => {
  const { run, heard } = wired(host, DENIED);
  await run(opening, { source: "startup" });
  expect(await run(stop, { stop_hook_active: false })).toEqual(BLOCK);
  expect(await run(stop, { stop_hook_active: true })).toBe("");
  expect(await run(stop, { stop_hook_active: false })).toEqual(BLOCK);
  expect(heard.map(({ isAfterRefusal }) => isAfterRefusal)).toEqual([undefined, true, undefined]);
  // Copilot CLI is not asked for its end.
  expect(heard[0]?.endFollows).toBe(host !== "copilot");
});

it.each(HOSTS)("%s: remembers a refusal where the payload does not say it", async (host, opening, stop) => {
  const { run } = wired(host, DENIED);
  await run(opening, { source: "startup" });
  const answers = [await run(stop), await run(stop), await run(stop)];
  expect(answers).toEqual([BLOCK, "", BLOCK]);
});

it.each(HOSTS)("%s: hands over what the agent said last", async (host, opening, stop, field) => {
  const { run, heard, env } = wired(host, {});
  write(env["HOME"] ?? "", {
    ".copilot/session-state/s1/events.jsonl": [
      { type: "user.message", data: { content: "hello" } },
      { type: "assistant.message", data: { content: "Done." } },
      { type: "assistant.message", data: { content: "I am a subagent.", parentToolCallId: "t" } },
      { type: "hook.start", data: { hookType: "agentStop" } },
    ]
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(""),
  });
  await run(opening, { source: "startup" });
  await run(stop, field === undefined ? {} : { [field]: "Done." });
  expect(heard.map(({ answer }) => answer)).toEqual(["Done."]);
});

const OLD = [
  { type: "assistant.message", data: { content: "old" } },
  { type: "hook.start", data: { hookType: "agentStop" } },
];

it.each([
  ["and the next prompt is", [{ type: "user.message", data: { content: "next" } }]],
  ["but its hook has ended", [{ type: "hook.end", data: { hookType: "agentStop" } }]],
  ["but the session was resumed after it", [{ type: "session.resume", data: {} }]],
])(
  "takes no answer of Copilot's from an earlier turn, while the newest is not written yet %s",
  async (_, more) => {
    const { run, heard, env } = wired("copilot", {});
    const events = [...OLD, ...more].map((event) => `${JSON.stringify(event)}\n`).join("");
    write(env["HOME"] ?? "", { ".copilot/session-state/s1/events.jsonl": events });
    await run("userPromptSubmitted");
    await run("agentStop");
    expect(heard.map(({ answer }) => answer)).toEqual([undefined]);
  },
);

it("takes Copilot's answer although other hooks ended after it", async () => {
  const { run, heard, env } = wired("copilot", {});
  const end = { type: "hook.end", data: { hookType: "subagentStop" } };
  const events = [...OLD, end].map((event) => `${JSON.stringify(event)}\n`).join("");
  write(env["HOME"] ?? "", { ".copilot/session-state/s1/events.jsonl": events });
  await run("userPromptSubmitted");
  await run("agentStop");
  expect(heard.map(({ answer }) => answer)).toEqual(["old"]);
});

it("shows the person a line when the agent stops, and the model nothing", async () => {
  const { run } = wired("claude-code", { notices: ["Continuo: tests were not run"] });
  await run("SessionStart", { source: "startup" });
  expect(await run("Stop")).toEqual({ systemMessage: "Continuo: tests were not run" });
});

it("does not take the reason for a refused stop as somebody's words, where a host sends it as a prompt", async () => {
  const { run } = wired("gemini", DENIED);
  await run("BeforeAgent");
  const { reason } = await run("AfterAgent", { stop_hook_active: false });
  expect(await run("BeforeAgent", { prompt: reason })).toBe("");
});
