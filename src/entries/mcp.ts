/** The process of `continuo mcp`. Its output is the protocol's messages, written while it runs. */
import { oneLine } from "../base/for-terminal.ts";
import { version } from "../base/version.ts";
import { STOPPED } from "../hosts/claude-code/resident/host-process.ts";
import { preferSmall } from "../hosts/mcp/process.ts";
import { SOURCES } from "../sources/index.ts";
import { keepEvents } from "../sources/sets/events.ts";
import { workingFolder } from "../store/folder.ts";
import { loadParts } from "./parts.ts";

/** Called by the launcher. `onReady` is called once, when the server has started. */
export function main(onReady: () => void): void {
  serve(process.env, workingFolder(), onReady).catch((error: Error) => {
    process.stderr.write(`continuo: ${oneLine(error.message)}\n`);
    process.exitCode = 1;
  });
}

/** Runs a server with everything that sources register, until its client is gone. */
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
  // Imported separately, so that no other command loads the SDK.
  const { serveMcp } = await import("../hosts/mcp/serve-mcp.ts");
  const { now, history, prompts, ...offered } = await loadParts();
  // What moments need is loaded after the first answer, because the host waits for that one.
  const hooks = () => import("./mcp-moments.ts");
  const settle = () => {
    // In this order: compiled code is rejected at the next start if the flags differ.
    onReady();
    preferSmall();
  };
  await serveMcp({
    env,
    cwd,
    now,
    version,
    history,
    // A client sends prompts to its model, so prompts that only answer the user are left out.
    capabilities: { ...offered, prompts: prompts.filter(({ onlyAnswers }) => onlyAnswers !== true) },
    hooks,
    onOpen: keepEvents,
    onReady: () => void hooks().then(settle, settle),
  });
}
