import module from "node:module";
import { join } from "node:path";
import { preferSmall } from "../hosts/mcp/memory.ts";
import { findHome } from "../store/home.ts";
import { version } from "./version.ts";

/** One server process. Its answers are the protocol's, written while it runs. */
export async function mcpMain(env: NodeJS.ProcessEnv, cwd: string): Promise<void> {
  // What Node keeps there is readable for its owner only, as everything in the home is.
  process.umask(0o077);
  // Saves a server a tenth of its start. Not in the shared temporary folder, where others could put code for us to run.
  module.enableCompileCache?.(join(findHome(env).root, "cache", "compiled"));
  // Apart, so that no other command reads the SDK.
  const { serveMcp } = await import("../hosts/mcp/serve-mcp.ts");
  await serveMcp({ env, cwd, now: Date.now, version, onReady: settle });
}

/** What was compiled so far is kept for the next start. Afterwards: code that was compiled with other flags is not taken. */
function settle(): void {
  module.flushCompileCache?.();
  preferSmall();
}
