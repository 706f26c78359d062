import { dirname, join, win32 } from "node:path";
import type { HostName } from "../../../base/host-names.ts";
import { ASK, NO_SERVER, SERVERS, SOCKETS } from "../../names.ts";
import type { HookLaunch, Wiring } from "../../port/installer.ts";

/**
 * The shell command of one hook entry. Even if the runtime or the script is gone, it ends with exit code 0 and writes
 * nothing to standard error: Gemini CLI refuses every prompt when the shell cannot find a program, Claude Code when a
 * hook ends with code 2. An answer is printed only when it is complete.
 *
 * Where the agent stops or its session ends, nobody waits for the process: a host that has no time, or ends itself, would
 * show the person this line as failed. There the shell waits for the answer alone, or for nothing, and the process goes on.
 */
export function hookCommand(
  host: HostName,
  wiring: Wiring,
  event: string,
  {
    platform = process.platform,
    plainText = false,
    further,
    isNet = false,
    goesOn,
    asks = false,
  }: CommandOptions = {},
): string {
  const paths = launchPaths(wiring, platform);
  const args = [
    "hook",
    host,
    event,
    ...(further === undefined ? [] : [further.entry]),
    ...(isNet ? [NO_SERVER] : []),
  ];
  const launch = (quote: (path: string) => string) => [...paths.map(quote), ...args].join(" ");
  if (shellOf(host, platform) === "powershell") {
    // The answer is not captured: Windows PowerShell would decode it with the console's code page.
    return `try { & ${launch(powershellWord)} 2>$null } catch { }; exit 0`;
  }
  const answer = plainText ? 'printf %s "$o"' : `case $o in '{'*'}') printf %s "$o"; esac`;
  const started = launch(posixWord);
  // A shell gives what it leaves behind an empty input, unless that is another descriptor by then.
  if (goesOn === "silently")
    return `{ { ulimit -S -t ${CPU_SECONDS}; ${started} <&3 3<&- >/dev/null & } 3<&0; :; } 2>/dev/null`;
  if (goesOn === "answering")
    return `{ ulimit -S -t ${CPU_SECONDS}; { o=$(${started} <&3 3<&- &); } 3<&0; ${answer}; :; } 2>/dev/null`;
  // The shell looks for marks and sockets in the same home as the hook would.
  const home = `\${CONTINUO_HOME:-$HOME/.continuo}`;
  const ask = `${PERL} ${posixWord(join(dirname(wiring.script), ASK))}`;
  const run = asks
    ? `s="${home}/${SOCKETS}/$PPID"; set -- ${started}; o=$([ -S "$s" ] && ${ask} "$s" "$@" || "$@")`
    : `o=$(${started})`;
  const work = `ulimit -S -t ${CPU_SECONDS}; ${run} && ${answer};`;
  if (isNet)
    return `{ { read -r p <"${home}/${SERVERS}/$PPID" && kill -0 "$p"; } || { ${work} }; :; } 2>/dev/null`;
  if (further === undefined) return `{ ${work} :; } 2>/dev/null`;
  return `{ [ -e "${home}/${further.mark}/${further.entry}" ] && { ${work} }; :; } 2>/dev/null`;
}

/** By its path, so that nothing in a project takes its place. It is on macOS and most Linux systems. */
const PERL = "/usr/bin/perl";

/** Runtime and script. With slashes on Windows, where a backslash means something to Git Bash. */
export function launchPaths({ runtime, script }: Wiring, platform = process.platform): string[] {
  return [runtime, script].map((path) => (platform === "win32" ? path.replaceAll("\\", "/") : path));
}

export interface CommandOptions {
  readonly platform?: NodeJS.Platform;
  /** The host takes plain text at this event, so an answer that is not JSON is printed too. */
  readonly plainText?: boolean;
  /**
   * For an entry after the event's first: its number, and the folder below the home in which a file of that name must
   * exist for a process to start. In POSIX shells only.
   */
  readonly further?: { readonly entry: number; readonly mark: string };
  /** The process goes on when the hook is over: the shell waits until it has closed its output, or not at all. In POSIX shells only. */
  readonly goesOn?: "answering" | "silently" | undefined;
  /** Starts a process only while no MCP server of Continuo's runs for this host process. In POSIX shells only. */
  readonly isNet?: boolean;
  /** Asks the MCP server of this host process, and starts a process only if that cannot be asked. In POSIX shells only. */
  readonly asks?: boolean;
}

/**
 * A host that stops waiting may end only the shell and not what the shell runs. This limit ends a runtime that would
 * otherwise run for ever. Hooks use well under a second. A soft limit, which the commands of rules lift for themselves.
 */
const CPU_SECONDS = 20;

/** The kind of shell that runs a host's hook commands. Claude Code uses Git Bash on Windows. */
export function shellOf(
  host: HostName,
  platform: NodeJS.Platform = process.platform,
): "posix" | "powershell" {
  return platform === "win32" && host !== "claude-code" ? "powershell" : "posix";
}

/** One word of a command line, as this or an older version quotes it. */
export const WORD = String.raw`('(?:[^']|'\\''|'')*'|"[^"]*"|[\w@%+=:,./\\~-]+)`;
const LAUNCH = String.raw`${WORD} ${WORD} hook ([\w-]+) (\w+)(?: (\d+|${NO_SERVER}))?`;
/** What the shell looks at before it starts a process. */
const CONDITION = String.raw`(?:\[ -e "[^"]*" \] &&|\{ read -r p <"[^"]*" && kill -0 "\$p"; \} \|\|) \{ `;
const ANSWER = String.raw`(?:printf %s "\$o"|case \$o in '\{'\*'\}'\) printf %s "\$o"; esac)`;
const ASKING = String.raw`o=\$\(\[ -S "\$s" \] && ${WORD} ${WORD} "\$s" "\$@" \|\| "\$@"\)`;
/** Whole commands: whatever else a command does, a user made it do. */
const FORMS = [
  String.raw`^\{ (?:${CONDITION})?(?:ulimit (?:-S )?-t \d+; )?o=\$\(${LAUNCH}\) && ${ANSWER};(?: \};)? :; \} 2>/dev/null$`,
  String.raw`^\{ ulimit (?:-S )?-t \d+; \{ o=\$\(${LAUNCH} <&3 3<&- &\); \} 3<&0; ${ANSWER}; :; \} 2>/dev/null$`,
  String.raw`^\{ \{ ulimit (?:-S )?-t \d+; ${LAUNCH} <&3 3<&- >/dev/null & \} 3<&0; :; \} 2>/dev/null$`,
  String.raw`^\{ (?:ulimit (?:-S )?-t \d+; )?s="[^"]*"; set -- ${LAUNCH}; ${ASKING} && ${ANSWER}; :; \} 2>/dev/null$`,
  String.raw`^try \{ & ${LAUNCH} 2>\$null \} catch \{ \}; exit 0$`,
].map((form) => new RegExp(form));
/** Written by older versions, or by hand. Not behind another command: that one is the user's. */
const BARE = new RegExp(String.raw`^(?:[A-Za-z_]\w*=[\w./:-]* )*(?:exec |& )?${LAUNCH}$`);

/** The launch in a command of this or another version of Continuo; undefined for any other command. */
export function launchIn(host: HostName, command: unknown): HookLaunch | undefined {
  if (typeof command !== "string") return undefined;
  const whole = FORMS.map((form) => form.exec(command.trim())).find((match) => match !== null);
  const [, runtime = "", script = "", name = "", event = "", entry] =
    whole ?? BARE.exec(command.trim()) ?? [];
  if (name !== host || !isOwnScript(unquoted(script))) return undefined;
  if (whole === undefined && !isRuntime(unquoted(runtime))) return undefined;
  return {
    runtime: unquoted(runtime),
    script: unquoted(script),
    args: ["hook", host, event, ...(entry === undefined ? [] : [entry])],
  };
}

/** Whether a path is that of Continuo's script, in any version and place. */
export function isOwnScript(path = ""): boolean {
  return /(^|[\\/])continuo\.cjs$/.test(path);
}

/** Whether a program runs scripts, and is not one that a user put before Continuo's. */
export function isRuntime(path = ""): boolean {
  const [name = ""] = path.split(/[\\/]/).slice(-1);
  return path === process.execPath || /^\.?(node|nodejs|bun|deno)(-?[\d.]+|-wrapped)?(\.exe)?$/i.test(name);
}

/** Which of an event's entries this is. */
export function entryOf({ args }: HookLaunch): number {
  return args[3] === NO_SERVER ? 1 : Number(args[3] ?? 1);
}

/** The absolute paths that a launch names. A command written by hand may have just `node`. */
export function pathsIn({ runtime, script }: HookLaunch): string[] {
  return [runtime, script].filter(isAbsolute);
}

/** For any system: paths that are absolute elsewhere are absolute on Windows too. */
export function isAbsolute(path: string): boolean {
  return win32.isAbsolute(path);
}

export function posixWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function powershellWord(path: string): string {
  return `'${path.replaceAll("'", "''")}'`;
}

export function unquoted(word: string): string {
  const inner = word.slice(1, -1);
  if (word.startsWith('"')) return inner;
  if (!word.startsWith("'")) return word;
  // A POSIX shell's way to write an apostrophe, or PowerShell's.
  return inner.includes("'\\''") ? inner.replaceAll("'\\''", "'") : inner.replaceAll("''", "'");
}
