import type { Command } from "../command.ts";
import { canAsk } from "../terminal/input.ts";

const TYPED = [
  "This is Continuo's MCP server. It waits for an MCP client, which speaks JSON to it.",
  "To connect an agent, which then starts it by itself: continuo install AGENT",
  "Ctrl-C stops it.",
];

/**
 * The launcher starts the server for a client without loading the command line. This command is for users, and for
 * calls with arguments.
 */
export const mcpCommand: Command = {
  name: "mcp",
  summary: "run the MCP server; MCP clients start it",
  usage: "mcp",
  section: "agents",
  isMinor: true,
  guide:
    "Speaks the Model Context Protocol on standard input and output. `continuo install AGENT` adds it to the agents that Continuo knows; any other MCP client runs the command `continuo mcp`.",
  options: {},
  examples: [["claude mcp add continuo -- continuo mcp", "add the server to a client by hand"]],
  raw: true,
  async run(input) {
    const { env, cwd, serveMcp } = input;
    if (canAsk(input)) for (const line of TYPED) input.tell?.(line);
    await serveMcp(env, cwd);
    return { data: undefined, text: "" };
  },
};
