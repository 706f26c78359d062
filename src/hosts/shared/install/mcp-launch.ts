import type { Wiring } from "../../port/installer.ts";
import { isAbsolute, isOwnScript, isRuntime } from "./hook-command.ts";

/** How a client starts Continuo's MCP server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** No shell is involved, so nothing is quoted. */
export function launchOf({ runtime, script }: Wiring): Launch {
  return { command: runtime, args: [script, "mcp"] };
}

const SHELL = "/bin/sh";

/**
 * A shell script that replaces itself by the server, if the server exists. If not, because the package was removed
 * without `continuo uninstall`, the shell itself answers as a server without tools: a host whose hooks call the server
 * would otherwise show an error at every hook. One answer suits every request, because clients ignore fields that they
 * do not know. The id is the last field of a message; similar text inside a string has backslashes before its quotes.
 */
const ANSWER = JSON.stringify({
  protocolVersion: "2025-06-18",
  capabilities: { tools: {} },
  serverInfo: { name: "continuo", version: "0" },
  tools: [],
  content: [{ type: "text", text: "{}" }],
});
const START = '[ -x "$0" ] && [ -f "$1" ] && exec "$0" "$@"';
const SCRIPT = [
  START,
  `while read -r m; do i=\${m##*\\"id\\":}; [ "$i" = "$m" ] || ` +
    `printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "\${i%%[,\\}]*}" '${ANSWER}'; done`,
].join("; ");

/** The same, but silent if the package is gone. Costs the start of a shell, about a millisecond. */
export function lastingLaunchOf(wiring: Wiring, platform: NodeJS.Platform = process.platform): Launch {
  if (platform === "win32") return launchOf(wiring);
  return { command: SHELL, args: ["-c", SCRIPT, wiring.runtime, wiring.script, "mcp"] };
}

/** How an entry starts Continuo, in any version and place; undefined if it starts something else. */
export function ourLaunch(command: unknown, args: unknown): Launch | undefined {
  if (typeof command !== "string" || !Array.isArray(args)) return undefined;
  const words = args.filter((one): one is string => typeof one === "string");
  const isShell = command === SHELL && words[0] === "-c" && words[1]?.startsWith(START) === true;
  // Any other program that receives the script is the user's own wrapper.
  if (!isShell && !isRuntime(command)) return undefined;
  const [script = "", word, ...more] = words.slice(isShell ? 3 : 0);
  const isOurs = isOwnScript(script) && word === "mcp" && more.length === 0;
  return isOurs && words.length === args.length ? { command, args: words } : undefined;
}

export function isSameLaunch(one: Launch, other: Launch): boolean {
  return one.command === other.command && one.args.join("\0") === other.args.join("\0");
}

/** The absolute paths in a launch. An entry written by hand may have just `node`. */
export function pathsOf({ command, args }: Launch): string[] {
  const paths = args[0] === "-c" ? [command, ...args.slice(2, 4)] : [command, ...args.slice(0, 1)];
  return paths.filter(isAbsolute);
}
