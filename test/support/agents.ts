import { chmodSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, write } from "./world.ts";

/** A folder for the PATH with Claude Code as npm installs it: its version is in a file, and nothing is started. */
export function claudeCode(version: string | undefined): { bin: string; become(version: string): void } {
  const folder = temporaryFolder();
  const [bin, inPackage] = [
    join(folder, "bin"),
    join(folder, "node_modules", "@anthropic-ai", "claude-code"),
  ];
  mkdirSync(bin);
  const become = (now: string) => {
    write(inPackage, { "package.json": JSON.stringify({ version: now }), "cli.js": "#!/bin/false\n" });
    chmodSync(join(inPackage, "cli.js"), 0o755);
    if (!existsSync(join(bin, "claude"))) symlinkSync(join(inPackage, "cli.js"), join(bin, "claude"));
  };
  if (version !== undefined) become(version);
  return { bin, become };
}
