import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheRoot } from "../../../test/support/packages.ts";

export const CLAUDE_MEM = "13.25.3";
/** What its hooks load from outside of its bundles. Its other dependencies belong to commands that no hook runs. */
const NEEDED = ["zod@4.4.3", "shell-quote@1.9.0"];

/**
 * The folder of its Claude Code plugin. Unpacked instead of installed: one of its package's dependencies, which only its
 * server edition needs, is not in every registry.
 */
export function claudeMemPlugin(): string {
  const folder = join(cacheRoot(), `claude-mem@${CLAUDE_MEM}`);
  const plugin = join(folder, "package", "plugin");
  if (existsSync(plugin)) return plugin;
  mkdirSync(cacheRoot(), { recursive: true, mode: 0o700 });
  const temporary = mkdtempSync(join(cacheRoot(), "installing-"));
  try {
    const npm = (...args: string[]) =>
      execFileSync("npm", [...args, "--loglevel=error"], {
        cwd: temporary,
        stdio: ["ignore", "pipe", "pipe"],
      });
    writeFileSync(join(temporary, "package.json"), '{"private":true}\n');
    npm("install", "--ignore-scripts", "--no-audit", "--no-fund", ...NEEDED);
    npm("pack", `claude-mem@${CLAUDE_MEM}`);
    execFileSync("tar", ["xzf", `claude-mem-${CLAUDE_MEM}.tgz`], { cwd: temporary });
    renameSync(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return plugin;
}
