import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childScript, finished } from "./child.ts";
import { PEAK_KB } from "./peak-memory.ts";

/** An event as its host names it, and the payload. */
export type HookCall = readonly [event: string, payload: object];

const SESSION = `
import { readFileSync } from "node:fs";
import { HOOK_HOSTS } from "./src/hosts/index.ts";
import { runHook } from "./src/hosts/shared/hook/run-hook.ts";
import { loadHistory } from "./src/hosts/index.ts";
import { SOURCES } from "./src/sources/index.ts";
const { host, calls } = JSON.parse(readFileSync(0, "utf8"));
const common = { host, env: process.env, cwd: process.cwd(), now: Date.now, hosts: HOOK_HOSTS, sources: SOURCES, history: loadHistory };
const texts = [];
for (const [event, payload] of calls) {
  const readPayload = async () => payload;
  texts.push(await runHook({ ...common, event, readPayload }));
}
process.stdout.write(JSON.stringify({ text: texts.join(""), peak: ${PEAK_KB} }), () => process.exit(0));
`;

let script: Promise<string> | undefined;

/**
 * Runs all hooks of a session, one after the other, in one process that can be traced and measured: ten times cheaper than
 * one process each. `prefix` is a program that runs it, with its arguments. The script is removed with the temporary
 * folder of the whole run.
 */
export async function runSession(
  host: string,
  calls: readonly HookCall[],
  where: { cwd: string; env: NodeJS.ProcessEnv; prefix?: readonly string[]; timeoutMs?: number },
): Promise<{ code: number | null; stderr: string; text: string; peak: number }> {
  script ??= childScript(mkdtempSync(join(tmpdir(), "session-")), SESSION);
  // Else garbage piles up while threads that collect it wait for a processor, and the peak depends on the machine.
  const node = [process.execPath, "--single-threaded-gc", await script];
  const [file = "", ...args] = [...(where.prefix ?? []), ...node];
  const { cwd, env, timeoutMs = 60_000 } = where;
  const child = spawn(file, args, { cwd, env, timeout: timeoutMs, killSignal: "SIGKILL" });
  child.stdin.on("error", () => undefined); // it may have been killed
  child.stdin.end(JSON.stringify({ host, calls }));
  const { code, stdout, stderr } = await finished(child);
  const { text, peak } = stdout === "" ? { text: "", peak: Number.NaN } : JSON.parse(stdout);
  return { code, stderr, text, peak };
}
