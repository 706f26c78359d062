import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readHealth } from "../../../src/store/health.ts";
import { temporaryWorld } from "../../support/world.ts";
import { bundledServer, startServer, textOf } from "./server.ts";

const SAMPLE = `
  import { serveMcp } from "./src/hosts/mcp/serve-mcp.ts";
  const parameters = { type: "object", properties: {} };
  const broken = { name: "broken", description: "-", parameters, run: async () => { throw new Error("oh no"); } };
  const notes = {
    uriTemplate: "note://{name}", name: "note", description: "a note", mimeType: "text/markdown",
    read: async ({ name }, { session }) => name === "a" ? "A of " + session.id : undefined,
    list: async () => [{ uri: "note://a", name: "a" }],
  };
  const greet = {
    name: "greet", description: "says hello", arguments: [{ name: "who", description: "whom", required: true }],
    render: async ({ who }) => "Hello " + who,
  };
  const offers = { tools: [broken], resources: [notes], prompts: [greet] };
  serveMcp({ env: process.env, cwd: process.cwd(), now: Date.now, version: "1", offers });`;

describe("what sources offer", () => {
  it("serves resources and prompts, and survives a tool with a fault", async () => {
    const { root, env, home } = temporaryWorld();
    const script = await bundledServer(join(root, ".."), SAMPLE);
    const server = startServer(script, { ...env, CLAUDE_CODE_SESSION_ID: "s1" }, root);
    const { result } = await server.initialize();
    expect(result?.["capabilities"]).toEqual({ tools: {}, resources: {}, prompts: {} });

    expect((await server.request("resources/templates/list")).result).toMatchObject({
      resourceTemplates: [{ uriTemplate: "note://{name}", name: "note" }],
    });
    expect((await server.request("resources/list")).result).toMatchObject({
      resources: [{ uri: "note://a" }],
    });
    expect((await server.request("resources/read", { uri: "note://a" })).result).toMatchObject({
      contents: [{ uri: "note://a", mimeType: "text/markdown", text: "A of s1" }],
    });
    for (const uri of ["note://b", "other://a"]) {
      expect((await server.request("resources/read", { uri })).error?.message).toContain(uri);
    }

    expect((await server.request("prompts/list")).result).toMatchObject({ prompts: [{ name: "greet" }] });
    const greeting = await server.request("prompts/get", { name: "greet", arguments: { who: "you" } });
    expect(greeting.result).toMatchObject({ messages: [{ role: "user", content: { text: "Hello you" } }] });
    expect((await server.request("prompts/get", { name: "x" })).error).toMatchObject({ code: -32602 });

    const failed = await server.call("broken", {});
    expect(failed.result).toMatchObject({ isError: true });
    expect(textOf(failed)).toContain("continuo doctor");
    expect(textOf(failed)).not.toContain("oh no");
    expect(readHealth(home.logs).records).toMatchObject([{ where: "mcp: broken", message: "oh no" }]);
  });
});
