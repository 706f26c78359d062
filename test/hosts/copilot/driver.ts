import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { continuo } from "../../e2e/continuo.ts";
import type { HostDriver, ScriptedReply, SeenRequest } from "../../e2e/host-driver.ts";
import { type ModelRequest, startFakeAnthropic } from "../../fakes/anthropic.ts";
import type { Reply } from "../../fakes/anthropic-reply.ts";
import { cacheUnits, requestText } from "../../fakes/anthropic-requests.ts";
import { copilotEnv, copilotProgram } from "../../support/copilot.ts";
import { makePlace } from "../../support/place.ts";
import { HOOK_SABOTAGES, tampering } from "../../support/tampering.ts";

/** The real program with Continuo installed in it, in folders of its own. */
export async function startCopilot(): Promise<HostDriver> {
  const program = await copilotProgram();
  const place = await makePlace("copilot");
  let queue: Reply[] = [];
  const server = await startFakeAnthropic({
    respond: (request) => (kindOf(request) === "main" ? queue.shift() : undefined) ?? { text: "done" },
  });
  await continuo(place, "install", "copilot");
  const { sabotage, trace } = tampering({
    hooks: join(place.home, ".copilot", "hooks", "continuo.json"),
    others: [join(place.home, ".copilot", "mcp-config.json")],
    folder: dirname(place.home),
  });

  async function prompt(text: string, session: readonly string[]): Promise<SeenRequest[]> {
    const from = server.requests.length;
    await place.run([program, "-p", text, "--allow-all-tools", "-s", ...session], copilotEnv(server.url));
    return server.requests.slice(from).map(seen);
  }

  return {
    hostName: "copilot",
    addresses: async () => [server.url],
    project: place.project,
    env: place.env,
    async turn(text, { session, replies = [] } = {}) {
      queue = replies.map((reply) => scripted(reply, place.project));
      const id = session ?? randomUUID();
      const requests = await prompt(text, session === undefined ? ["--session-id", id] : [`--resume=${id}`]);
      return { session: id, requests };
    },
    compact: (session) => prompt("/compact", [`--resume=${session}`]),
    overflow(session) {
      const much = { ...scripted({ read: "src/a.ts" }, place.project), usage: { input_tokens: 190_000 } };
      queue = [much, { ...much, delayMs: 1_000 }]; // time for the summary, which is made meanwhile
      return prompt("read a lot", [`--resume=${session}`]);
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

function scripted(reply: ScriptedReply, project: string): Reply {
  if ("text" in reply) return reply;
  if ("read" in reply) return { toolUses: [{ name: "view", input: { path: join(project, reply.read) } }] };
  if ("edit" in reply) {
    const input = { path: join(project, reply.edit), file_text: reply.content };
    return { toolUses: [{ name: "create", input }] };
  }
  if ("shell" in reply)
    return { toolUses: [{ name: "bash", input: { command: reply.shell, description: "a job" } }] };
  if ("call" in reply) return { toolUses: [{ name: `continuo-${reply.call}`, input: reply.input }] };
  const input = {
    name: "job",
    description: "job",
    prompt: reply.delegate,
    agent_type: "general-purpose",
    mode: "sync",
  };
  return { toolUses: [{ name: "task", input }] };
}

/** Only the first request of each kind is marked by its header; a child is known by its system prompt. */
function kindOf(request: ModelRequest): SeenRequest["kind"] {
  if (request.headers["x-interaction-type"] === "conversation-compaction") return "compaction";
  return JSON.stringify(request.body.system ?? "").includes("As a sub-agent, ") ? "child" : "main";
}

function seen(request: ModelRequest): SeenRequest {
  return {
    kind: kindOf(request),
    text: requestText(request),
    units: cacheUnits(request),
    tools: (request.body.tools ?? []).map((tool) => tool.name),
    definitions: (request.body.tools ?? []).map((tool) => JSON.stringify(tool)),
  };
}
