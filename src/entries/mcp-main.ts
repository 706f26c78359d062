import { version } from "../base/version.ts";
import { STOPPED } from "../hosts/claude-code/resident/host-process.ts";
import { preferSmall } from "../hosts/mcp/process.ts";

/** One server process. Its answers are the protocol's, written while it runs. */
export async function mcpMain(
  env: NodeJS.ProcessEnv,
  cwd: string,
  onReady: () => void = () => undefined,
): Promise<void> {
  if (env[STOPPED] !== undefined) {
    const { withoutServer } = await import("../hosts/claude-code/resident/no-server.ts");
    const { SOURCES } = await import("../sources/index.ts");
    await withoutServer(env, SOURCES, "stopped");
    return;
  }
  process.umask(0o077);
  // Apart, so that no other command reads the SDK.
  const { serve } = await import("./mcp-server.ts");
  const settle = () => {
    // In this order: code that was compiled with other flags is not taken at the next start.
    onReady();
    preferSmall();
  };
  await serve({ env, cwd, version, onReady: settle });
}
