/**
 * Programs that run the hooks of other hosts, and for which Continuo has no installer and no transcript reader yet. To
 * make one a host, move its name to the list of hosts; `unknown` is any other program.
 */
const CALLER_NAMES = ["vscode", "cursor", "unknown"] as const;

export type CallerName = (typeof CALLER_NAMES)[number];

/**
 * The name of Continuo's MCP server in hosts, and its tool that hooks call instead of starting a process. After a
 * compaction Claude Code shows the tool's name to the model, so the name says whom it is for.
 */
export const MCP_SERVER = "continuo";
export const HOOK_TOOL = "for_hooks_only";

/** Also recognises names that older versions wrote into settings, which stay until the next update. */
export function isHookTool(name: unknown): boolean {
  return name === HOOK_TOOL || name === "hook";
}

/** Replaces an entry's number in a hook's arguments: this hook runs because the MCP server does not. */
export const NO_SERVER = "no-server";

/**
 * Folder below the home with a socket for each host process, on which its MCP server answers hooks. `ASK` is the
 * program that asks.
 */
export const SOCKETS = "sockets";
export const ASK = "ask.pl";

/** Folder below the home with a file per host process id: which MCP server runs for it, and its unanswered requests. */
export const SERVERS = "servers";
export const REQUESTS = "requests";
