/**
 * Programs that run the hooks of other hosts, and for which Continuo has no installer and no reader of past sessions yet. To
 * make one a host, move its name up; `unknown` is any other.
 */
const CALLER_NAMES = ["vscode", "cursor", "unknown"] as const;

export type CallerName = (typeof CALLER_NAMES)[number];

/**
 * Continuo's MCP server as hosts name it, and its tool that hooks call instead of starting a process. After a
 * compaction Claude Code names the tool to the model, so the name says whom it is for.
 */
export const MCP_SERVER = "continuo";
export const HOOK_TOOL = "for_hooks_only";

/** Also as older versions wrote it into settings, which stay until the next update. */
export function isHookTool(name: unknown): boolean {
  return name === HOOK_TOOL || name === "hook";
}

/** In the place of an entry's number in a hook's arguments: this hook runs because the MCP server does not. */
export const NO_SERVER = "no-server";

/** Below the home: a socket for each host process, where its MCP server answers hooks. `ASK` asks there. */
export const SOCKETS = "sockets";
export const ASK = "ask.pl";

/** Below the home, by the host's process id: which MCP server runs for it, and the requests that it has not answered yet. */
export const SERVERS = "servers";
export const REQUESTS = "requests";
