import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hold, isHeld, letGo } from "../../../src/hosts/copilot/held.ts";
import { copilot } from "../../../src/hosts/copilot/hook.ts";
import { copilotInstaller } from "../../../src/hosts/copilot/installer.ts";
import { parseEvent } from "../../../src/hosts/shared/hook/parse-event.ts";
import { replyText, replyVerdict } from "../../../src/hosts/shared/hook/run-hook.ts";
import { hookCommand } from "../../../src/hosts/shared/install/hook-command.ts";
import { WIRING } from "../../support/wiring.ts";
import { temporaryWorld, write } from "../../support/world.ts";

const ID = "d36a503e-188e-4066-8db6-33641c8a961f";
const CHILD = "1aa667ae-08e2-495c-a1d7-8e55bb53d88e";

/** Payloads as Copilot CLI 1.0.102 sent them, but for the folder. */
function parsed(event: string, more: object, world = temporaryWorld(), at = 1) {
  const payload = { sessionId: ID, timestamp: 1794740168355, cwd: world.root, ...more };
  return parseEvent(copilot, { event, env: world.env, cwd: "/", at }, payload);
}

const view = (root: string) => ({
  toolName: "view",
  toolArgs: { path: join(root, "src/a.ts") },
  toolResult: { resultType: "success", textResultForLlm: "export const a = 1;\n" },
});

describe("what Copilot's events mean", () => {
  it("knows a prompt and a tool with its file", () => {
    expect(parsed("userPromptSubmitted", { prompt: "read it" })).toMatchObject({
      moment: { name: "prompt", prompt: "read it", session: { host: "copilot", id: ID } },
    });
    const world = temporaryWorld();
    expect(parsed("postToolUse", view(world.root), world)).toMatchObject({
      moment: { name: "tool", tool: { name: "view", files: [{ path: "src/a.ts", access: "read" }] } },
    });
    expect(parsed("preToolUse", view(world.root), world)).toMatchObject({ kind: "guard" });
  });

  it("understands arguments that come as JSON in a string, and leaves a plain text as it is", () => {
    const world = temporaryWorld();
    const given = { ...view(world.root), toolArgs: JSON.stringify(view(world.root).toolArgs) };
    expect(parsed("postToolUse", given, world)).toMatchObject({
      moment: { name: "tool", tool: { name: "view", files: [{ path: "src/a.ts", access: "read" }] } },
    });
    const command = { toolName: "bash", toolArgs: JSON.stringify({ command: "git push --force" }) };
    expect(parsed("preToolUse", command)).toMatchObject({
      moment: { tool: { command: "git push --force" } },
    });
    for (const toolArgs of ["*** Begin Patch", "{ not JSON", '["a"]'])
      expect(parsed("preToolUse", { toolName: "other", toolArgs })).toMatchObject({
        moment: { tool: { input: { input: toolArgs } } },
      });
  });

  it("knows a child by the same id at its start, where the session is the parent's, and later", () => {
    const agent = { agentId: CHILD, agentType: "general-purpose", parentAgentId: ID };
    const session = { host: "copilot", id: CHILD, parent: ID };
    expect(parsed("subagentStart", { ...agent, agentName: "general-purpose" })).toMatchObject({
      moment: { name: "start", session },
    });
    const prompt = { ...agent, sessionId: CHILD, prompt: "do the job" };
    expect(parsed("userPromptSubmitted", prompt)).toMatchObject({ moment: { name: "prompt", session } });
  });

  it("keeps silent about a session and its children while a program holds it, and no longer", () => {
    const world = temporaryWorld();
    const means = (more: object) =>
      parsed("userPromptSubmitted", { prompt: "hello", ...more }, world, Date.now());
    hold(world.env, ID);
    expect(means({})).toBeUndefined();
    expect(means({ sessionId: CHILD, agentId: CHILD, parentAgentId: ID })).toBeUndefined();
    expect(means({ sessionId: CHILD })).toBeDefined();
    expect(isHeld(world.env, ID, Date.now() + 120_000)).toBe(false);
    letGo(world.env, ID);
    expect(means({})).toBeDefined();
  });

  it("says that an announced compaction ends the epoch, since no event follows it", () => {
    expect(parsed("preCompact", { trigger: "manual", customInstructions: "" })).toMatchObject({
      moment: { name: "compacting", trigger: "manual", endsEpoch: true },
    });
  });

  it.each([
    ["was resumed since", [event("user.message"), event("session.resume"), event("hook.start")], true],
    ["was left", [event("user.message"), event("session.shutdown")], true],
    ["went on", [event("session.resume"), event("user.message"), event("assistant.message")], false],
    ["has only begun", [event("session.start")], false],
    ["has no file yet", undefined, false],
  ])("tells from the events file whether a session was resumed: it %s", (_, lines, afterResume) => {
    const world = temporaryWorld();
    const path = `session-state/${ID}/events.jsonl`;
    if (lines !== undefined) write(world.root, { [path]: `${lines.join("\n")}\n` });
    const within = { ...world, env: { ...world.env, COPILOT_HOME: world.root } };
    expect(parsed("userPromptSubmitted", { prompt: "go on" }, within)).toMatchObject({
      moment: { name: "prompt", afterResume, transcript: join(world.root, path) },
    });
  });

  it.each([
    ["sessionBegin", {}, "unknown-event"],
    ["userPromptSubmitted", { sessionId: "" }, "payload-incomplete"],
  ])("refuses %s with %j", (event, more, code) => {
    expect(() => parsed(event, more)).toThrow(expect.objectContaining({ code }));
  });
});

it("replies at the top level of the JSON, and sends nothing to the summariser", () => {
  expect(replyText(copilot, "userPromptSubmitted", "x")).toBe('{"additionalContext":"x"}');
  expect(replyText(copilot, "preCompact", "x")).toBe("");
  expect(JSON.parse(replyVerdict(copilot, "preToolUse", { action: "ask", message: "Sure?" }))).toEqual({
    permissionDecision: "ask",
    permissionDecisionReason: "Sure? (needs the user's consent: ask the user first)",
  });
});

describe("the file in Copilot's hooks folder", () => {
  const wiring = { ...WIRING, answered: new Set(["tool"] as const) };
  it("is ours alone: written, kept, found, emptied", () => {
    const text = copilotInstaller.add("", wiring);
    expect(JSON.parse(text).hooks.userPromptSubmitted).toEqual([
      {
        type: "command",
        bash: hookCommand("copilot", wiring, "userPromptSubmitted", { asks: true }),
        timeoutSec: 5,
      },
    ]);
    expect(copilotInstaller.add(text, wiring)).toBe(text);
    expect(JSON.parse(copilotInstaller.remove(text)).hooks).toEqual({});
    const status = (value: string, there = true) =>
      copilotInstaller.inspect(value, wiring, () => there).map((finding) => finding.status);
    expect([status(text), status(""), status(text, false)]).toEqual([["ok"], ["warn"], ["fail"]]);
    expect(status(copilotInstaller.add("", { ...wiring, guards: true }))).toEqual(["warn"]);
    expect(copilotInstaller.inspect(text, { ...wiring, guards: true }, () => true)).toEqual([
      { status: "fail", detail: "no hook for preToolUse", mend: "run: continuo install copilot" },
    ]);
  });

  it("is refused when it is not JSON or somebody else's", () => {
    expect(() => copilotInstaller.add("{", wiring)).toThrow(
      expect.objectContaining({ code: "settings-invalid" }),
    );
    const foreign = '{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"echo mine"}]}}';
    for (const act of [() => copilotInstaller.add(foreign, wiring), () => copilotInstaller.remove(foreign)])
      expect(act).toThrow(expect.objectContaining({ code: "settings-foreign" }));
  });
});

function event(type: string): string {
  return JSON.stringify({ type, data: {} });
}
