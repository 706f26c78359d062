import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CLAUDE_CODE } from "../../test/support/claude-code.ts";
import { startLines } from "./hosts/lines.ts";

/** Continuo's MCP server as Claude Code starts it and as its hooks call it. */
export interface HookServer {
  readonly pid: number;
  ping(): Promise<boolean>;
  /** Calls the tool as the installed hook of this event does; false if that event starts a process. */
  hook(event: string, payload: object): Promise<boolean>;
  end(): Promise<void>;
}

interface ToolHook {
  readonly type: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
}

interface Settings {
  readonly hooks?: Readonly<Record<string, readonly { readonly hooks: readonly ToolHook[] }[]>>;
}

interface Servers {
  readonly mcpServers?: Readonly<
    Record<string, { readonly command: string; readonly args?: string[]; readonly env?: object }>
  >;
}

export async function startHookServer(
  user: string,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<HookServer> {
  const { hooks = {} } = JSON.parse(readFileSync(join(user, ".claude", "settings.json"), "utf8")) as Settings;
  const { mcpServers = {} } = JSON.parse(readFileSync(join(user, ".claude.json"), "utf8")) as Servers;
  const entry = mcpServers["continuo"];
  if (entry === undefined) throw new Error("no MCP server was installed");
  const server = startLines([entry.command, ...(entry.args ?? [])], {
    cwd,
    // Claude Code sets it: the server then runs below a shell that starts it again.
    env: { ...env, CLAUDECODE: "1", ...entry.env },
  });
  let last = 0;
  const request = async (method: string, params: object) => {
    const id = ++last;
    const answer = server.until((line) => line["id"] === id);
    server.send({ jsonrpc: "2.0", id, method, params });
    const line = await answer;
    if (line["error"] !== undefined) throw new Error(`${method}: ${JSON.stringify(line["error"])}`);
    return line["result"];
  };
  const clientInfo = { name: "claude-code", version: CLAUDE_CODE };
  await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  await request("tools/list", {});
  return {
    pid: server.pid,
    async ping() {
      await request("ping", {});
      return true;
    },
    async hook(event, payload) {
      const calls = (hooks[event] ?? []).flatMap((group) => group.hooks).filter(isToolHook);
      for (const { tool, input } of calls)
        await request("tools/call", { name: tool, arguments: filled(input, payload) });
      return calls.length > 0;
    },
    end: () => server.end(),
  };
}

const isToolHook = ({ type }: ToolHook): boolean => type === "mcp_tool";

/** As Claude Code fills in a template: strings only, an object as JSON, a missing field as an empty string. */
function filled(input: Readonly<Record<string, string>>, payload: object): Record<string, string> {
  const values = payload as Readonly<Record<string, unknown>>;
  const textOf = (name: string) => {
    const value = values[name] ?? "";
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  return Object.fromEntries(
    Object.entries(input).map(([key, text]) => [
      key,
      text.replace(/\$\{([\w.]+)\}/g, (_, name: string) => textOf(name)),
    ]),
  );
}
