import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as entry from "../../src/entries/copilot.ts";
import type { HostDriver, ScriptedReply, SeenRequest } from "../e2e/host-driver.ts";
import { type ChatRequest, type FakeOpenAI, type Reply, startFakeOpenAI } from "../fakes/openai.ts";
import { requestText } from "../fakes/openai-requests.ts";
import { ROOT } from "./child.ts";
import { installedPackage } from "./packages.ts";
import { bundle } from "./pi.ts";

/** It brings its own runtime, Copilot CLI 1.0.85, as a package of the same version. */
export const COPILOT_SDK = "1.0.14";

/** What tests use of the SDK. Its package is in the test cache and not a dependency. */
export interface SdkSession {
  readonly sessionId: string;
  send(message: { prompt: string; mode?: "immediate" }): Promise<unknown>;
  sendAndWait(message: { prompt: string }, timeoutMs: number): Promise<unknown>;
  disconnect(): Promise<void>;
  readonly rpc: { readonly history: { compact(params: object): Promise<{ success: boolean }> } };
}
export interface SdkConfig {
  readonly [key: string]: unknown;
}
interface SdkClient extends entry.Client<SdkConfig, SdkConfig, SdkSession> {
  start(): Promise<void>;
  stop(): Promise<unknown>;
}
interface Sdk {
  readonly CopilotClient: new (options: object) => SdkClient;
  readonly approveAll: unknown;
}

export interface SdkDriver extends HostDriver {
  readonly env: Record<string, string>;
  readonly server: FakeOpenAI;
  readonly config: SdkConfig;
  /** A separate runtime with Continuo's two calls, for the duration of the work. */
  withClient<T>(work: (client: entry.Client<SdkConfig, SdkConfig, SdkSession>) => Promise<T>): Promise<T>;
  /** What the model does for the next requests of the session itself. */
  script(...replies: readonly Reply[]): void;
}

const PATIENCE_MS = 60_000;

export async function sdkFolder(): Promise<string> {
  return installedPackage("@github/copilot-sdk", COPILOT_SDK);
}

/** The real SDK and its runtime with their own home, project and model server. Loopback only. */
export async function startCopilotSdk(): Promise<SdkDriver> {
  const module = join(await sdkFolder(), "node_modules/@github/copilot-sdk/dist/index.js");
  const { CopilotClient, approveAll } = (await import(pathToFileURL(module).href)) as Sdk;
  const root = realpathSync(mkdtempSync(join(tmpdir(), "copilot-sdk-")));
  const [home, project, temporary] = [join(root, "home"), join(root, "project"), join(root, "tmp")];
  for (const folder of [home, project, temporary]) mkdirSync(folder);
  execFileSync("git", ["init", "-q", "-b", "main", project]);
  const env = {
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    HOME: home,
    TMPDIR: temporary,
    LANG: "C.UTF-8",
  };
  let queue: Reply[] = [];
  const server = await startFakeOpenAI(
    (request) => (kindOf(request) === "main" ? queue.shift() : undefined) ?? { text: "done" },
  );
  const notices: string[] = [];
  let ours: typeof entry | undefined = await load(join(ROOT, "dist/copilot.js"));

  const provider = { type: "openai", baseUrl: server.url, apiKey: "sk-fake", wireApi: "completions" };
  const config: SdkConfig = {
    model: "fake-1",
    provider,
    streaming: true,
    onPermissionRequest: approveAll,
    workingDirectory: project,
  };

  const driver: SdkDriver = {
    hostName: "copilot-sdk",
    addresses: async () => [server.url],
    project,
    env,
    server,
    config,
    script: (...replies) => {
      queue = [...replies];
    },
    async withClient(work) {
      const client = new CopilotClient({ env, useLoggedInUser: false });
      await client.start();
      try {
        return await work(
          ours?.continuo(client, { env, onNotice: (lines) => notices.push(...lines) }) ?? client,
        );
      } finally {
        await client.stop();
      }
    },
    async turn(prompt, { session, replies = [] } = {}) {
      const from = server.requests.length;
      driver.script(...replies.map((reply) => scripted(reply, project)));
      const id = await driver.withClient(async (client) => {
        const one = await (session === undefined
          ? client.createSession(config)
          : client.resumeSession(session, config));
        await one.sendAndWait({ prompt }, PATIENCE_MS);
        return one.sessionId;
      });
      return { session: id, requests: server.requests.slice(from).map(seen) };
    },
    async watch([first = "", ...more], replies = []) {
      const { session, requests } = await driver.turn(first, { replies });
      const later = [];
      for (const prompt of more) later.push(...(await driver.turn(prompt, { session })).requests);
      return { shown: notices.join("\n"), requests: [...requests, ...later] };
    },
    async compact(session) {
      const from = server.requests.length;
      await driver.withClient(async (client) => {
        const one = await client.resumeSession(session, config);
        await one.rpc.history.compact({});
      });
      return server.requests.slice(from).map(seen);
    },
    async overflow(session) {
      const from = server.requests.length;
      const view = scripted({ read: "src/a.ts" }, project);
      driver.script(view, { ...view, delayMs: 500 }); // time for the summary, which is made meanwhile
      const infiniteSessions = { enabled: true, backgroundCompactionThreshold: 0.05 };
      await driver.withClient(async (client) => {
        const compacted = Promise.withResolvers<void>();
        const onEvent = ({ type }: { type: string }) => {
          if (type === "session.compaction_complete") compacted.resolve();
        };
        const one = await client.resumeSession(session, { ...config, infiniteSessions, onEvent });
        await one.sendAndWait({ prompt: "read" }, PATIENCE_MS);
        await compacted.promise;
      });
      return server.requests.slice(from).map(seen);
    },
    async trace() {
      throw new Error("we run inside the program, which is the test itself");
    },
    sabotages: ["throws", "hangs", "gone"],
    async sabotage(how) {
      if (how !== "throws" && how !== "hangs" && how !== "gone")
        throw new Error(`we run inside it: no ${how}`);
      const file = join(root, `${how}.mjs`);
      if (how !== "gone") await bundle(file, how, "src/entries/copilot.ts");
      // A program cannot import what is missing: it would be built without Continuo.
      ours = how === "gone" ? undefined : await load(file);
    },
    async dispose() {
      await server.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
  return driver;
}

async function load(file: string): Promise<typeof entry> {
  return (await import(pathToFileURL(file).href)) as typeof entry;
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
  if ("call" in reply) return { toolUses: [{ name: reply.call, input: reply.input }] };
  const input = {
    name: "job",
    description: "job",
    prompt: reply.delegate,
    agent_type: "general-purpose",
    mode: "sync",
  };
  return { toolUses: [{ name: "task", input }] };
}

/** Only the first request of each kind is marked by its header; a child is recognised by its system prompt. */
function kindOf({ headers, body }: ChatRequest): SeenRequest["kind"] {
  if (headers["x-interaction-type"] === "conversation-compaction") return "compaction";
  return JSON.stringify(body.messages[0] ?? "").includes("As a sub-agent, ") ? "child" : "main";
}

export function seen(request: ChatRequest): SeenRequest {
  const { tools, messages } = request.body;
  // With and without Continuo, a history that was read from disk lacks the empty fields of one made in memory, and says
  // where a tool's result is from.
  const plain = (value: unknown) =>
    JSON.stringify(value, (key, inner: unknown) =>
      inner === null || key === "__copilotMessageSource" ? undefined : inner,
    );
  return {
    kind: kindOf(request),
    text: requestText(request),
    tools: (tools ?? []).map((tool) => tool.function.name),
    definitions: (tools ?? []).map(plain),
    units: [plain(tools ?? []), ...messages.map(plain)],
  };
}
