import { win32 } from "node:path";
import type { HostName } from "../moments/types.ts";
import type { Wiring } from "./installer.ts";

/** The shell command of one hook entry, quoted for the shells that hosts use on this system. */
export function hookCommand(
  host: HostName,
  wiring: Wiring,
  event: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const program = [wiring.runtime, wiring.script].map((path) => shellWord(path, platform));
  return [...program, "hook", host, event].join(" ");
}

/** Is this hook entry's command one of ours for that host, of this or another version or place? */
export function isOurs(host: HostName, command: unknown): command is string {
  if (typeof command !== "string") return false;
  const [, name] = /continuo\.cjs["']? hook ([\w-]+) \w+$/.exec(command.trim()) ?? [];
  return name === host;
}

/** The absolute paths that a command of ours names: runtime and script. By hand, people write just `node`. */
export function pathsIn(command: string): string[] {
  const words = command.match(/'(?:[^']|'\\'')*'|"[^"]*"|\S+/g) ?? [];
  return words
    .slice(0, 2)
    .map((word) => word.replace(/^["']|["']$/g, "").replaceAll("'\\''", "'"))
    .filter(isAbsolute);
}

/** On any system: what Windows takes for absolute includes what others do. */
export function isAbsolute(path: string): boolean {
  return win32.isAbsolute(path);
}

function shellWord(path: string, platform: NodeJS.Platform): string {
  // Git Bash and PowerShell both take forward slashes between double quotes.
  if (platform === "win32") return `"${path.replaceAll("\\", "/")}"`;
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
