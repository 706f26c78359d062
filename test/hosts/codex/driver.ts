import { readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { continuo } from "../../e2e/continuo.ts";
import type { HostDriver, ScriptedReply, SeenRequest } from "../../e2e/host-driver.ts";
import { type ResponsesReply, type ResponsesRequest, startFakeResponses } from "../../fakes/responses.ts";
import { codexConfig, codexProgram } from "../../support/codex-program.ts";
import { makePlace } from "../../support/place.ts";
import { HOOK_SABOTAGES, tampering } from "../../support/tampering.ts";
import { openTerminal } from "../../support/terminal.ts";

const COMPACT_EARLY = ["-c", "model_auto_compact_token_limit=50"];

/** The real program with Continuo installed in it, in folders of its own. */
export async function startCodex(): Promise<HostDriver> {
  const program = await codexProgram();
  const place = await makePlace("codex");
  const server = await startFakeResponses();
  let queue: ResponsesReply[] = [];
  server.respondWith((request) => {
    if (kindOf(request) === "compaction") return { text: "We read a file." };
    return (kindOf(request) === "main" ? queue.shift() : undefined) ?? { text: "done" };
  });
  const folder = join(place.home, ".codex");
  const config = join(folder, "config.toml");
  await mkdir(folder);
  writeFileSync(config, codexConfig(server.url));
  await continuo(place, "install", "codex");
  const { sabotage, trace } = tampering({
    hooks: join(folder, "hooks.json"),
    others: [config],
    folder: dirname(place.home),
  });

  async function exec(prompt: string, session: string | undefined, options: readonly string[] = []) {
    const from = server.requests.length;
    // Without the flag Codex leaves out hooks that nobody has trusted by hand.
    const flags = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust", "--json", ...options];
    const rest = session === undefined ? [prompt] : ["resume", session, prompt];
    const output = await place.run([program, "exec", ...flags, ...rest], { FAKE_KEY: "x" });
    const id = session ?? /"thread_id":"([^"]+)"/.exec(output)?.[1];
    if (id === undefined) throw new Error(`Codex named no thread: ${output.slice(0, 500)}`);
    // Codex would show this to its user at every start.
    const [warning] = /ignoring [^"]*hooks\.json[^"]*/.exec(output) ?? [];
    if (warning !== undefined) throw new Error(`Codex warns about our hooks: ${warning}`);
    return { session: id, requests: server.requests.slice(from).map(seen) };
  }

  return {
    hostName: "codex",
    addresses: async () => [server.url],
    project: place.project,
    env: place.env,
    turn(prompt, { session, replies = [] } = {}) {
      queue = replies.flatMap(scripted);
      return exec(prompt, session);
    },
    // `codex exec` has no command for it, so the limit is lowered until it compacts by itself.
    compact: async (session) => (await exec("compact", session, COMPACT_EARLY)).requests,
    overflow(session) {
      queue = scripted({ read: "src/a.ts" });
      return exec("read", session, COMPACT_EARLY).then(({ requests }) => requests);
    },
    async watch(prompts, replies = []) {
      queue = replies.flatMap(scripted);
      const from = server.requests.length;
      const trusted = `\n[projects."${place.project}"]\ntrust_level = "trusted"\n`;
      writeFileSync(config, readFileSync(config, "utf8") + trusted);
      const command = [program, "--dangerously-bypass-hook-trust"];
      const size = { columns: 120, lines: 70 };
      const env = { ...place.env, FAKE_KEY: "x" };
      const screen = await openTerminal(dirname(place.home), command, { cwd: place.project, env, size });
      await screen.until(/Ask Codex to do anything/);
      let shown = "";
      for (const [at, prompt] of prompts.entries()) {
        await screen.type(prompt);
        await screen.until(new RegExp(`› ${prompt}`));
        await screen.press("Enter");
        shown = await screen.until(new RegExp(`Hook · Continuo${"[\\s\\S]*• done".repeat(at + 1)}`));
      }
      await screen.close();
      return { shown, requests: server.requests.slice(from).map(seen) };
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

function scripted(reply: ScriptedReply): ResponsesReply[] {
  if ("text" in reply) return [reply];
  if ("read" in reply) return [{ call: { name: "exec_command", arguments: { cmd: `cat ${reply.read}` } } }];
  // After a patch in a shell command, which is how it edits with this model, Codex runs no hook.
  if ("edit" in reply)
    return [
      {
        call: {
          name: "exec_command",
          arguments: { cmd: `cat > ${reply.edit} <<'EOF'\n${reply.content}EOF` },
        },
      },
    ];
  if ("shell" in reply) return [{ call: { name: "exec_command", arguments: { cmd: reply.shell } } }];
  if ("call" in reply)
    return [{ call: { name: reply.call, namespace: "mcp__continuo", arguments: reply.input } }];
  const spawn = { name: "spawn_agent", namespace: "multi_agent_v1", arguments: { message: reply.delegate } };
  // Codex does not wait for its children, and ends them with itself.
  return [{ call: spawn }, { call: { name: "exec_command", arguments: { cmd: "sleep 3" } } }];
}

function kindOf(request: ResponsesRequest): SeenRequest["kind"] {
  const about = JSON.parse(String(request.headers["x-codex-turn-metadata"] ?? "{}")) as Record<
    string,
    unknown
  >;
  if (about["request_kind"] === "compaction") return "compaction";
  return about["thread_source"] === "subagent" ? "child" : "main";
}

function seen(request: ResponsesRequest): SeenRequest {
  const { instructions = "", input, tools = [] } = request.body;
  const texts = input.flatMap(({ content, output }) => {
    const inner = typeof content === "string" ? [content] : (content ?? []).map((part) => part.text ?? "");
    return output === undefined
      ? inner
      : [...inner, typeof output === "string" ? output : JSON.stringify(output)];
  });
  return {
    kind: kindOf(request),
    text: [instructions, ...texts].join("\n"),
    // Tools of a server stand together, one level down.
    tools: [...JSON.stringify(tools).matchAll(/"name":"([^"]+)"/g)].map(([, name = ""]) => name),
    definitions: tools.map((tool) => JSON.stringify(tool)),
    units: [JSON.stringify(tools), instructions, ...input.map((item) => JSON.stringify(item))],
  };
}
