import { expect, onTestFinished } from "vitest";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { classify, countOccurrences, sharedPrefix } from "../fakes/anthropic-requests.ts";
import type { ModelRequest } from "../fakes/anthropic-wire.ts";
import { CONTINUO, runScript } from "./child.ts";
import {
  CLAUDE_CODE,
  type ClaudeCodeOptions,
  type HookForm,
  startClaudeCode,
  userEnv,
} from "./claude-code.ts";
import { installedPackage, orSkipReason } from "./packages.ts";
import { write } from "./world.ts";

/** Waits for the download once; without it each test would have to be skipped for the same reason. */
export async function missingClaudeCode(version = CLAUDE_CODE): Promise<string | undefined> {
  const found = await orSkipReason(installedPackage("@anthropic-ai/claude-code", version));
  return typeof found === "object" && "skip" in found ? found.skip : undefined;
}

interface Options extends ClaudeCodeOptions {
  readonly files?: Record<string, string>;
  readonly form?: HookForm;
  /** What the model says when nothing is left that it was told to say. */
  readonly otherwise?: () => Reply;
}

/** Claude Code with Continuo installed in its settings, until the test ends. */
export async function wiredClaudeCode({ files = {}, form = "command", ...options }: Options = {}) {
  const { otherwise = () => ({ text: "done" }) } = options;
  let queue: Reply[] = [];
  const respond = (request: ModelRequest): Reply => {
    if (classify(request) === "compaction")
      return { text: "<analysis>x</analysis>\n<summary>We worked.</summary>" };
    return classify(request) === "main" ? (queue.shift() ?? otherwise()) : { text: "ok" };
  };
  const server = options.server ?? (await startFakeAnthropic({ respond }));
  onTestFinished(() => server.close());
  const host = await startClaudeCode({ git: true, ...options, server });
  onTestFinished(() => host.dispose());
  write(host.project, files);
  const env = userEnv(host, form);
  const cli = async (...args: string[]) => {
    const done = await runScript(CONTINUO, args, { env, cwd: host.project });
    expect(done).toMatchObject({ code: 0, stderr: "" });
    return done.stdout;
  };
  await cli("install", "claude-code");
  return {
    ...host,
    cli,
    replies: (...next: Reply[]) => {
      queue = next;
    },
    /** What the model received in one run, in which nobody is asked for permissions. */
    turn: async (prompt: string, next: Reply[] = [], args: readonly string[] = []) => {
      queue = next;
      const all = ["--permission-mode", "bypassPermissions", ...args];
      const done = await host.run({ prompt, args: all });
      expect(done.code, done.stderr).toBe(0);
      return done.requests;
    },
  };
}

export function mainOf(requests: readonly ModelRequest[]): ModelRequest[] {
  return requests.filter((request) => classify(request) === "main");
}

export function expectOnce(request: ModelRequest | undefined, ...marks: readonly string[]): void {
  for (const mark of marks) expect(request && countOccurrences(request, mark), mark).toBe(1);
}

export function expectPrefix(requests: readonly ModelRequest[]): void {
  for (let i = 1; i < requests.length; i++)
    expect(sharedPrefix(requests[i - 1]!, requests[i]!), `request ${i}`).toEqual({
      system: true,
      tools: true,
      messages: true,
    });
}
