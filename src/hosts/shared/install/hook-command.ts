import { win32 } from "node:path";
import type { HostName } from "../../names.ts";
import type { Wiring } from "../../port/installer.ts";

/**
 * The shell command of one hook entry. Whatever becomes of the runtime and the script, it ends with exit code 0 and
 * writes nothing to standard error: Gemini CLI refuses every prompt when the shell cannot find a program, Claude Code
 * when a hook ends with code 2. An answer is passed on only when it is complete.
 */
export function hookCommand(
  host: HostName,
  wiring: Wiring,
  event: string,
  { platform = process.platform, plainText = false, further }: CommandOptions = {},
): string {
  const isWindows = platform === "win32";
  const paths = [wiring.runtime, wiring.script].map((path) =>
    isWindows ? path.replaceAll("\\", "/") : path,
  );
  const args = ["hook", host, event, ...(further === undefined ? [] : [further.entry])];
  const launch = (quote: (path: string) => string) => [...paths.map(quote), ...args].join(" ");
  if (shellOf(host, platform) === "powershell") {
    // Nothing is captured here: Windows PowerShell would decode the answer with the console's code page.
    return `try { & ${launch(powershellWord)} 2>$null } catch { }; exit 0`;
  }
  const answer = plainText ? 'printf %s "$o"' : `case $o in '{'*'}') printf %s "$o"; esac`;
  const work = `ulimit -t ${CPU_SECONDS}; o=$(${launch(posixWord)}) && ${answer};`;
  if (further === undefined) return `{ ${work} :; } 2>/dev/null`;
  // Looked for by the shell where a hook of ours would find its home.
  const mark = `"\${CONTINUO_HOME:-$HOME/.continuo}/${further.mark}/${further.entry}"`;
  return `{ [ -e ${mark} ] && { ${work} }; :; } 2>/dev/null`;
}

export interface CommandOptions {
  readonly platform?: NodeJS.Platform;
  /** The host takes plain text at this event, so an answer that is not JSON is passed on too. */
  readonly plainText?: boolean;
  /**
   * Not the event's first entry: its number, and the folder below the home that must hold it for a process to start. In
   * POSIX shells only.
   */
  readonly further?: { readonly entry: number; readonly mark: string };
}

/**
 * A host that stops waiting may end only the shell. The output of what the shell ran ends with the shell, so the host
 * does not wait for it; this limit ends a runtime that would otherwise loop on. Hooks use well under a second.
 */
const CPU_SECONDS = 20;

/** The kind of shell that a host hands hook commands to. Claude Code runs Git Bash on Windows. */
export function shellOf(
  host: HostName,
  platform: NodeJS.Platform = process.platform,
): "posix" | "powershell" {
  return platform === "win32" && host !== "claude-code" ? "powershell" : "posix";
}

/** What a hook command starts, without the shell around it. */
export interface HookLaunch {
  readonly runtime: string;
  readonly script: string;
  readonly args: readonly string[];
}

const WORD = String.raw`('(?:[^']|'\\''|'')*'|"[^"]*"|[\w@%+=:,./\\~-]+)`;
const LAUNCH = String.raw`${WORD} ${WORD} hook ([\w-]+) (\w+)(?: (\d+))?`;
const FORMS = [
  String.raw`^\{ .*?o=\$\(${LAUNCH}\) .*2>/dev/null$`,
  String.raw`^try \{ & ${LAUNCH} 2>\$null .*exit 0$`,
  // As older versions wrote it, or a user by hand.
  `^.*?${LAUNCH}$`,
].map((form) => new RegExp(form));

/** The launch in a command that this or another version wrote; undefined for anybody else's. */
export function launchIn(host: HostName, command: unknown): HookLaunch | undefined {
  if (typeof command !== "string") return undefined;
  const found = FORMS.map((form) => form.exec(command.trim())).find((match) => match !== null);
  const [, runtime = "", script = "", name = "", event = "", entry] = found ?? [];
  if (name !== host || !/(^|[\\/])continuo\.cjs$/.test(unquoted(script))) return undefined;
  return {
    runtime: unquoted(runtime),
    script: unquoted(script),
    args: ["hook", host, event, ...(entry === undefined ? [] : [entry])],
  };
}

/** Which of an event's entries this is. */
export function entryOf({ args }: HookLaunch): number {
  return Number(args[3] ?? 1);
}

/** The absolute paths that a launch names. By hand, people write just `node`. */
export function pathsIn({ runtime, script }: HookLaunch): string[] {
  return [runtime, script].filter(isAbsolute);
}

/** On any system: what Windows takes for absolute includes what others do. */
export function isAbsolute(path: string): boolean {
  return win32.isAbsolute(path);
}

function posixWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function powershellWord(path: string): string {
  return `'${path.replaceAll("'", "''")}'`;
}

function unquoted(word: string): string {
  const inner = word.slice(1, -1);
  if (word.startsWith('"')) return inner;
  return word.startsWith("'") ? inner.replaceAll("'\\''", "'").replaceAll("''", "'") : word;
}
