import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostDriver, ScriptedReply, SeenRequest } from "../../e2e/host-contract.ts";
import { startFakeAnthropic } from "../../fakes/anthropic.ts";
import type { Reply } from "../../fakes/anthropic-reply.ts";
import { cacheUnits, classify, requestText } from "../../fakes/anthropic-requests.ts";
import type { ModelRequest } from "../../fakes/anthropic-wire.ts";
import { CONTINUO, runScript } from "../../support/child.ts";
import { startClaudeCode } from "../../support/claude-code.ts";

export interface ClaudeCodeDriver extends HostDriver {
  /** Where the host keeps its files, as it sees it. */
  readonly env: Record<string, string>;
}

/** The real program with our hooks in its settings, in folders of its own. */
export async function startDriver(): Promise<ClaudeCodeDriver> {
  let queue: Reply[] = [];
  const server = await startFakeAnthropic({
    respond: (request) => {
      if (classify(request) === "compaction")
        return { text: "<analysis>x</analysis>\n<summary>We read.</summary>" };
      return classify(request) === "main" ? (queue.shift() ?? { text: "done" }) : { text: "done" };
    },
  });
  const host = await startClaudeCode({ git: true, server });
  const env = { HOME: host.home, TMPDIR: join(host.home, "..", "tmp"), PATH: "/usr/bin:/bin" };
  await runScript(CONTINUO, ["install", "claude-code"], { env, cwd: host.project });
  const settings = join(host.home, ".claude", "settings.json");
  const original = readFileSync(settings, "utf8");
  return {
    project: host.project,
    env,
    async turn(prompt, { session, replies = [] } = {}) {
      queue = replies.map((reply) => scripted(reply, host.project));
      const id = session ?? randomUUID();
      const args = ["--permission-mode", "bypassPermissions"];
      const { requests } = await host.run({
        prompt,
        args,
        ...(session === undefined ? { sessionId: id } : { resume: id }),
      });
      return { session: id, requests: requests.map(seen) };
    },
    compact: async (session) => (await host.compact(session)).requests.map(seen),
    async sabotage(how) {
      const broken = {
        throws: original.replaceAll(/"command": "[^"]+"/g, '"command": "exit 3"'),
        hangs: original
          .replaceAll(/"command": "[^"]+"/g, '"command": "sleep 60"')
          .replaceAll(/"timeout": \d+/g, '"timeout": 1'),
        gone: original.replaceAll("continuo.cjs", "gone.cjs"),
      };
      writeFileSync(settings, broken[how]);
    },
    async dispose() {
      await host.dispose();
      await server.close();
    },
  };
}

function scripted(reply: ScriptedReply, project: string): Reply {
  if ("text" in reply) return reply;
  if ("read" in reply)
    return { toolUses: [{ name: "Read", input: { file_path: join(project, reply.read) } }] };
  const input = { description: "job", prompt: reply.delegate, subagent_type: "general-purpose" };
  return { toolUses: [{ name: "Agent", input }] };
}

function seen(request: ModelRequest): SeenRequest {
  const kind = classify(request);
  return {
    kind: kind === "subagent" ? "child" : kind,
    text: requestText(request),
    units: cacheUnits(request),
  };
}
