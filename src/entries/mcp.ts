/** The process of `continuo mcp`. Its answers are the protocol's, written while it runs. */
import { oneLine } from "../base/for-terminal.ts";
import { version } from "../base/version.ts";
import { STOPPED } from "../hosts/claude-code/resident/host-process.ts";
import { preferSmall } from "../hosts/mcp/process.ts";
import { SOURCES } from "../sources/index.ts";
import { keepEvents } from "../sources/sets/events.ts";
import { workingFolder } from "../store/folder.ts";
import { loadParts } from "./parts.ts";

/** What the launcher calls. `onReady` is called once, when the server has started. */
export function main(onReady: () => void): void {
  serve(process.env, workingFolder(), onReady).catch((error: Error) => {
    process.stderr.write(`continuo: ${oneLine(error.message)}\n`);
    process.exitCode = 1;
  });
}

/** A server with everything that sources register, until its client is gone. */
export async function serve(
  env: NodeJS.ProcessEnv,
  cwd: string,
  onReady: () => void = () => undefined,
): Promise<void> {
  if (env[STOPPED] !== undefined) {
    const { withoutServer } = await import("../hosts/claude-code/resident/no-server.ts");
    await withoutServer(env, SOURCES, "stopped");
    return;
  }
  process.umask(0o077);
  // Apart, so that no other command reads the SDK.
  const { serveMcp } = await import("../hosts/mcp/serve-mcp.ts");
  const { now, history, prompts, ...offered } = await loadParts();
  // What moments need is loaded after the first answer, for which the host waits.
  const hooks = () => import("./mcp-moments.ts");
  const settle = () => {
    // In this order: code that was compiled with other flags is not taken at the next start.
    onReady();
    preferSmall();
  };
  await serveMcp({
    env,
    cwd,
    now,
    version,
    history,
    // A client sends a prompt to its model: one that only answers the person is none there.
    capabilities: { ...offered, prompts: prompts.filter(({ onlyAnswers }) => onlyAnswers !== true) },
    hooks,
    onOpen: keepEvents,
    onReady: () => void hooks().then(settle, settle),
  });
}
