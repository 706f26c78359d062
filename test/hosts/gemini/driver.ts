import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { geminiInstaller } from "../../../src/hosts/gemini/installer.ts";
import type { HostDriver, ScriptedReply, SeenRequest } from "../../e2e/host-contract.ts";
import { type GeminiReply, type GeminiRequest, startFakeGemini } from "../../fakes/gemini.ts";
import { makePlace, sabotageFile } from "../../support/codex.ts";
import { geminiEnv, geminiProgram, geminiSettings } from "../../support/gemini.ts";

export interface GeminiDriver extends HostDriver {
  /** Where the host keeps its files, as it sees it. */
  readonly env: Record<string, string>;
}

/** The real program with our hooks in its settings, in folders of its own. */
export async function startGemini(): Promise<GeminiDriver> {
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
    env: place.env,
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
