/** Rule files are shared between hosts, and what is `Bash` in one is `bash` in the next. */
export function isSameTool(written: string, called: string | undefined): boolean {
  return written.toLowerCase() === called?.toLowerCase();
}

/** A tool of an MCP server is also known by its server, as `mcp_<server>`. */
export function serverOf(tool: string): string | undefined {
  const server = /^mcp__(.+?)__/.exec(tool)?.[1];
  return server === undefined ? undefined : `mcp_${server.replace(/[^a-zA-Z0-9_-]/g, "_")}`;
}
