import { describe, expect, it } from "vitest";
import { type PiModelRegistry, piModels } from "../../../src/hosts/pi/models.ts";
import type { LanguageModel } from "../../../src/models/language-model.ts";

const MODEL = { id: "cheap" };
const ASK = { system: "be short", prompt: "what?", maxTokens: 100 };
const usage = { input: 10, output: 5, cacheRead: 100, cacheWrite: 1, cost: { total: 0.002 } };
const reply = { content: [{ type: "thinking" }, { type: "text", text: "that" }], stopReason: "stop", usage };

type Sent = { model: object; context: unknown; options: Record<string, unknown> };

function streaming(answer: unknown, sent: Sent[] = []) {
  return (model: object, context: object, options: object) => {
    sent.push({ model, context, options: options as Record<string, unknown> });
    return { result: async () => answer as never };
  };
}

/** A newer pi, which brings the key itself, unless `older` is given: its models are asked by pi-ai. */
async function found(
  answer: unknown,
  sent: Sent[] = [],
  older?: Partial<PiModelRegistry>,
): Promise<LanguageModel> {
  const registry: PiModelRegistry = {
    find: (provider, id) => (provider === "fake" && id === "a/cheap" ? MODEL : undefined),
    hasConfiguredAuth: () => true,
    getApiKeyAndHeaders: async () => ({ ok: true, apiKey: "k", headers: { h: "1" } }),
    ...(older ?? { streamSimple: streaming(answer, sent) }),
  };
  const model = await piModels(registry, async () => ({ streamSimple: streaming(answer, sent) }))(
    "fake/a/cheap",
  );
  if (model === undefined) throw new Error("it was not found");
  return model;
}

describe("pi's models", () => {
  it("are known by provider and id, and only where pi has a key for them", async () => {
    const registry: PiModelRegistry = {
      find: (provider, id) => (provider === "fake" && id === "cheap" ? MODEL : undefined),
      hasConfiguredAuth: () => false,
      getApiKeyAndHeaders: async () => ({ ok: false, error: "none" }),
    };
    expect(await piModels(registry)("fake/cheap")).toBeUndefined();
    const known = piModels({ ...registry, hasConfiguredAuth: () => true });
    expect(await known("fake/cheap")).toMatchObject({ key: "fake/cheap" });
    for (const key of ["cheap", "/cheap", "fake/", "fake/other", "other/cheap"])
      expect(await known(key), key).toBeUndefined();
    expect(await piModels(undefined)("fake/cheap")).toBeUndefined();
  });

  it("answer once, uncached, with what the answer cost", async () => {
    const sent: Sent[] = [];
    const model = await found(reply, sent);
    expect(await model.complete(ASK)).toEqual({
      text: "that",
      usage: { input: 111, output: 5, costUsd: 0.002 },
    });
    expect(sent).toMatchObject([
      {
        model: MODEL,
        context: { systemPrompt: "be short", messages: [{ role: "user", content: [{ text: "what?" }] }] },
        options: { maxTokens: 100, maxRetries: 0, cacheRetention: "none" },
      },
    ]);
  });

  it("are asked with the key of the registry in a pi whose registry cannot ask them", async () => {
    const sent: Sent[] = [];
    await (await found(reply, sent, {})).complete(ASK);
    expect(sent).toMatchObject([{ options: { apiKey: "k", headers: { h: "1" }, maxTokens: 100 } }]);
  });

  it("report no price that pi does not know", async () => {
    const model = await found({ ...reply, usage: { input: 10, output: 5, cost: { total: 0 } } });
    expect((await model.complete(ASK)).usage).toEqual({ input: 10, output: 5 });
  });

  it.each([
    ["a failure that pi tells as a reply", { content: [], stopReason: "error", errorMessage: "529" }, {}],
    ["an answer without text", { content: [{ type: "thinking" }], stopReason: "stop" }, {}],
    [
      "a login that has run out",
      reply,
      { getApiKeyAndHeaders: async () => ({ ok: false, error: "log in" }) },
    ],
  ] as const)("are down after %s", async (_, answer, older) => {
    await expect((await found(answer, [], older)).complete(ASK)).rejects.toMatchObject({
      code: "model-down",
      message: expect.stringContaining("fake/a/cheap"),
    });
  });

  it("show no key that a provider's words have in them", async () => {
    const errorMessage = "Incorrect API key provided: sk-ant-api03-abcdefghijkl";
    const model = await found({ content: [], stopReason: "error", errorMessage });
    await expect(model.complete(ASK)).rejects.toMatchObject({
      message: expect.stringMatching(/Incorrect API key provided: \[redacted/),
    });
  });

  it("stop with the signal, whatever pi makes of it", async () => {
    const stop = new AbortController();
    stop.abort(new Error("enough"));
    const model = await found({ content: [], stopReason: "aborted" });
    await expect(model.complete({ ...ASK, signal: stop.signal })).rejects.toThrow("enough");
  });
});
