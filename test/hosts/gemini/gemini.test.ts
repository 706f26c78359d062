import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { currentHistory } from "../../../src/hosts/gemini/conversation.ts";
import { gemini } from "../../../src/hosts/gemini/hook.ts";
import { parseEvent } from "../../../src/hosts/shared/hook/parse-event.ts";
import { replyText, replyVerdict } from "../../../src/hosts/shared/hook/run-hook.ts";
import { temporaryWorld } from "../../support/world.ts";

const ID = "c98d7570-5081-4f4f-88d9-bbdb65c3941a";

/** Payloads as Gemini CLI 0.61.0 sent them, but for the folders. */
function parsed(event: string, more: object, world = temporaryWorld()) {
  const payload = {
    session_id: ID,
    transcript_path: join(world.root, "chat.jsonl"),
    cwd: world.root,
    hook_event_name: event,
    timestamp: "2026-11-15T11:00:18.291Z",
    ...more,
  };
  return parseEvent(gemini, { event, env: world.env, cwd: "/", at: 1 }, payload);
}

const user = (text: string) => JSON.stringify({ id: "1", type: "user", content: [{ text }] });
const all = (...texts: string[]) => JSON.stringify({ $set: { messages: texts.map((text) => ({ text })) } });
const SNAPSHOT = "<hook_context>&lt;continuo&gt;rules&lt;/continuo&gt;</hook_context>";

describe("what Gemini's events mean", () => {
  it("knows a prompt, a tool with its file, and an end", () => {
    expect(parsed("BeforeAgent", { prompt: "read it" })).toMatchObject({
      moment: { name: "prompt", prompt: "read it", session: { host: "gemini", id: ID } },
    });
    const world = temporaryWorld();
    const tool = { tool_name: "read_file", tool_input: { file_path: join(world.root, "src/a.ts") } };
    expect(parsed("AfterTool", tool, world)).toMatchObject({
      moment: { name: "tool", tool: { files: [{ path: "src/a.ts", access: "read" }] } },
    });
    expect(parsed("BeforeTool", tool, world)).toMatchObject({ kind: "guard" });
    expect(
      parsed("AfterTool", { tool_name: "replace", tool_input: { absolute_path: "x.ts" } }),
    ).toMatchObject({
      moment: { tool: { files: [{ path: "x.ts", access: "edit" }] } },
    });
    expect(parsed("SessionEnd", { reason: "exit" })).toMatchObject({
      moment: { name: "end", why: "exit" },
    });
  });

  it.each([
    ["PreCompress", {}, "unknown-event"],
    ["BeforeAgent", { session_id: null }, "payload-incomplete"],
  ])("refuses %s with %j", (event, more, code) => {
    expect(() => parsed(event, more)).toThrow(expect.objectContaining({ code }));
  });

  it("marks a resume and says nothing at it, since its history has the snapshot", () => {
    expect(parsed("SessionStart", { source: "resume" })).toMatchObject({
      moment: { name: "resume", kept: true },
    });
    expect(parsed("SessionStart", { source: "startup" })).toBeUndefined();
  });

  it.each([
    ["has it", [all("greeting"), user("hello"), SNAPSHOT], true],
    ["was compressed", [all("greeting"), user(SNAPSHOT), all("greeting", "summary"), user("again")], false],
    ["was resumed", [user(SNAPSHOT), all("greeting")], true],
    ["kept it in its tail", [all("summary", SNAPSHOT), "{broken"], true],
    ["is not written yet", [], true],
  ])("looks for the snapshot in the conversation: it %s", (_, lines, held) => {
    const world = temporaryWorld({ "chat.jsonl": lines.join("\n") });
    const meaning = parsed("BeforeAgent", { prompt: "go on" }, world);
    const stillHolds = meaning?.moment.name === "prompt" ? meaning.moment.stillHolds : undefined;
    expect(stillHolds?.("<continuo>", 0)).toBe(held);
  });

  const AT = Date.parse("2026-11-15T11:00:00.000Z");
  const answer = (tokens: number, second = 10) =>
    JSON.stringify({
      id: "2",
      timestamp: `2026-11-15T11:00:${String(second).padStart(2, "0")}.000Z`,
      type: "gemini",
      content: "x".repeat(900),
      tokens: { input: tokens, output: 1 },
    });
  const settings = (threshold: number) => `{ // mine\n "model": { "compressionThreshold": ${threshold} } }`;

  it.each([
    ["is far from full", "BeforeAgent", [user(SNAPSHOT), answer(100_000)], "", true],
    ["will be compressed before the request", "BeforeAgent", [user(SNAPSHOT), answer(600_000)], "", false],
    [
      "will be by the user's threshold",
      "BeforeAgent",
      [user(SNAPSHOT), answer(300_000)],
      settings(0.2),
      false,
    ],
    ["will not be by it", "BeforeAgent", [user(SNAPSHOT), answer(600_000)], settings(0.9), true],
    [
      "keeps its newest part",
      "BeforeAgent",
      [user("x".repeat(9_000)), user(SNAPSHOT), answer(600_000)],
      "",
      true,
    ],
    ["keeps the turn that it is in", "AfterTool", [user(SNAPSHOT), answer(600_000)], "", true],
    [
      "was full in an earlier turn",
      "AfterTool",
      [user(SNAPSHOT), answer(1), user("go on"), answer(600_000)],
      "",
      false,
    ],
    ["has no answer since", "AfterTool", [user("hello"), answer(600_000, 0)], "", true],
  ])(
    "sees whether the next request will hold the snapshot: the conversation %s",
    (_, event, lines, own, held) => {
      const world = temporaryWorld({ "chat.jsonl": lines.join("\n"), ".gemini/settings.json": own });
      const meaning = parsed(event, { prompt: "go on", tool_name: "read_file", tool_input: {} }, world);
      const happened = meaning?.moment;
      const stillHolds = happened !== undefined && "stillHolds" in happened ? happened.stillHolds : undefined;
      expect(stillHolds?.("<continuo>", AT)).toBe(held);
    },
  );
});

it("takes the conversation from the last line that replaces it", () => {
  expect(currentHistory([user("old"), all("a", "b"), all("greeting"), user("new")].join("\n"))).toBe(
    [all("a", "b"), all("greeting"), user("new")].join("\n"),
  );
  expect(currentHistory("")).toBe("");
});

it("replies in Gemini's own shapes", () => {
  expect(JSON.parse(replyText(gemini, "BeforeAgent", "x"))).toEqual({
    hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: "x" },
  });
  const verdict = (action: "deny" | "ask") =>
    JSON.parse(replyVerdict(gemini, "BeforeTool", { action, message: "No." }));
  expect(verdict("deny")).toEqual({ decision: "deny", reason: "No." });
  expect(verdict("ask").decision).toBe("deny");
  expect(
    JSON.parse(replyVerdict(gemini, "AfterAgent", { action: "deny", message: "Not yet." }, ["one line"])),
  ).toEqual({ decision: "block", reason: "Not yet.", systemMessage: "one line" });
});

it("replies in ASCII, because Gemini decodes each piece of a hook's output by itself", () => {
  const text = "простые слова, 日本, 👩‍💻, \u2028, \\u0430";
  const reply = replyText(gemini, "BeforeAgent", text, ["слова"]);
  expect(reply).toMatch(/^[ -~]+$/);
  expect(JSON.parse(reply)).toEqual({
    systemMessage: "слова",
    hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: text },
  });
  expect(replyVerdict(gemini, "BeforeTool", { action: "deny", message: "Нет." })).toMatch(/^[ -~]+$/);
});
