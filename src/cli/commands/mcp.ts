import type { Command } from "../command.ts";

/** The launcher runs it without the rest of the command line; this is for help, and for those who give arguments. */
export const mcpCommand: Command = {
  name: "mcp",
  summary: "what an MCP client starts: Continuo's tools on stdin and stdout",
  usage: "mcp",
  options: {},
  raw: true,
  async run({ env, cwd, serveMcp }) {
    await serveMcp(env, cwd);
    return { data: undefined, text: "" };
  },
};
