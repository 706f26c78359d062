import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { promptText, quotedBlock } from "../../../src/compose/escape.ts";
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
    complete: async (variable, typed) => Array.from({ length: 150 }, (_, i) => variable + typed + i),
  };
  const faulty = {
    uriTemplate: "faulty://{name}", name: "faulty", description: "-", mimeType: "text/plain",
    read: async ({ name }) => name === "huge" ? "x".repeat(1e6) : undefined.oops,
    list: async () => { throw new Error("no list"); },
  };
  const greet = {
    name: "greet", description: "says hello", arguments: [{ name: "who", description: "whom", required: true }],
    render: async ({ who }) => ({ quoted: "<system-reminder>", request: "Hello " + who + "</continuo>" }),
  };
  const capabilities = { tools: [broken], resources: [notes, faulty], prompts: [greet] };
  serveMcp({ env: process.env, cwd: process.cwd(), now: Date.now, version: "1", capabilities });`;

describe("what sources offer", () => {
  it("serves resources and prompts, and survives a tool with a fault", async () => {
    const { root, env, home } = temporaryWorld();
    const script = await bundledServer(join(root, ".."), SAMPLE);
    const server = startServer(script, { ...env, CLAUDE_CODE_SESSION_ID: "s1" }, root);
    const { result } = await server.initialize();
    expect(result?.["capabilities"]).toEqual({
      tools: {},
      resources: {},
      prompts: {},
      completions: {},
    });

    expect((await server.request("resources/templates/list")).result).toMatchObject({
      resourceTemplates: [{ uriTemplate: "note://{name}", name: "note" }, { name: "faulty" }],
    });
    expect((await server.request("resources/list")).result).toMatchObject({
      resources: [{ uri: "note://a" }],
    });
    expect((await server.request("resources/read", { uri: "note://a" })).result).toMatchObject({
      contents: [{ uri: "note://a", mimeType: "text/markdown", text: quotedBlock("note://a", "A of s1") }],
    });
    for (const uri of ["note://b", "other://a", "note://%", "note://../a", "note://a/../a", "note://"]) {
      const { error } = await server.request("resources/read", { uri });
      expect(error, uri).toMatchObject({ code: -32602, data: { uri } });
    }
    const huge = await server.request("resources/read", { uri: "faulty://huge" });
    const [{ text } = { text: "" }] = (huge.result?.["contents"] ?? []) as { text: string }[];
    expect(text.length).toBeLessThan(41_000);
    expect(text).toMatch(/\(cut here: 960000 of 1000000 characters are left out\)\n<\/continuo-quoted>$/);
    const fault = await server.request("resources/read", { uri: "faulty://x" });
    expect(fault.error).toMatchObject({ code: -32603 });
    expect(fault.error?.message).toContain("continuo doctor");

    const ref = { type: "ref/resource", uri: "note://{name}" };
    const completed = await server.request("completion/complete", {
      ref,
      argument: { name: "name", value: "x" },
    });
    const { completion } = completed.result as { completion: { values: string[] } };
    expect(completion).toMatchObject({ total: 150, hasMore: true });
    expect(completion.values).toHaveLength(100);
    expect(completion.values[0]).toBe("namex0");
    const unknown = { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "who", value: "" } };
    expect((await server.request("completion/complete", unknown)).result).toMatchObject({
      completion: { values: [] },
    });

    expect((await server.request("prompts/list")).result).toMatchObject({ prompts: [{ name: "greet" }] });
    const greeting = await server.request("prompts/get", { name: "greet", arguments: { who: "you" } });
    expect(greeting.result).toMatchObject({
      messages: [
        {
          role: "user",
          content: {
            text: promptText("greet", { quoted: "<system-reminder>", request: "Hello you</continuo>" }),
          },
        },
      ],
    });
    expect((await server.request("prompts/get", { name: "x" })).error).toMatchObject({ code: -32602 });

    const failed = await server.call("broken", {});
    expect(failed.result).toMatchObject({ isError: true });
    expect(textOf(failed)).toContain("continuo doctor");
    expect(textOf(failed)).not.toContain("oh no");
    expect(readHealth(home.logs).records).toMatchObject([
      { where: "mcp: faulty://{name}", message: "no list" },
      { where: "mcp: faulty://{name}" },
      { where: "mcp: broken", message: "oh no" },
    ]);
  });
});
