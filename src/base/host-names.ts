/** Every host, by the name that commands, settings and session ids use. A new host is one name here and one folder. */
export const HOST_NAMES = ["claude-code", "opencode", "pi", "codex", "copilot", "gemini"] as const;

/**
 * Who a session may belong to: MCP clients and the command line have sessions too, but no room and no events of their
 * own.
 */
export const AGENT_NAMES = [...HOST_NAMES, "mcp", "cli"] as const;

export type HostName = (typeof HOST_NAMES)[number];
