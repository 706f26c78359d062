/** Every host, by the name that commands, settings and session ids use. A new host is one name here and one folder. */
export const HOST_NAMES = ["claude-code", "opencode", "pi", "codex", "copilot", "gemini"] as const;

export type HostName = (typeof HOST_NAMES)[number];

/** Continuo's MCP server as hosts name it, and its tool that hooks call instead of starting a process. */
export const MCP_SERVER = "continuo";
export const HOOK_TOOL = "hook";

/** In the place of an entry's number in a hook's arguments: this hook runs because the MCP server does not. */
export const NO_SERVER = "no-server";
