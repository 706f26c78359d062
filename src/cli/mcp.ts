import { preferSmall } from "../hosts/mcp/memory.ts";
import type { Command } from "./command.ts";
import { version } from "./version.ts";

/** Its answers are the protocol's, written while it runs: the command itself prints nothing. */
export const mcpCommand: Command = {
  name: "mcp",
  summary: "what an MCP client starts: Continuo's tools on stdin and stdout",
  usage: "mcp",
  options: {},
  raw: true,
  async run({ env, cwd, now }) {
    preferSmall();
    // Apart, so that no other command reads the SDK.
    const { serveMcp } = await import("../hosts/mcp/serve-mcp.ts");
    await serveMcp({ env, cwd, now, version });
    return { data: undefined, text: "" };
  },
};
