/** Every host, by the name that commands, settings and session ids use. A new host is one name here and one folder. */
export const HOST_NAMES = ["claude-code", "opencode", "pi", "codex", "copilot", "gemini"] as const;

export type HostName = (typeof HOST_NAMES)[number];
