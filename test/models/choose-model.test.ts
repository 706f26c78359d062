import { afterEach, describe, expect, it } from "vitest";
import { chooseModel } from "../../src/models/choose-model.ts";
import type { LanguageModel } from "../../src/models/language-model.ts";
import type { ModelSettings } from "../../src/models/model-settings.ts";
import { type ChatServer, chatServer } from "../fakes/chat-server.ts";

const servers: ChatServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(...answer: Parameters<typeof chatServer>): Promise<ChatServer> {
  const server = await chatServer(...answer);
  servers.push(server);
  return server;
}

const settings = (modelKeys: string[], more: Partial<ModelSettings> = {}): ModelSettings => ({
  modelKeys,
  modelUrl: "",
  modelApi: "openai",
  modelKeyEnv: "",
  modelPrices: [],
  modelTimeoutMs: 5000,
  ...more,
});

const ask = { system: "be short", prompt: "what?", maxTokens: 100 };

describe("the choice of a model", () => {
  it("is none, without problems, if no model is configured", async () => {
    expect(await chooseModel(settings([]), { ANTHROPIC_API_KEY: "k" })).toEqual({ problems: [] });
  });

  it("says how to fix each key that cannot be used", async () => {
    const keys = [
      "claude-haiku-4-5",
      "antropic/x",
      "openai-codex/gpt",
      "openai/gpt",
      "endpoint/m",
      "anthropic/",
    ];
    const { model, problems } = await chooseModel(settings(keys), {});
    expect(model).toBeUndefined();
    expect(problems).toEqual([
      expect.stringContaining("anthropic/claude-haiku-4-5"),
      expect.stringContaining("did you mean anthropic/x"),
      expect.stringContaining("providers are anthropic, openai"),
      expect.stringContaining("OPENAI_API_KEY is not set"),
      expect.stringContaining("modelUrl"),
      expect.stringContaining("provider/id"),
    ]);
  });

  it.each([
    [{ modelUrl: "http://me:hunter2secret@127.0.0.1:1/v1" }, {}, "modelUrl has a user name or a password"],
    [{ modelUrl: "http://127.0.0.1:1/v1?key=hunter2secret" }, {}, "modelUrl has a query or a fragment"],
    [{ modelUrl: "127.0.0.1:1/v1" }, {}, 'modelUrl is "127.0.0.1:1/v1"; give an API\'s address'],
    [
      { modelUrl: "http://127.0.0.1:1/v1", modelKeyEnv: "K" },
      { K: "hunter2secret\nx" },
      "K contains a line feed",
    ],
    [
      { modelUrl: "http://127.0.0.1:1/v1", modelKeyEnv: "my-hunter2secret" },
      {},
      "is not the name of an environment variable",
    ],
  ])("with %o and %o says what is wrong and shows no secret", async (more, env, why) => {
    const { model, problems } = await chooseModel(settings(["endpoint/m"], more), env);
    expect(model).toBeUndefined();
    expect(problems).toEqual([expect.stringContaining(why)]);
    expect(problems.join()).not.toContain("hunter2");
  });

  it("uses the first usable key, and a host's own model before an endpoint", async () => {
    const own: LanguageModel = { key: "anthropic/b", complete: async () => ({ text: "the host's" }) };
    const env = { ANTHROPIC_API_KEY: "k" };
    const keys = settings(["openai/a", "anthropic/b"]);
    expect((await chooseModel(keys, env)).model?.key).toBe("anthropic/b");
    const { model } = await chooseModel(keys, env, (key) => (key === own.key ? own : undefined));
    expect(await model?.complete(ask)).toEqual({ text: "the host's" });
  });

  it("also limits a host's own model, and distinguishes a timeout from an abort", async () => {
    const slow: LanguageModel = { key: "fake/slow", complete: () => new Promise(() => undefined) };
    const { model } = await chooseModel(settings([slow.key], { modelTimeoutMs: 100 }), {}, () => slow);
    await expect(model?.complete(ask)).rejects.toMatchObject({ code: "model-down" });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), 10);
    for (const _ of ["asked", "not even asked"])
      await expect(model?.complete({ ...ask, signal: stop.signal })).rejects.toThrow("enough");
  });
});

describe("a model at an endpoint", () => {
  it("gets requests in Anthropic's format with its key, and the cost is computed from the price", async () => {
    const server = await serve(() => "an answer");
    const { model } = await chooseModel(
      settings(["anthropic/haiku"], { modelPrices: ["anthropic/other 9 9", "anthropic/haiku 1 5"] }),
      { ANTHROPIC_API_KEY: "secret", ANTHROPIC_BASE_URL: server.url.replace("/v1", "/") },
    );
    expect(await model?.complete(ask)).toEqual({
      text: "an answer",
      usage: { input: 1000, output: 50, costUsd: 0.00125 },
    });
    expect(server.requests[0]).toMatchObject({
      url: "/v1/messages",
      headers: { "x-api-key": "secret", "anthropic-version": "2023-06-01" },
      body: { model: "haiku", max_tokens: 100, system: "be short" },
    });
  });

  it("gets requests in OpenAI's format, with the name of the limit that each server expects", async () => {
    const server = await serve(() => "an answer");
    const env = { OPENAI_API_KEY: "secret", OPENAI_BASE_URL: server.url };
    await (await chooseModel(settings(["openai/gpt"]), env)).model?.complete(ask);
    const own = settings(["endpoint/org/m"], { modelUrl: `${server.url}/` });
    const reply = await (await chooseModel(own, {})).model?.complete(ask);
    expect(reply).toEqual({ text: "an answer", usage: { input: 1000, output: 50 } });
    expect(server.requests).toMatchObject([
      {
        url: "/v1/chat/completions",
        headers: { authorization: "Bearer secret" },
        body: { max_completion_tokens: 100 },
      },
      { body: { model: "org/m", max_tokens: 100 } },
    ]);
    expect(server.requests[1]?.headers.authorization).toBeUndefined();
  });

  it("that fails, redirects, is slow or answers nonsense is reported, and asked once", async () => {
    const failures: [Parameters<typeof chatServer>[0], string][] = [
      [(_request, response) => void response.writeHead(401).end(), "401"],
      [
        (_request, response) => void response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
        "redirect",
      ],
      [() => undefined, "within 200 ms"],
      [(_request, response) => void response.end("{}"), "no text"],
      [(_request, response) => void response.end('{"choices":[{"message":{"content":""}}]}'), "no text"],
      [(_request, response) => void response.end("not json"), "JSON"],
    ];
    for (const [answer, why] of failures) {
      const server = await serve(answer);
      const there = settings(["endpoint/m"], { modelUrl: server.url, modelTimeoutMs: 200 });
      const { model } = await chooseModel(there, {});
      await expect(model?.complete(ask)).rejects.toMatchObject({
        code: "model-down",
        message: expect.stringContaining(why),
      });
      expect(server.requests).toHaveLength(1);
    }
  });

  it.each([
    [500, "check that the server runs"],
    [429, "out of credit"],
    [400, "refused the request"],
  ])("that answers %i is reported with a hint", async (status, hint) => {
    const server = await serve((_request, response) => void response.writeHead(status).end());
    const { model } = await chooseModel(settings(["endpoint/m"], { modelUrl: server.url }), {});
    await expect(model?.complete(ask)).rejects.toMatchObject({ hint: expect.stringContaining(hint) });
  });

  it("that is late is reported with a hint to allow more time", async () => {
    const server = await serve(() => undefined);
    const { model } = await chooseModel(
      settings(["endpoint/m"], { modelUrl: server.url, modelTimeoutMs: 100 }),
      {},
    );
    await expect(model?.complete(ask)).rejects.toMatchObject({
      hint: expect.stringContaining("raise modelTimeoutMs"),
    });
  });

  it("is aborted when nobody is waiting any longer", async () => {
    const stop = new AbortController();
    const server = await serve(() => void stop.abort(new Error("nobody waits")));
    const { model } = await chooseModel(settings(["endpoint/m"], { modelUrl: server.url }), {});
    await expect(model?.complete({ ...ask, signal: stop.signal })).rejects.toThrow("nobody waits");
  });
});
