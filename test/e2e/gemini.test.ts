import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { geminiInstaller } from "../../src/hosts/gemini/installer.ts";
import { type GeminiReply, type GeminiRequest, startFakeGemini } from "../fakes/gemini.ts";
import { makePlace, sabotageFile } from "../support/codex.ts";
import { GEMINI, geminiEnv, geminiProgram, geminiSettings } from "../support/gemini.ts";
import { orSkipReason } from "../support/packages.ts";
import { write } from "../support/world.ts";
import { type HostDriver, hostContract, type ScriptedReply, type SeenRequest } from "./host-contract.ts";

const found = await orSkipReason(geminiProgram());

hostContract({
  name: `Gemini CLI ${GEMINI}`,
  missing: typeof found === "object" ? found.skip : undefined,
  skip: {
    prefix: "after a resume it sends every tool result twice, with or without us",
    "file rule": "after a resume it sends every tool result twice, and what we added to it with it",
    child: "it has no event for the start of a subagent, and the events inside one do not tell it apart",
    title: "it asks for no titles when it runs one prompt",
  },
  start,
});

describe.skipIf(typeof found === "object")(`Gemini CLI ${GEMINI}, within one process`, () => {
  it("delivers a rule for a file once, with the result of the tool that read it", async () => {
    const driver = await start();
    onTestFinished(() => driver.dispose());
    write(driver.project, {
      ".continuo/rules/typed.md": "---\nglobs: '**/*.ts'\n---\nMARK-TYPED: imports end in ts.",
      ".continuo/rules/always.md": "MARK-ALWAYS: write plain sentences.",
      "src/a.ts": "export const a = 1;\n",
    });
    const { requests } = await driver.turn("read it", { replies: [{ read: "src/a.ts" }] });
    expect(requests.map(({ text }) => text.split("MARK-TYPED").length - 1)).toEqual([0, 1]);
    expect(requests.map(({ text }) => text.split("MARK-ALWAYS").length - 1)).toEqual([1, 1]);
  });
});

async function start(): Promise<HostDriver> {
  const program = await geminiProgram();
  const place = await makePlace({ name: "gemini", module: "src/hosts/gemini/hook.ts" });
  const server = await startFakeGemini();
  let queue: GeminiReply[] = [];
  server.respondWith((request) => {
    if (kindOf(request) === "compaction") return { text: "<state_snapshot>We read.</state_snapshot>" };
    return (kindOf(request) === "main" ? queue.shift() : undefined) ?? { text: "done" };
  });
  const settings = geminiInstaller.settingsFile(place.env);
  mkdirSync(dirname(settings), { recursive: true });
  const wired = geminiInstaller.add(geminiSettings(), place.wiring);
  writeFileSync(settings, wired);

  async function prompt(text: string, session: readonly string[]): Promise<SeenRequest[]> {
    const from = server.requests.length;
    const flags = ["-m", "gemini-2.5-flash", "--approval-mode", "yolo", ...session];
    await place.run([process.execPath, program, "-p", text, ...flags], geminiEnv(server.url));
    return server.requests.slice(from).map(seen);
  }

  return {
    project: place.project,
    async turn(text, { session, replies = [] } = {}) {
      queue = replies.map((reply) => scripted(reply, place.project));
      const id = session ?? randomUUID();
      const requests = await prompt(text, session === undefined ? ["--session-id", id] : ["--resume", id]);
      return { session: id, requests };
    },
    // Without a terminal there is no command for it, so the threshold is lowered until it compresses by itself.
    async compact(session) {
      const eager = geminiSettings({ model: { compressionThreshold: 0.000001 } });
      writeFileSync(settings, geminiInstaller.add(eager, place.wiring));
      const requests = await prompt("compress", ["--resume", session]);
      writeFileSync(settings, wired);
      return requests;
    },
    sabotage: async (how) => sabotageFile(settings, wired, how),
    async dispose() {
      place.dispose();
      await server.close();
    },
  };
}

function scripted(reply: ScriptedReply, project: string): GeminiReply {
  if ("text" in reply) return reply;
  if ("read" in reply) return { call: { name: "read_file", args: { file_path: join(project, reply.read) } } };
  return { call: { name: "invoke_agent", args: { agent_name: "generalist", prompt: reply.delegate } } };
}

function kindOf({ body }: GeminiRequest): SeenRequest["kind"] {
  const system = textOf(body.systemInstruction?.parts ?? []);
  if (system.includes("distilling chat history")) return "compaction";
  const names = (body.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []).map(({ name }) => name);
  return names.includes("complete_task") ? "child" : names.length > 0 ? "main" : "other";
}

function seen(request: GeminiRequest): SeenRequest {
  const { contents, systemInstruction, tools } = request.body;
  const parts = [systemInstruction, ...contents].flatMap((content) => content?.parts ?? []);
  return {
    kind: kindOf(request),
    // It writes angle brackets of hooks as entities; the contract looks for what we said.
    text: textOf(parts).replaceAll("&lt;", "<").replaceAll("&gt;", ">"),
    // Its listing of the project is made anew by each process, so a new file changes it, with or without us.
    units: [tools, systemInstruction, ...contents].map((unit) =>
      (JSON.stringify(unit) ?? "").replace(/<session_context>.*?<\/session_context>/, "<session_context/>"),
    ),
  };
}

function textOf(parts: readonly { text?: string; functionResponse?: { response: unknown } }[]): string {
  return parts.map((part) => part.text ?? outputOf(part.functionResponse?.response)).join("\n");
}

function outputOf(response: unknown): string {
  const output = (response as { output?: unknown } | undefined)?.output;
  return typeof output === "string" ? output : "";
}
