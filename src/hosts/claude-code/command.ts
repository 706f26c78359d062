import type { Wiring } from "../installer.ts";

/** The shell command of one hook entry, quoted for the shell that Claude Code uses on this system. */
export function hookCommand(
  wiring: Wiring,
  event: string,
  platform: NodeJS.Platform = process.platform,
): string {
  return [
    shellWord(wiring.runtime, platform),
    shellWord(wiring.script, platform),
    "hook",
    "claude-code",
    event,
  ].join(" ");
}

/** Is this hook entry's command one of ours, of this or another version or place? */
export function isOurs(command: unknown): command is string {
  return typeof command === "string" && /continuo\.cjs["']? hook claude-code \w+$/.test(command.trim());
}

/** The absolute paths that a command of ours names: runtime and script. */
export function pathsIn(command: string): string[] {
  const words = command.match(/'(?:[^']|'\\'')*'|"[^"]*"|\S+/g) ?? [];
  return words.slice(0, 2).map((word) => word.replace(/^["']|["']$/g, "").replaceAll("'\\''", "'"));
}

function shellWord(path: string, platform: NodeJS.Platform): string {
  // Git Bash and PowerShell both take forward slashes between double quotes.
  if (platform === "win32") return `"${path.replaceAll("\\", "/")}"`;
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
