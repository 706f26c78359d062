import module from "node:module";
import { join } from "node:path";
import { version } from "../base/version.ts";
import { preferSmall } from "../hosts/mcp/process.ts";
import { ensureFolder } from "../store/folder.ts";
import { findHome } from "../store/home.ts";
import { STOPPED } from "./when-stopped.ts";

/** One server process. Its answers are the protocol's, written while it runs. */
export async function mcpMain(env: NodeJS.ProcessEnv, cwd: string): Promise<void> {
  if (env[STOPPED] !== undefined) {
    await (await import("./no-server.ts")).withoutServer(env);
    return;
  }
  // What Node keeps there is readable for its owner only, as everything in the home is.
  process.umask(0o077);
  // Saves a server a tenth of its start. Not in the shared temporary folder, where others could put code that would be run here.
  compileCache(join(findHome(env).root, "cache", "compiled"));
  // Apart, so that no other command reads the SDK.
  const { serve } = await import("./mcp-server.ts");
  await serve({ env, cwd, version, onReady: settle });
}

/** Node itself would try for ever to make the folder below /proc. */
function compileCache(folder: string): void {
  try {
    ensureFolder(folder);
    module.enableCompileCache?.(folder);
  } catch {
    // Only speed is lost; `doctor` tells about a home that cannot be written.
  }
}

/** What was compiled so far is kept for the next start. Afterwards: code that was compiled with other flags is not taken. */
function settle(): void {
  module.flushCompileCache?.();
  preferSmall();
}
