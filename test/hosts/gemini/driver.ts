import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { continuo } from "../../e2e/continuo.ts";
import type { HostDriver, ScriptedReply, SeenRequest } from "../../e2e/host-driver.ts";
import { type GeminiReply, type GeminiRequest, startFakeGemini } from "../../fakes/gemini.ts";
import { geminiEnv, geminiProgram, geminiSettings } from "../../support/gemini.ts";
import { makePlace } from "../../support/place.ts";
import { HOOK_SABOTAGES, tampering } from "../../support/tampering.ts";

/** The real program with Continuo installed in it, in folders of its own. */
export async function startGemini(): Promise<HostDriver> {
  const program = await geminiProgram();
  const place = await makePlace("gemini");
  const server = await startFakeGemini();
  let queue: GeminiReply[] = [];
  server.respondWith((request) => {
    if (kindOf(request) === "compaction") return { text: "<state_snapshot>We read.</state_snapshot>" };
    return (kindOf(request) === "main" ? queue.shift() : undefined) ?? { text: "done" };
  });
  const settings = join(place.home, ".gemini", "settings.json");
  mkdirSync(dirname(settings));
  writeFileSync(settings, geminiSettings());
  await continuo(place, "install", "gemini");
  const { sabotage, trace } = tampering({ hooks: settings, others: [], folder: dirname(place.home) });

  let stderr = "";
  async function prompt(text: string, session: readonly string[]): Promise<SeenRequest[]> {
    const from = server.requests.length;
    const flags = ["-m", "gemini-2.5-flash", "--approval-mode", "yolo", ...session];
    await place.run([process.execPath, program, "-p", text, ...flags], geminiEnv(server.url), (said) => {
      stderr = said;
    });
    return server.requests.slice(from).map(seen);
  }

  async function eagerly(work: () => Promise<SeenRequest[]>): Promise<SeenRequest[]> {
    const before = readFileSync(settings, "utf8");
    const eager = { ...JSON.parse(before), model: { compressionThreshold: 0.000001 } };
    writeFileSync(settings, JSON.stringify(eager));
    const requests = await work();
    writeFileSync(settings, before);
    return requests;
  }

  return {
    hostName: "gemini",
    addresses: async () => [server.url],
    project: place.project,
    env: place.env,
    async turn(text, { session, replies = [] } = {}) {
      queue = replies.map((reply) => scripted(reply, place.project));
      const id = session ?? randomUUID();
      const requests = await prompt(text, session === undefined ? ["--session-id", id] : ["--resume", id]);
      return { session: id, requests };
    },
    // Without a terminal there is no command for it, so the threshold is lowered until it compresses by itself.
    compact: (session) => eagerly(() => prompt("compress", ["--resume", session])),
    overflow(session) {
      queue = [scripted({ read: "src/a.ts" }, place.project)];
      return eagerly(() => prompt("read", ["--resume", session]));
    },
    async watch(prompts, replies = []) {
      queue = replies.map((reply) => scripted(reply, place.project));
      const id = randomUUID();
      const requests: SeenRequest[] = [];
      let shown = "";
      for (const [at, text] of prompts.entries()) {
        requests.push(...(await prompt(text, [at === 0 ? "--session-id" : "--resume", id, "-o", "json"])));
        shown += stderr;
      }
      return { shown, requests };
    },
    sabotages: HOOK_SABOTAGES,
    sabotage: async (how) => sabotage(how),
    trace: async (traces) => trace(traces),
    async dispose() {
      place.dispose();
      await server.close();
    },
  };
}

function scripted(reply: ScriptedReply, project: string): GeminiReply {
  if ("text" in reply) return reply;
  if ("read" in reply) return { call: { name: "read_file", args: { file_path: join(project, reply.read) } } };
  if ("edit" in reply) {
    const args = { file_path: join(project, reply.edit), content: reply.content };
    return { call: { name: "write_file", args } };
  }
  if ("shell" in reply) return { call: { name: "run_shell_command", args: { command: reply.shell } } };
  if ("call" in reply) return { call: { name: `mcp_continuo_${reply.call}`, args: reply.input } };
  return { call: { name: "invoke_agent", args: { agent_name: "generalist", prompt: reply.delegate } } };
}

function kindOf({ body }: GeminiRequest): SeenRequest["kind"] {
  const system = textOf(body.systemInstruction?.parts ?? []);
  if (system.includes("distilling chat history")) return "compaction";
  const names = toolsOf(body);
  return names.includes("complete_task") ? "child" : names.length > 0 ? "main" : "other";
}

function toolsOf(body: GeminiRequest["body"]): string[] {
  return declarationsOf(body).map(({ name }) => name);
}

function declarationsOf({ tools }: GeminiRequest["body"]) {
  return (tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []);
}

function seen(request: GeminiRequest): SeenRequest {
  const { contents, systemInstruction, tools } = request.body;
  const parts = [systemInstruction, ...contents].flatMap((content) => content?.parts ?? []);
  return {
    kind: kindOf(request),
    tools: toolsOf(request.body),
    definitions: declarationsOf(request.body).map((tool) => JSON.stringify(tool)),
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
  const { output, error } = (response ?? {}) as { output?: unknown; error?: unknown };
  return [output, error].filter((one) => typeof one === "string").join("\n");
}
