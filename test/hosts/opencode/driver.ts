import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { opencodeInstaller } from "../../../src/hosts/opencode/installer.ts";
import type { HostDriver, ScriptedReply, SeenRequest } from "../../e2e/host-driver.ts";
import type { ChatRequest, Reply } from "../../fakes/openai.ts";
import { classify, requestText, units } from "../../fakes/openai-requests.ts";
import { type Beside, type OpenCode, startOpenCode } from "../../support/opencode.ts";
import { buildPlugin } from "./build-plugin.ts";

export interface OpenCodeDriver extends HostDriver {
  readonly host: OpenCode;
  /** What the model answers next, other than titles and summaries. */
  readonly queue: Reply[];
}

/** OpenCode with the plugin in its settings; a turn in a session that exists is one in a new process. */
export async function startDriver(beside?: Beside): Promise<OpenCodeDriver> {
  const host = await startOpenCode(beside);
  const folder = join(host.root, "continuo");
  const plugin = await buildPlugin(folder);
  install(host, join(dirname(plugin), "continuo.cjs"));
  const queue: Reply[] = [];
  host.server.respondWith((request) => {
    const kind = classify(request);
    if (kind === "title") return { text: "A title" };
    if (kind === "compaction") return { text: "We worked." };
    return kind === "child" ? { text: "done" } : (queue.shift() ?? { text: "ok" });
  });
  return {
    host,
    queue,
    hostName: "opencode",
    addresses: async () => [host.server.url, await host.url()],
    project: host.project,
    env: host.env,
    async turn(prompt, options = {}) {
      queue.push(...(options.replies ?? []).map((reply) => replyFrom(reply, host.project)));
      if (options.session !== undefined) await host.stop();
      const from = host.server.requests.length;
      const session = options.session ?? (await host.createSession());
      await host.prompt(session, prompt);
      if (options.session === undefined) await title(host, from);
      return { session, requests: host.server.requests.slice(from).map(seen) };
    },
    compact: async (session) => (await host.compact(session)).map(seen),
    async overflow(session) {
      queue.push({ ...replyFrom({ read: "src/a.ts" }, host.project), promptTokens: 195_000 });
      return (await host.prompt(session, "read it again")).map(seen);
    },
    async trace(traces) {
      await host.stop();
      host.traceInto(traces);
    },
    async watch(prompts, replies = []) {
      queue.push(...replies.map((reply) => replyFrom(reply, host.project)));
      const from = host.server.requests.length;
      const controller = new AbortController();
      const stream = await fetch(`${await host.url()}/event`, { signal: controller.signal });
      let shown = "";
      const reading = (async () => {
        const decoder = new TextDecoder();
        for await (const chunk of stream.body ?? []) shown += decoder.decode(chunk as Uint8Array);
      })().catch(() => undefined); // it ends when it is aborted
      const session = await host.createSession();
      for (const prompt of prompts) await host.prompt(session, prompt);
      const toasts = () => shown.split("\n").filter((line) => line.includes('"tui.toast.show"'));
      // The plugin does not wait for toasts: they are all there when none has come for some time, also on a busy machine.
      for (let waited = 0, seen = 0; waited < 5_000; waited += 50) {
        await sleep(50);
        if (toasts().length > seen) waited = 0;
        seen = toasts().length;
      }
      controller.abort();
      await reading;
      return { shown: toasts().join("\n"), requests: host.server.requests.slice(from).map(seen) };
    },
    async decide() {
      const from = host.server.requests.length;
      const session = await host.createSession();
      const command = { command: "continuo-review", arguments: "accept 1", model: "fake/fake-model" };
      // The plugin ends the turn by throwing.
      await host.request("POST", `/session/${session}/command`, command).catch(() => undefined);
      const requests = host.server.requests.slice(from).map(seen);
      if (requests.length > 0) throw new Error("a model was asked for a command that needs none");
      return requests;
    },
    sabotages: ["throws", "hangs", "gone"],
    async sabotage(how) {
      if (how !== "throws" && how !== "hangs" && how !== "gone")
        throw new Error(`we run inside it: no ${how}`);
      await host.stop();
      if (how === "gone") rmSync(folder, { recursive: true });
      else await buildPlugin(folder, how);
    },
    dispose: () => host.dispose(),
  };
}

export function install(host: OpenCode, script: string): void {
  const file = opencodeInstaller.settingsFile(host.env);
  const wiring = { runtime: process.execPath, script, answered: new Set<never>(), guards: false };
  writeFileSync(file, opencodeInstaller.add(textOf(file), wiring));
}

export function seen(request: ChatRequest): SeenRequest {
  return {
    kind: classify(request),
    text: requestText(request),
    units: units(request),
    tools: (request.body.tools ?? []).map((tool) => tool.function.name),
    definitions: (request.body.tools ?? []).map((tool) => JSON.stringify(tool)),
  };
}

function replyFrom(reply: ScriptedReply, project: string): Reply {
  if ("read" in reply)
    return { toolUses: [{ name: "read", input: { filePath: join(project, reply.read) } }] };
  if ("edit" in reply) {
    const input = { filePath: join(project, reply.edit), content: reply.content };
    return { toolUses: [{ name: "write", input }] };
  }
  if ("shell" in reply)
    return { toolUses: [{ name: "bash", input: { command: reply.shell, description: "a job" } }] };
  if ("call" in reply) return { toolUses: [{ name: reply.call, input: reply.input }] };
  if ("delegate" in reply) {
    const input = { description: "a job", prompt: reply.delegate, subagent_type: "general" };
    return { toolUses: [{ name: "task", input }] };
  }
  return { text: reply.text };
}

/** The host asks for a title beside the first turn and does not wait for it. */
async function title(host: OpenCode, from: number): Promise<void> {
  const isThere = () => host.server.requests.slice(from).some((request) => classify(request) === "title");
  for (let waited = 0; !isThere() && waited < 5_000; waited += 50) await sleep(50);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // the host needs no settings file
  }
}
