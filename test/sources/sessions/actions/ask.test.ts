import { describe, expect, it } from "vitest";
import { runInProcess } from "../../../support/in-process.ts";
import { askedModel, DECISION, reply } from "../answers/asked-model.ts";

async function setUp(settings: object = {}) {
  const model = await askedModel(() => reply(), { settings });
  const run = async (...argv: string[]) => {
    const args = ["sessions", "ask", "fix-the-login", "why do we retry?", ...argv];
    const { code, stdout, stderr } = await runInProcess(args, { env: model.env, cwd: model.root });
    return { code, out: stdout, told: stderr.trimEnd() };
  };
  return { ...model, run };
}

describe("continuo sessions ask", () => {
  it("with a model prints progress, the answer and its cost", async () => {
    const { run } = await setUp({ modelPrices: ["endpoint/small 1 5"] });
    const { code, out, told } = await run();
    expect(code).toBe(0);
    expect(told).toBe("asking endpoint/small, with 1 KB of the session");
    expect(out).toContain("> Once, because the gateway is slow.\n1. assistant");
    expect(out).toMatch(/\nendpoint\/small: \d+\.\d s, \$0\.001250\n$/);
    const { data } = JSON.parse((await run("--json")).out);
    expect(data).toMatchObject({
      confidence: "high",
      model: { model: "endpoint/small", usage: { input: 1000, output: 50, costUsd: 0.00125 } },
    });
  });

  it("quotes with --quotes or without a model, and sends nothing", async () => {
    const { run, server } = await setUp();
    const quoted = await run("--quotes");
    expect(quoted.out).toContain(DECISION);
    expect(quoted.out).toContain("Quoted from a past session");
    expect(quoted.told).toBe("");
    const without = await setUp({ modelKeys: [] });
    expect((await without.run()).out).toBe(quoted.out);
    expect([...server.requests, ...without.server.requests]).toEqual([]);
  });

  it("quotes when the model fails, with one line that says why", async () => {
    const { run } = await setUp({ modelKeys: ["nowhere/m"] });
    const { code, out } = await run();
    expect(code).toBe(0);
    expect(out).toContain(DECISION);
    expect(out.trim().split("\n").at(-1)).toContain(
      "(QUERY_MODEL_UNAVAILABLE): no model of modelKeys can be used here",
    );
  });
});
