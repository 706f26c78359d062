import { version } from "../base/version.ts";
import { STOPPED } from "../hosts/mcp/host-process.ts";
import { preferSmall } from "../hosts/mcp/process.ts";

/** One server process. Its answers are the protocol's, written while it runs. */
export async function mcpMain(
  env: NodeJS.ProcessEnv,
  cwd: string,
  onReady: () => void = () => undefined,
): Promise<void> {
  if (env[STOPPED] !== undefined) {
    await (await import("./no-server.ts")).withoutServer(env, "stopped");
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
