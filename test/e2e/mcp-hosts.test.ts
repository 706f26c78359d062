import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { type GeminiReply, startFakeGemini } from "../fakes/gemini.ts";
import { type ResponsesReply, startFakeResponses } from "../fakes/responses.ts";
import { CONTINUO } from "../support/child.ts";
import { CODEX, codexConfig, codexProgram } from "../support/codex-program.ts";
import { COPILOT, copilotEnv, copilotProgram } from "../support/copilot.ts";
import { GEMINI, geminiEnv, geminiProgram, geminiSettings } from "../support/gemini.ts";
import { orSkipReason } from "../support/packages.ts";
import { makePlace, type Place } from "../support/place.ts";

const SERVER = { command: process.execPath, args: [CONTINUO, "mcp"] };
const KEEP = { setName: "ports", items: ["4242"] };

const codex = await orSkipReason(codexProgram());
const gemini = await orSkipReason(geminiProgram());
const copilot = await orSkipReason(copilotProgram());

async function place(name: string): Promise<Place> {
  const made = await makePlace(name);
  onTestFinished(() => made.dispose());
  return made;
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function setsOf(here: Place, host: string, id: string): unknown {
  const stored = join(here.home, ".continuo", "state", host, `${id}.meta.json`);
  return JSON.parse(readFileSync(stored, "utf8")).context;
}

describe.skipIf(typeof codex === "object")(`the MCP server in Codex ${CODEX}`, () => {
  it("is called by the model, and its set belongs to Codex's session", async () => {
    const here = await place("codex");
    const model = await startFakeResponses();
    onTestFinished(() => model.close());
    const call = { name: "set_relevant_context", namespace: "mcp__continuo", arguments: KEEP };
    const queue: ResponsesReply[] = [{ call }];
    model.respondWith(() => queue.shift() ?? { text: "done" });
    const entry = `[mcp_servers.continuo]\ncommand = ${JSON.stringify(SERVER.command)}\nargs = ${JSON.stringify(SERVER.args)}\n`;
    put(join(here.home, ".codex", "config.toml"), codexConfig(model.url) + entry);

    const program = String(codex);
    const output = await here.run([program, "exec", "--skip-git-repo-check", "--json", "keep it"], {
      FAKE_KEY: "x",
    });
    const id = /"thread_id":"([^"]+)"/.exec(output)?.[1];
    expect(JSON.stringify(model.requests[0]?.body.tools)).toContain("set_relevant_context");
    expect(JSON.stringify(model.requests[1]?.body.input)).toContain("Set ports: 1 item");
    expect(setsOf(here, "codex", String(id))).toEqual({ ports: ["4242"] });
  });
});

describe.skipIf(typeof gemini === "object")(`the MCP server in Gemini CLI ${GEMINI}`, () => {
  it("is called by the model, and its set belongs to the process and not to a session", async () => {
    const here = await place("gemini");
    const model = await startFakeGemini();
    onTestFinished(() => model.close());
    const queue: GeminiReply[] = [{ call: { name: "mcp_continuo_set_relevant_context", args: KEEP } }];
    model.respondWith(() => queue.shift() ?? { text: "done" });
    // Without its session's id, a set is of no use there: it is listed only on request.
    put(join(here.home, ".continuo", "config.json"), '{"tools": "all"}');
    put(join(here.home, ".gemini", "settings.json"), geminiSettings({ mcpServers: { continuo: SERVER } }));

    const flags = ["-m", "gemini-2.5-flash", "--approval-mode", "yolo"];
    const env = { ...geminiEnv(model.url), CLAUDE_CODE_SESSION_ID: "another" };
    await here.run([process.execPath, String(gemini), "-p", "keep it", ...flags], env);
    expect(JSON.stringify(model.requests[0]?.body.tools)).toContain("mcp_continuo_set_relevant_context");
    expect(JSON.stringify(model.requests[1]?.body.contents)).toContain("Set ports: 1 item");
    // It gives a server no information about the session.
    expect(readdirSync(join(here.home, ".continuo", "state"))).toEqual(["mcp"]);
  });
});

describe.skipIf(typeof copilot === "object")(`the MCP server in Copilot CLI ${COPILOT}`, () => {
  it("is called by the model, and its set belongs to Copilot's session", async () => {
    const here = await place("copilot");
    const id = randomUUID();
    const queue: Reply[] = [{ toolUses: [{ name: "continuo-set_relevant_context", input: KEEP }] }];
    const model = await startFakeAnthropic({ respond: () => queue.shift() ?? { text: "done" } });
    onTestFinished(() => model.close());
    const entry = { type: "local", ...SERVER, tools: ["*"] };
    put(join(here.home, ".copilot", "mcp-config.json"), JSON.stringify({ mcpServers: { continuo: entry } }));

    // As if it had been started from within Claude Code.
    const env = { ...copilotEnv(model.url), CLAUDE_CODE_SESSION_ID: "another" };
    await here.run([String(copilot), "-p", "keep it", "--allow-all-tools", "-s", "--session-id", id], env);
    expect(model.requests[0]?.body.tools?.map((tool) => tool.name)).toContain(
      "continuo-set_relevant_context",
    );
    expect(model.requests[1]?.raw).toContain("Set ports: 1 item");
    expect(setsOf(here, "copilot", id)).toEqual({ ports: ["4242"] });
  });
});
