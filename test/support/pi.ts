import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import { BUNDLE, piInstaller } from "../../src/hosts/pi/installer.ts";
import type { HostDriver, ScriptedReply, SeenRequest } from "../e2e/host-driver.ts";
import {
  type FakeAnthropic,
  type ModelRequest,
  type Responder,
  startFakeAnthropic,
} from "../fakes/anthropic.ts";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { requestText } from "../fakes/anthropic-requests.ts";
import { type RpcEvent, rpc } from "../hosts/pi/rpc.ts";
import { ROOT } from "./child.ts";
import { installedPackage } from "./packages.ts";
import { linkTable } from "./table.ts";
import { traced } from "./tampering.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

export interface PiVersion {
  readonly name: string;
  readonly version: string;
  /** In the package, or absolute for one that npm cannot install (docs/design/hosts/pi.md). */
  readonly cli: string;
  /** The last event of a run. */
  readonly rested: string;
}

export const PI: PiVersion = {
  name: "@earendil-works/pi-coding-agent",
  version: "0.87.1",
  cli: "dist/bundle/cli.js",
  rested: "agent_settled",
};
/** A version whose registry cannot be asked, and whose package of models has another entry. */
export const MIDDLE_PI: PiVersion = {
  name: "@earendil-works/pi-coding-agent",
  version: "0.83.0",
  cli: "dist/cli.js",
  rested: "agent_settled",
};
/** The last version in pi's old npm scope. */
export const OLD_PI: PiVersion = {
  name: "@mariozechner/pi-coding-agent",
  version: "0.73.1",
  cli: "dist/cli.js",
  rested: "agent_end",
};

export interface PiDriver extends HostDriver {
  readonly home: string;
  readonly server: FakeAnthropic;
  /** What the model does for requests other than summaries. */
  respondWith(respond: Responder): void;
  /** Runs commands in one long-lived process, each to its end, and returns what it printed. */
  rpc(
    session: string | undefined,
    commands: readonly RpcEvent[],
  ): Promise<{ events: RpcEvent[]; requests: SeenRequest[] }>;
  /** pi as a person sees it. */
  terminal(): Promise<Terminal>;
}

/** The real program with its own home, model server and, unless it shares one with another host, project. Loopback only. */
export async function startPi(
  pi: PiVersion = PI,
  settings: object = {},
  beside?: {
    readonly project: string;
    readonly continuoHome: string;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<PiDriver> {
  const program = [process.execPath, await cliOf(pi)];
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "pi-")));
  const at = (...names: string[]) => path.join(root, ...names);
  const agent = at("home", ".pi", "agent");
  const project = beside?.project ?? at("project");
  for (const one of [agent, project, at("tmp"), at("dist"), at("sessions")])
    await mkdir(one, { recursive: true });
  await promisify(execFile)("git", ["init", "-q", "-b", "main", project]);

  let queue: ScriptedReply[] = [];
  let respond: Responder = () => replyOf(queue.shift());
  const server = await startFakeAnthropic({
    respond: (request, index) =>
      kindOf(request) === "compaction" ? { text: "## Goal\nWe said hello." } : respond(request, index),
  });
  await writeFile(path.join(agent, "models.json"), JSON.stringify(models(server.url)));
  const base = { defaultProvider: "fake", defaultModel: "fake-1", compaction: COMPACTION, ...settings };
  const wiring = {
    runtime: process.execPath,
    script: at("dist", "continuo.cjs"),
    answered: new Set<never>(),
    guards: true,
  };
  await writeFile(path.join(agent, "settings.json"), piInstaller.add(JSON.stringify(base), wiring));
  await bundle(at("dist", BUNDLE));
  // As in the installed package: pi then has Node load the extension, and pi's own names are unknown to it.
  await writeFile(at("dist", "package.json"), '{"name":"continuo","type":"module"}\n');

  const env = {
    PATH: [path.dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(path.delimiter),
    HOME: at("home"),
    TMPDIR: at("tmp"),
    TERM: "dumb",
    PI_OFFLINE: "1",
    PI_TELEMETRY: "0",
    // Also as a variable, for programs that look for sessions from outside.
    PI_CODING_AGENT_SESSION_DIR: at("sessions"),
    ...(beside === undefined ? {} : { CONTINUO_HOME: beside.continuoHome, ...beside.env }),
  };
  let traces: string | undefined;
  const command = (session: string | undefined, ...args: string[]) =>
    traced(
      [
        ...program,
        "--session-dir",
        at("sessions"),
        ...(session === undefined ? [] : ["--session", session]),
        ...args,
      ],
      traces,
    );

  const driver: PiDriver = {
    hostName: "pi",
    addresses: async () => [server.url],
    home: at("home"),
    env,
    project,
    server,
    respondWith: (next) => {
      respond = next;
    },
    async turn(prompt, { session, replies = [] } = {}) {
      queue = [...replies];
      const from = server.requests.length;
      const known = new Set(await readdir(at("sessions")));
      await run(command(session, "-p", prompt), { cwd: project, env });
      const made = (await readdir(at("sessions"))).find((name) => !known.has(name));
      return {
        session: session ?? at("sessions", made ?? "none"),
        requests: server.requests.slice(from).map(seen),
      };
    },
    async rpc(session, commands) {
      const from = server.requests.length;
      const events = await rpc(command(session, "--mode", "rpc"), { cwd: project, env }, commands, pi.rested);
      return { events, requests: server.requests.slice(from).map(seen) };
    },
    terminal: () => openTerminal(root, command(undefined), { cwd: project, env }),
    async compact(session) {
      return (await driver.rpc(session, [{ type: "compact" }])).requests;
    },
    async overflow(session) {
      const left: Reply[] = [
        { toolUses: [{ name: "read", input: { path: "src/a.ts" } }] },
        { status: 400, error: "prompt is too long: 213462 tokens > 200000 maximum" },
      ];
      const usual = respond;
      respond = () => left.shift() ?? { text: "done" };
      const settles = pi.rested === "agent_end" ? 2 : 1;
      const { requests } = await driver.rpc(session, [{ type: "prompt", message: "read it", settles }]);
      respond = usual;
      return requests;
    },
    async watch(prompts, replies = []) {
      queue = [...replies];
      const commands = prompts.map((message) => ({ type: "prompt", message }));
      const { events, requests } = await driver.rpc(undefined, commands);
      const told = events.filter((event) => event["method"] === "notify").map((event) => event["message"]);
      return { shown: told.join("\n"), requests };
    },
    async decide() {
      const from = server.requests.length;
      const screen = await driver.terminal();
      await screen.until(/fake-1/, 120_000); // 0.73.1 takes long for its first screen on a busy machine
      await screen.type("/continuo-review");
      for (let shown = ""; !shown.includes("MARK-WISH"); ) {
        await screen.press("Enter");
        await screen.until(/MARK-WISH|Startup is still in progress/);
        // The message stays on the screen: a second Enter that comes too early would accept what appears meanwhile.
        await sleep(1_000);
        shown = await screen.until(/MARK-WISH|Startup is still in progress/);
      }
      await screen.until(/→ accept/);
      await screen.press("Enter");
      await screen.until(/Accepted "MARK-WISH/);
      await screen.close();
      return server.requests.slice(from).map(seen);
    },
    async trace(folder) {
      traces = folder;
    },
    sabotages: ["throws", "hangs", "gone"],
    async sabotage(how) {
      if (how !== "throws" && how !== "hangs" && how !== "gone")
        throw new Error(`we run inside it: no ${how}`);
      if (how === "gone") await rm(at("dist", BUNDLE));
      else await bundle(at("dist", BUNDLE), how);
    },
    async dispose() {
      await server.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
  return driver;
}

export async function cliOf({ name, version, cli }: PiVersion): Promise<string> {
  if (path.isAbsolute(cli)) return cli;
  return path.join(await installedPackage(name, version), "node_modules", name, cli);
}

/** A model that no conversation uses. */
export const CHEAP = "fake-cheap";

/** Small, so that a test's conversation can be compacted. */
const COMPACTION = { enabled: true, reserveTokens: 4_000, keepRecentTokens: 20 };

/** Continuo's extension, or another entry, as one file, as the build makes it. Its sources are broken on request. */
export async function bundle(
  outfile: string,
  broken?: "throws" | "hangs",
  entry = "src/entries/pi.ts",
): Promise<void> {
  const what =
    broken === "throws"
      ? "export const SOURCES = new Proxy([], { get() { throw new Error('broken on purpose'); } }); export const MODULES = SOURCES;"
      : "const hang = () => new Promise(() => {}); const answers = new Proxy({}, { get: () => hang });" +
        "export const SOURCES = [{ name: 'rules', answersChildren: true, settings: {}, answers, guard: hang }]; export const MODULES = [];";
  const key = JSON.stringify([broken, entry]);
  if (!bundled.has(key)) bundled.set(key, built(broken === undefined ? undefined : what, entry));
  await mkdir(path.dirname(outfile), { recursive: true });
  await writeFile(outfile, (await bundled.get(key)) ?? "");
  linkTable(path.dirname(outfile));
}

/** Each is built once, because a build takes longer than a turn. */
const bundled = new Map<string, Promise<string>>();

async function built(sources: string | undefined, entry: string): Promise<string> {
  const breaking: Plugin = {
    name: "breaking",
    setup: ({ onLoad }) =>
      onLoad({ filter: /sources\/index\.ts$/ }, () => ({ contents: sources ?? "", loader: "ts" })),
  };
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
    external: ["node:sqlite", "bun:sqlite"],
    format: "esm",
    write: false,
    logLevel: "warning",
    plugins: sources === undefined ? [] : [breaking],
  });
  return outputFiles.map(({ text }) => text).join("");
}

function replyOf(scripted: ScriptedReply | undefined): Reply {
  if (scripted === undefined || "delegate" in scripted) return { text: "ok" };
  if ("call" in scripted) return { toolUses: [{ name: scripted.call, input: scripted.input }] };
  if ("edit" in scripted) {
    const input = { path: scripted.edit, content: scripted.content };
    return { toolUses: [{ name: "write", input }] };
  }
  if ("shell" in scripted) return { toolUses: [{ name: "bash", input: { command: scripted.shell } }] };
  if ("read" in scripted) return { toolUses: [{ name: "read", input: { path: scripted.read } }] };
  return { text: scripted.text };
}

export function models(baseUrl: string): object {
  const cost = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 };
  const models = ["fake-1", CHEAP].map((id) => ({
    id,
    name: id,
    reasoning: false,
    input: ["text"],
    contextWindow: 128_000,
    maxTokens: 4_096,
    cost,
  }));
  return { providers: { fake: { baseUrl, api: "anthropic-messages", apiKey: "sk-fake", models } } };
}

function kindOf(request: ModelRequest): SeenRequest["kind"] {
  if (request.body.model === CHEAP) return "other";
  return /context summarization assistant/.test(JSON.stringify(request.body.system ?? ""))
    ? "compaction"
    : "main";
}

export function seen(request: ModelRequest): SeenRequest {
  const { tools, system, messages } = request.body;
  const plain = (value: unknown) =>
    JSON.stringify(value, (key, inner: unknown) => (key === "cache_control" ? undefined : inner));
  const asBlocks = (content: unknown) =>
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  return {
    kind: kindOf(request),
    text: requestText(request),
    tools: (tools ?? []).map((tool) => tool.name),
    definitions: (tools ?? []).map(plain),
    units: [
      plain(tools),
      plain(system),
      ...messages.map((one) => plain({ ...one, content: asBlocks(one.content) })),
    ],
  };
}

/** Fails if pi does: a turn that Continuo breaks must be noticed. */
async function run(
  [program, ...args]: string[],
  where: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<void> {
  const child = spawn(program ?? "", args, { ...where, stdio: ["ignore", "pipe", "pipe"], timeout: 60_000 });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code !== 0) throw new Error(`pi ended with ${code}: ${output}`);
}
