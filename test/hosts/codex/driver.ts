import { writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { codexInstaller } from "../../../src/hosts/codex/installer.ts";
import type { HostDriver, ScriptedReply, SeenRequest } from "../../e2e/host-contract.ts";
import { type ResponsesReply, type ResponsesRequest, startFakeResponses } from "../../fakes/responses.ts";
import { makePlace, sabotageFile } from "../../support/codex.ts";
import { codexConfig, codexProgram } from "../../support/codex-program.ts";

export interface CodexDriver extends HostDriver {
  /** Where the host keeps its files, as it sees it. */
  readonly env: Record<string, string>;
}

/** The real program with our hooks in its settings, in folders of its own. */
export async function startCodex(): Promise<CodexDriver> {
  const program = await codexProgram();
  const place = await makePlace({ name: "codex", module: "src/hosts/codex/hook.ts" });
  const server = await startFakeResponses();
  let queue: ResponsesReply[] = [];
  server.respondWith((request) => {
    if (kindOf(request) === "compaction") return { text: "We read a file." };
    return (kindOf(request) === "main" ? queue.shift() : undefined) ?? { text: "done" };
  });
  const hooks = codexInstaller.settingsFile(place.env);
  await mkdir(join(place.home, ".codex"));
  writeFileSync(join(place.home, ".codex", "config.toml"), codexConfig(server.url));
  const wired = codexInstaller.add("", place.wiring);
  writeFileSync(hooks, wired);

  async function exec(prompt: string, session: string | undefined, options: readonly string[] = []) {
    const from = server.requests.length;
    // Without the flag Codex leaves out hooks that nobody has trusted by hand.
    const flags = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust", "--json", ...options];
    const rest = session === undefined ? [prompt] : ["resume", session, prompt];
    const output = await place.run([program, "exec", ...flags, ...rest], { FAKE_KEY: "x" });
    const id = session ?? /"thread_id":"([^"]+)"/.exec(output)?.[1];
    if (id === undefined) throw new Error(`Codex named no thread: ${output.slice(0, 500)}`);
    return { session: id, requests: server.requests.slice(from).map(seen) };
  }

  return {
    project: place.project,
    env: place.env,
    turn(prompt, { session, replies = [] } = {}) {
      queue = replies.flatMap(scripted);
      return exec(prompt, session);
    },
    // `codex exec` has no command for it, so the limit is lowered until it compacts by itself.
    compact: async (session) =>
      (await exec("compact", session, ["-c", "model_auto_compact_token_limit=50"])).requests,
    sabotage: async (how) => sabotageFile(hooks, wired, how),
    async dispose() {
      place.dispose();
      await server.close();
    },
  };
}

function scripted(reply: ScriptedReply): ResponsesReply[] {
  if ("text" in reply) return [reply];
  if ("read" in reply) return [{ call: { name: "exec_command", arguments: { cmd: `cat ${reply.read}` } } }];
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
    return typeof output === "string" ? [...inner, output] : inner;
  });
  return {
    kind: kindOf(request),
    text: [instructions, ...texts].join("\n"),
    units: [JSON.stringify(tools), instructions, ...input.map((item) => JSON.stringify(item))],
  };
}
