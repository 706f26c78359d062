import { dirname, join, win32 } from "node:path";
import type { HostName } from "../../../base/host-names.ts";
import { ASK, NO_SERVER, SERVERS, SOCKETS } from "../../names.ts";
import type { HookLaunch, Wiring } from "../../port/installer.ts";

/**
 * The shell command of one hook entry. Even if the runtime or the script is gone, it exits with code 0 and writes
 * nothing to standard error: Gemini CLI refuses every prompt if the shell cannot find a program, and Claude Code if a
 * hook exits with code 2. An answer is printed only when it is complete.
 *
 * When the agent stops or its session ends, nobody waits for the process: a host that runs out of time, or exits
 * itself, would show the hook as failed. So at these events the shell waits only for the answer, or for nothing, and
 * the process continues.
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
    // The answer is not captured, because Windows PowerShell would decode it with the console's code page.
    return `try { & ${launch(powershellWord)} 2>$null } catch { }; exit 0`;
  }
  const answer = plainText ? 'printf %s "$o"' : `case $o in '{'*'}') printf %s "$o"; esac`;
  const started = launch(posixWord);
  // A shell gives a background process an empty standard input, unless input is on another descriptor by then.
  if (goesOn === "silently")
    return `{ { ulimit -S -t ${CPU_SECONDS}; ${started} <&3 3<&- >/dev/null & } 3<&0; :; } 2>/dev/null`;
  if (goesOn === "answering")
    return `{ ulimit -S -t ${CPU_SECONDS}; { o=$(${started} <&3 3<&- &); } 3<&0; ${answer}; :; } 2>/dev/null`;
  // The shell looks for marks and sockets in the same home as the hook.
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

/** An absolute path, so that nothing in a project replaces it. Present on macOS and most Linux systems. */
const PERL = "/usr/bin/perl";

/** Runtime and script. With slashes on Windows, because Git Bash interprets backslashes. */
export function launchPaths({ runtime, script }: Wiring, platform = process.platform): string[] {
  return [runtime, script].map((path) => (platform === "win32" ? path.replaceAll("\\", "/") : path));
}

export interface CommandOptions {
  readonly platform?: NodeJS.Platform;
  /** At this event the host accepts plain text, so an answer that is not JSON is printed too. */
  readonly plainText?: boolean;
  /**
   * For an entry after the event's first: its number, and the folder below the home that must contain a file of that
   * name for a process to start. Only in POSIX shells.
   */
  readonly further?: { readonly entry: number; readonly mark: string };
  /**
   * Whether the process continues after the hook is over: the shell waits until the process has closed its output, or
   * not at all. Only in POSIX shells.
   */
  readonly goesOn?: "answering" | "silently" | undefined;
  /** Starts a process only if no MCP server of Continuo's runs for this host process. Only in POSIX shells. */
  readonly isNet?: boolean;
  /**
   * Asks the MCP server of this host process, and starts a process only if the server cannot be asked. Only in POSIX
   * shells.
   */
  readonly asks?: boolean;
}

/**
 * A host that stops waiting may kill only the shell and not its child. This limit ends a runtime that would otherwise
 * run forever. Hooks use well under a second. It is a soft limit, which the commands of rules lift for themselves.
 */
const CPU_SECONDS = 20;

/** The kind of shell that runs a host's hook commands. Claude Code uses Git Bash on Windows. */
export function shellOf(
  host: HostName,
  platform: NodeJS.Platform = process.platform,
): "posix" | "powershell" {
  return platform === "win32" && host !== "claude-code" ? "powershell" : "posix";
}

/** One word of a command line, as quoted by this version or an older one. */
export const WORD = String.raw`('(?:[^']|'\\''|'')*'|"[^"]*"|[\w@%+=:,./\\~-]+)`;
const LAUNCH = String.raw`${WORD} ${WORD} hook ([\w-]+) (\w+)(?: (\d+|${NO_SERVER}))?`;
/** The condition that the shell checks before it starts a process. */
const CONDITION = String.raw`(?:\[ -e "[^"]*" \] &&|\{ read -r p <"[^"]*" && kill -0 "\$p"; \} \|\|) \{ `;
const ANSWER = String.raw`(?:printf %s "\$o"|case \$o in '\{'\*'\}'\) printf %s "\$o"; esac)`;
const ASKING = String.raw`o=\$\(\[ -S "\$s" \] && ${WORD} ${WORD} "\$s" "\$@" \|\| "\$@"\)`;
/** Matches whole commands: a command that does anything else was changed by the user. */
const FORMS = [
  String.raw`^\{ (?:${CONDITION})?(?:ulimit (?:-S )?-t \d+; )?o=\$\(${LAUNCH}\) && ${ANSWER};(?: \};)? :; \} 2>/dev/null$`,
  String.raw`^\{ ulimit (?:-S )?-t \d+; \{ o=\$\(${LAUNCH} <&3 3<&- &\); \} 3<&0; ${ANSWER}; :; \} 2>/dev/null$`,
  String.raw`^\{ \{ ulimit (?:-S )?-t \d+; ${LAUNCH} <&3 3<&- >/dev/null & \} 3<&0; :; \} 2>/dev/null$`,
  String.raw`^\{ (?:ulimit (?:-S )?-t \d+; )?s="[^"]*"; set -- ${LAUNCH}; ${ASKING} && ${ANSWER}; :; \} 2>/dev/null$`,
  String.raw`^try \{ & ${LAUNCH} 2>\$null \} catch \{ \}; exit 0$`,
].map((form) => new RegExp(form));
/** Written by older versions, or by hand. Not after another command, which is the user's. */
const BARE = new RegExp(String.raw`^(?:[A-Za-z_]\w*=[\w./:-]* )*(?:exec |& )?${LAUNCH}$`);

/** The launch inside a command of any version of Continuo; undefined for other commands. */
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

/** Whether this is the path of Continuo's script, in any version and place. */
export function isOwnScript(path = ""): boolean {
  return /(^|[\\/])continuo\.cjs$/.test(path);
}

/** Whether a program is a runtime, and not a wrapper that the user put before Continuo's script. */
export function isRuntime(path = ""): boolean {
  const [name = ""] = path.split(/[\\/]/).slice(-1);
  return path === process.execPath || /^\.?(node|nodejs|bun|deno)(-?[\d.]+|-wrapped)?(\.exe)?$/i.test(name);
}

/** Which of its event's entries this is. */
export function entryOf({ args }: HookLaunch): number {
  return args[3] === NO_SERVER ? 1 : Number(args[3] ?? 1);
}

/** The absolute paths in a launch. A command written by hand may have just `node`. */
export function pathsIn({ runtime, script }: HookLaunch): string[] {
  return [runtime, script].filter(isAbsolute);
}

/** For any system, so that paths that are absolute elsewhere are also absolute on Windows. */
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
  // An apostrophe, as a POSIX shell or PowerShell quotes it.
  return inner.includes("'\\''") ? inner.replaceAll("'\\''", "'") : inner.replaceAll("''", "'");
}
