import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { continuo } from "../e2e/continuo.ts";
import type { HostDriver, ScriptedReply, SeenRequest } from "../e2e/host-driver.ts";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { cacheUnits, classify, requestText } from "../fakes/anthropic-requests.ts";
import type { ModelRequest } from "../fakes/anthropic-wire.ts";
import { type HookForm, startClaudeCode, userEnv } from "./claude-code.ts";
import { answerForm, claudeCodeScreen, leave } from "./claude-code-screen.ts";
import { HOOK_SABOTAGES, tampering } from "./tampering.ts";

/** Claude Code with hooks and MCP server in its settings, as `continuo install` writes them. */
export async function startClaudeCodeDriver(form: HookForm = "tool"): Promise<HostDriver> {
  let queue: Reply[] = [];
  const server = await startFakeAnthropic({
    respond: (request) => {
      if (classify(request) === "compaction")
        return { text: "<analysis>x</analysis>\n<summary>We read.</summary>" };
      return classify(request) === "main" ? (queue.shift() ?? { text: "done" }) : { text: "done" };
    },
  });
  const host = await startClaudeCode({ git: true, server });
  const folder = dirname(host.home);
  const env = userEnv(host, form);
  await continuo({ env, project: host.project }, "install", "claude-code");
  const wired = readFileSync(join(host.home, ".claude", "settings.json"), "utf8");
  if (wired.includes('"mcp_tool"') !== (form === "tool"))
    throw new Error(`hooks are not in the ${form} form`);
  const { sabotage, trace } = tampering({
    hooks: join(host.home, ".claude", "settings.json"),
    others: [join(host.home, ".claude.json")],
    breaksServer: form === "tool",
    folder,
  });
  async function ask(
    prompt: string,
    session: { sessionId: string } | { resume: string },
    more: string[] = [],
  ) {
    const args = ["--permission-mode", "bypassPermissions", ...more];
    const { code, stderr, requests } = await host.run({ prompt, args, ...session });
    if (code !== 0) throw new Error(`Claude Code ended with ${code}: ${stderr}`);
    return requests.map(seen);
  }
  return {
    hostName: "claude-code",
    addresses: async () => [server.url],
    project: host.project,
    env,
    async turn(prompt, { session, replies = [] } = {}) {
      queue = replies.map((reply) => scripted(reply, host.project));
      const id = session ?? randomUUID();
      return { session: id, requests: await ask(prompt, session ? { resume: id } : { sessionId: id }) };
    },
    compact: async (session) => (await host.compact(session)).requests.map(seen),
    overflow(session) {
      const much = { ...scripted({ read: "src/a.ts" }, host.project), usage: { input_tokens: 95_000 } };
      queue = [much, much];
      return ask("read a lot", { resume: session }, ["--autocompact", "100k"]);
    },
    async watch(prompts, replies = []) {
      queue = replies.map((reply) => scripted(reply, host.project));
      const from = server.requests.length;
      const screen = await claudeCodeScreen(host, [], { size: { columns: 120, lines: 70 } });
      let shown = await screen.until(/says: Continuo[\s\S]*\n❯/);
      for (const [at, prompt] of prompts.entries()) {
        await screen.type(prompt);
        await screen.press("Enter");
        shown = await screen.until(new RegExp("● done[\\s\\S]*".repeat(at + 1)));
      }
      await leave(screen);
      return { shown, requests: server.requests.slice(from).map(seen) };
    },
    async decide() {
      const from = server.requests.length;
      const screen = await claudeCodeScreen(host);
      await screen.until(/1 suggestion to review[\s\S]*\n❯/);
      await screen.type("/continuo:review");
      await screen.until(/continuo:review \(MCP\)/);
      await screen.press("Enter");
      await answerForm(screen, "MARK-WISH: small commits\\.", 0);
      await screen.until(/● done/);
      await leave(screen);
      return server.requests.slice(from).map(seen);
    },
    sabotages: HOOK_SABOTAGES,
    sabotage: async (how) => sabotage(how),
    trace: async (traces) => trace(traces),
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
  if ("edit" in reply) {
    const input = { file_path: join(project, reply.edit), content: reply.content };
    return { toolUses: [{ name: "Write", input }] };
  }
  if ("shell" in reply)
    return { toolUses: [{ name: "Bash", input: { command: reply.shell, description: "a job" } }] };
  if ("call" in reply) return { toolUses: [{ name: `mcp__continuo__${reply.call}`, input: reply.input }] };
  const input = { description: "job", prompt: reply.delegate, subagent_type: "general-purpose" };
  return { toolUses: [{ name: "Agent", input }] };
}

function seen(request: ModelRequest): SeenRequest {
  const kind = classify(request);
  return {
    kind: kind === "subagent" ? "child" : kind,
    text: requestText(request),
    units: cacheUnits(request),
    tools: (request.body.tools ?? []).map((tool) => tool.name),
    definitions: (request.body.tools ?? []).map((tool) => JSON.stringify(tool)),
  };
}
