import type { Command } from "../command.ts";

/** The launcher starts the server without loading the command line. This command serves `--help` and calls with arguments. */
export const mcpCommand: Command = {
  name: "mcp",
  summary: "run the MCP server (MCP clients start it)",
  usage: "mcp",
  group: "hosts",
  options: {},
  raw: true,
  async run({ env, cwd, serveMcp }) {
    await serveMcp(env, cwd);
    return { data: undefined, text: "" };
  },
};
