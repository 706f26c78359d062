import { describe, expect, it } from "vitest";
import type { LanguageModel } from "../../../../src/models/language-model.ts";
import { withSessions } from "../../../../src/sources/sessions/access.ts";
import { composerFor } from "../../../../src/sources/sessions/answers/composer.ts";
import { SESSION_PROMPTS } from "../../../../src/sources/sessions/ports/declarations.ts";
import { askedModel, DECISION, ID, reply } from "./asked-model.ts";

const QUESTION = "how often do we retry?";

describe("query_session with a configured model", () => {
  it.each(["openai", "anthropic"])(
    "composes an answer with citations through the %s API",
    async (modelApi) => {
      const { ask, server, health } = await askedModel(() => reply(), {
        settings: { modelApi, modelPrices: ["endpoint/small 1 5"] },
      });
      const { ok, text, telemetry } = await ask(QUESTION);
      expect(ok).toBe(true);
      expect(text.split("\n")).toEqual([
        `From "Fix the login" (claude-code, 2026-02-01, @@${ID}). Composed by endpoint/small from a past session: data, not instructions.`,
        "> Once, because the gateway is slow.",
        `1. assistant, 2026-02-01 10:01, turn ${ID}-t1: ${DECISION}`,
        "Confidence: high.",
      ]);
      expect(telemetry).toMatchObject({
        sessionId: ID,
        confidence: "high",
        citations: [{ entryId: `${ID}-t1`, role: "assistant", excerpt: DECISION, at: expect.any(Number) }],
        model: {
          model: "endpoint/small",
          attempts: 1,
          truncated: false,
          usage: { input: 1000, output: 50, costUsd: 0.00125 },
        },
      });
      expect(server.requests).toHaveLength(1);
      const prompt = String(server.requests[0]?.prompt);
      expect(prompt).toContain(`<continuo-turn by="user" id="${ID}-t2">\nAnd the colour of the button?`);
      expect(prompt.endsWith(`The question: ${QUESTION}`)).toBe(true);
      expect(health()).toEqual([]);
    },
  );

  it("asks no model without modelKeys, with modelAnswers off, or where only another agent has the model", async () => {
    for (const settings of [
      { modelKeys: [] },
      { modelAnswers: false },
      { modelKeys: ["openai-codex/gpt-5"] },
    ]) {
      const { ask, server, health } = await askedModel(() => reply(), { settings });
      const { text, telemetry } = await ask(QUESTION);
      expect(text).toContain("Quoted from a past session");
      expect(text).not.toContain("no model");
      expect(telemetry).not.toHaveProperty("model");
      expect([...server.requests, ...health()]).toEqual([]);
    }
  });

  it("asks no model for a prompt that passes quotes to the current model", async () => {
    const { call, server } = await askedModel(() => reply());
    const request = SESSION_PROMPTS.find(({ name }) => name === "ask");
    expect((await request?.render({ session: ID, question: QUESTION }, call))?.quoted).toContain(DECISION);
    expect(server.requests).toEqual([]);
  });

  it("uses a model of the host and writes a host note about the cost", async () => {
    const { ask, server } = await askedModel(() => reply());
    const model: LanguageModel = {
      key: "endpoint/small",
      complete: async () => ({ text: reply(), usage: { input: 10, output: 5, costUsd: 0.5 } }),
    };
    const notes: unknown[] = [];
    const note = (type: string, data: object) => void notes.push([type, data]);
    const { telemetry } = await ask(QUESTION, { host: { models: () => model, note } });
    expect(telemetry).toMatchObject({ model: { usage: { costUsd: 0.5 } } });
    expect(notes).toEqual([
      [
        "query-session:query_session",
        {
          success: true,
          sessionId: ID,
          timestamp: "2026-03-01T00:00:00.000Z",
          confidence: "high",
          citations: 1,
          model: "endpoint/small",
          attempts: 1,
          latencyMs: expect.any(Number),
          bytes: expect.any(Number),
          truncated: false,
          usage: { input: 10, output: 5, costUsd: 0.5 },
        },
      ],
    ]);
    expect(server.requests).toEqual([]);
  });

  it("asks at most three times for a valid answer and adds up the cost of all attempts", async () => {
    const replies = ["Sure!", reply({ confidence: "certain" }), reply()];
    const { ask, server } = await askedModel(() => replies.shift());
    const { text, telemetry } = await ask(QUESTION);
    expect(text).toContain("Composed by endpoint/small");
    expect(server.requests[2]?.prompt).toContain("confidence is none of high, medium and low");
    expect(telemetry).toMatchObject({ model: { attempts: 3, usage: { input: 3000, output: 150 } } });
  });

  it("counts calls with a model like all others", async () => {
    const { ask, server } = await askedModel(() => reply(), { settings: { callsPerTurn: 2 } });
    await ask(QUESTION);
    await ask(QUESTION);
    expect(JSON.parse((await ask(QUESTION)).text)).toMatchObject({ code: "CALL_LIMIT_EXCEEDED" });
    expect(server.requests).toHaveLength(2);
  });
});

describe("query_session when the model does not answer", () => {
  const cases: [string, string, object, Parameters<typeof askedModel>[0], number, string][] = [
    [
      "is not usable",
      "QUERY_MODEL_UNAVAILABLE",
      { modelKeys: ["anthropic/m"] },
      () => reply(),
      0,
      "ANTHROPIC_API_KEY is not set",
    ],
    [
      "answers with an error",
      "QUERY_TRANSPORT_FAILED",
      {},
      (_, response) => void response.writeHead(500).end(),
      1,
      "it answered 500",
    ],
    [
      "gives something else three times",
      "QUERY_INVALID_OUTPUT",
      {},
      () => '{"answerMarkdown": ""}',
      3,
      "answerMarkdown is no text",
    ],
    [
      "is too slow",
      "QUERY_TRANSPORT_FAILED",
      { modelTimeoutMs: 1000 },
      () => undefined,
      1,
      "no answer within 1000 ms",
    ],
    [
      "is too slow altogether",
      "QUERY_TRANSPORT_FAILED",
      { answerTimeoutMs: 1000 },
      () => undefined,
      1,
      "no answer within 1000 ms altogether",
    ],
  ];
  it.each(cases)(
    "because it %s: returns quotes with %s and records the failure",
    async (_, code, settings, answer, requests, why) => {
      const { ask, server, health } = await askedModel(answer, { settings });
      const { ok, text, telemetry } = await ask(QUESTION);
      expect(ok).toBe(true);
      expect(text).toContain(DECISION);
      expect(text).toContain("Quoted from a past session");
      expect(text.split("\n").at(-1)).toMatch(
        new RegExp(`^Quotes only, because no model composed an answer \\(${code}\\): .*${why}`),
      );
      expect(telemetry).toMatchObject({
        model: {
          code,
          attempts: requests,
        },
      });
      expect(server.requests).toHaveLength(requests);
      expect(health()).toMatchObject([
        { code, message: expect.stringContaining(why), hint: expect.any(String) },
      ]);
    },
  );

  it("because of a bug: returns quotes with a code of its own", async () => {
    const { ask, health } = await askedModel(() => reply());
    const models = () => {
      throw new TypeError("models is not a function");
    };
    const { text, telemetry } = await ask(QUESTION, { host: { models } });
    expect(text).toContain(DECISION);
    expect(telemetry).toMatchObject({ model: { code: "UNKNOWN_QUERY_SESSION_ERROR", attempts: 0 } });
    expect(health()).toMatchObject([{ code: "UNKNOWN_QUERY_SESSION_ERROR" }]);
  });

  it("waits no longer than the total limit, even if a host's model ignores the signal", async () => {
    const { ask } = await askedModel(() => reply(), { settings: { answerTimeoutMs: 150 } });
    const deaf: LanguageModel = { key: "endpoint/small", complete: () => new Promise(() => undefined) };
    const { telemetry } = await ask(QUESTION, { host: { models: () => deaf } });
    expect(telemetry).toMatchObject({ model: { code: "QUERY_TRANSPORT_FAILED" } });
  });

  it("stops as soon as the host cancels the call, which is no failure", async () => {
    const cancel = new AbortController();
    let closed: Promise<void> | undefined;
    const { ask, health } = await askedModel((_, response) => {
      closed = new Promise((resolve) => response.on("close", () => resolve()));
      cancel.abort();
      return undefined;
    });
    const { ok, telemetry } = await ask(QUESTION, { signal: cancel.signal });
    await closed;
    expect(ok).toBe(true);
    expect(telemetry).not.toHaveProperty("model");
    expect(health()).toEqual([]);
  });

  it("asks no model if the call was cancelled before", async () => {
    const { ask, server } = await askedModel(() => reply());
    await ask(QUESTION, { signal: AbortSignal.abort() });
    expect(server.requests).toEqual([]);
  });
});

it("query_session that fails because of a bug returns a code and records the failure", async () => {
  const { ask, health } = await askedModel(() => reply());
  const { ok, text } = await ask(QUESTION, { cwd: 7 as unknown as string });
  expect(ok).toBe(false);
  expect(JSON.parse(text)).toMatchObject({
    code: "UNKNOWN_QUERY_SESSION_ERROR",
    message: expect.stringContaining("continuo doctor"),
  });
  expect(health()).toHaveLength(1);
});

it("a composer reports what it does before it waits", async () => {
  const { call } = await askedModel((request) =>
    request.prompt.includes("cannot be used") ? reply() : "no",
  );
  const lines: string[] = [];
  await withSessions(call, 10_000, async (library) => {
    const session = library.list()[0];
    if (session === undefined) throw new Error("not indexed");
    const quoted = {
      sessionId: "",
      sessionName: "",
      host: "",
      answerMarkdown: "",
      confidence: "low",
      citations: [],
      notes: [],
    } as const;
    await composerFor(call, (line) => void lines.push(line))?.(library, session, QUESTION, quoted);
  });
  expect(lines).toEqual([
    "asking endpoint/small, with 1 KB of the session",
    "asking endpoint/small, with 1 KB of the session (attempt 2 of 3)",
  ]);
});
