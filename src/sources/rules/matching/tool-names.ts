/** Rule files are shared between hosts: a tool that is `Bash` in one host is `bash` in another. */
export function isSameTool(written: string, called: string | undefined): boolean {
  return written.toLowerCase() === called?.toLowerCase();
}

/** For a tool of an MCP server, the name of the server as rules write it: `mcp_<server>`. */
export function serverOf(tool: string): string | undefined {
  const server = /^mcp__(.+?)__/.exec(tool)?.[1];
  return server === undefined ? undefined : `mcp_${server.replace(/[^a-zA-Z0-9_-]/g, "_")}`;
}
