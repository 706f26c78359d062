import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { startFakeAnthropic } from "../../../test/fakes/anthropic.ts";
import { classify } from "../../../test/fakes/anthropic-requests.ts";
import { claudeCodeEnv, DEFAULT_MODEL, startClaudeCode } from "../../../test/support/claude-code.ts";
import { type Lines, startLines } from "./lines.ts";
import { type Form, furnish, install, type LivingHost, readingModel } from "./living-host.ts";

const STREAM = ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];

export interface LivingClaudeCode extends LivingHost {
  /** Which events are answered by the MCP server instead of a process. */
  readonly resident: readonly string[];
}

/** Claude Code without a screen, one process for many turns. `prefix` is a program that runs it, such as a tracer. */
export async function livingClaudeCode(
  form: Form,
  prefix: readonly string[] = [],
): Promise<LivingClaudeCode> {
  const server = await startFakeAnthropic();
  const host = await startClaudeCode({ git: true, server });
  const files = furnish(host.home, host.project, form.store);
  const model = readingModel(files);
  server.respondWith((request) => {
    if (classify(request) !== "main") return { text: "done" };
    const file = model.next();
    const usage = { input_tokens: 1_000 }; // never enough for a compaction
    return file === undefined
      ? { text: "done", usage }
      : { toolUses: [{ name: "Read", input: { file_path: file } }], usage };
  });
  const env = claudeCodeEnv(host.home, join(dirname(host.home), "tmp"), server.url);
  install("claude-code", form, withClaude(env, dirname(host.home), host.program), host.project);
  let running: Lines | undefined;
  const command = [...prefix, ...host.program, ...STREAM, "--model", DEFAULT_MODEL];
  return {
    resident: form.script === undefined ? [] : residentEvents(join(host.home, ".claude", "settings.json")),
    turn: (prompt, calls) =>
      model.run(calls, async () => {
        running ??= startLines([...command, "--permission-mode", "bypassPermissions"], {
          cwd: host.project,
          env,
        });
        running.send({ type: "user", message: { role: "user", content: [{ type: "text", text: prompt }] } });
        await running.until((line) => line["type"] === "result");
      }),
    async stop() {
      await running?.end();
      running = undefined;
    },
    async dispose() {
      await running?.end();
      await host.dispose();
      await server.close();
    },
  };
}

/** With `claude` on the PATH, as users have it: the installer asks for its version. */
export function withClaude(
  env: NodeJS.ProcessEnv,
  folder: string,
  [program = ""]: readonly string[],
): NodeJS.ProcessEnv {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(program, join(bin, "claude"));
  return { ...env, PATH: `${bin}:${env["PATH"]}` };
}

function residentEvents(settings: string): string[] {
  const { hooks = {} } = JSON.parse(readFileSync(settings, "utf8")) as { hooks?: Record<string, unknown> };
  return Object.keys(hooks).filter((event) => JSON.stringify(hooks[event]).includes('"mcp_tool"'));
}
