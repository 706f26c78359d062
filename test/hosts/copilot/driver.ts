import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { copilotInstaller } from "../../../src/hosts/copilot/installer.ts";
import type { HostDriver, ScriptedReply, SeenRequest } from "../../e2e/host-contract.ts";
import { type ModelRequest, startFakeAnthropic } from "../../fakes/anthropic.ts";
import type { Reply } from "../../fakes/anthropic-reply.ts";
import { cacheUnits, requestText } from "../../fakes/anthropic-requests.ts";
import { makePlace, sabotageFile } from "../../support/codex.ts";
import { copilotEnv, copilotProgram } from "../../support/copilot.ts";

export interface CopilotDriver extends HostDriver {
  /** Where the host keeps its files, as it sees it. */
  readonly env: Record<string, string>;
}

/** The real program with our hooks in its settings, in folders of its own. */
export async function startCopilot(): Promise<CopilotDriver> {
  const program = await copilotProgram();
  const place = await makePlace({ name: "copilot", module: "src/hosts/copilot/hook.ts" });
  let queue: Reply[] = [];
  const server = await startFakeAnthropic({
    respond: (request) => (kindOf(request) === "main" ? queue.shift() : undefined) ?? { text: "done" },
  });
  const hooks = copilotInstaller.settingsFile(place.env);
  mkdirSync(dirname(hooks), { recursive: true });
  const wired = copilotInstaller.add("", place.wiring);
  writeFileSync(hooks, wired);

  async function prompt(text: string, session: readonly string[]): Promise<SeenRequest[]> {
    const from = server.requests.length;
    await place.run([program, "-p", text, "--allow-all-tools", "-s", ...session], copilotEnv(server.url));
    return server.requests.slice(from).map(seen);
  }

  return {
    project: place.project,
    env: place.env,
    async turn(text, { session, replies = [] } = {}) {
      queue = replies.map((reply) => scripted(reply, place.project));
      const id = session ?? randomUUID();
      const requests = await prompt(text, session === undefined ? ["--session-id", id] : [`--resume=${id}`]);
      return { session: id, requests };
    },
    compact: (session) => prompt("/compact", [`--resume=${session}`]),
    sabotage: async (how) => sabotageFile(hooks, wired, how),
    async dispose() {
      place.dispose();
      await server.close();
    },
  };
}

function scripted(reply: ScriptedReply, project: string): Reply {
  if ("text" in reply) return reply;
  if ("read" in reply) return { toolUses: [{ name: "view", input: { path: join(project, reply.read) } }] };
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
  return { kind: kindOf(request), text: requestText(request), units: cacheUnits(request) };
}
