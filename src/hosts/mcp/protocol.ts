// The only file that knows the SDK. Its `Server` is used rather than `McpServer`, which wants each schema as a zod object:
// ours are JSON schemas, sent as they are, and each tool checks its own arguments.
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  UriTemplate,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { ToolContext } from "../../moments/tool-port.ts";
import type { Offers } from "./offers.ts";
import { serverInfo } from "./server-info.ts";

export interface Connection {
  /** Settles when nothing can be received or sent any more, for whatever reason. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export interface ProtocolOptions {
  readonly version: string;
  readonly offers: Offers;
  /** Runs a tool and never throws. */
  readonly callTool: (name: string, args: unknown, meta: unknown) => Promise<CallToolResult | undefined>;
  readonly contextOf: (meta: unknown) => ToolContext;
  readonly onTrouble: (error: Error) => void;
}

/** Speaks MCP on stdin and stdout: the handshake of 2026 (`server/discover`) and that of 2025 (`initialize`). */
export function connect(options: ProtocolOptions): Connection {
  const transport = new StdioServerTransport();
  const handle = serveStdio(() => serverFor(options), { transport, onerror: options.onTrouble });
  const closed = new Promise<void>((resolve) => {
    const theirs = transport.onclose;
    transport.onclose = () => {
      theirs?.();
      resolve();
    };
  });
  return { closed, close: () => handle.close() };
}

function serverFor(options: ProtocolOptions): Server {
  const { tools, resources, prompts } = options.offers;
  const { instructions, ...info } = serverInfo(options.version);
  const server = new Server(info, {
    instructions,
    capabilities: {
      tools: {},
      ...(resources.length > 0 ? { resources: {} } : {}),
      ...(prompts.length > 0 ? { prompts: {} } : {}),
    },
  });
  server.setRequestHandler("tools/list", () => ({
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: { ...parameters } as { type: "object" },
    })),
  }));
  server.setRequestHandler("tools/call", async ({ params }, context: ServerContext) => {
    const result = await options.callTool(params.name, params.arguments, context.mcpReq._meta);
    return result ?? unknownName("tool", params.name, tools);
  });
  if (resources.length > 0) offerResources(server, options);
  if (prompts.length > 0) offerPrompts(server, options);
  return server;
}

function offerResources(server: Server, { offers: { resources }, contextOf }: ProtocolOptions): void {
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: resources.map(({ uriTemplate, name, description, mimeType }) => ({
      uriTemplate,
      name,
      description,
      mimeType,
    })),
  }));
  server.setRequestHandler("resources/list", async (_request, context: ServerContext) => {
    const call = contextOf(context.mcpReq._meta);
    const lists = await Promise.all(
      resources.map(async ({ list, mimeType }) =>
        ((await list?.(call)) ?? []).map((one) => ({ ...one, mimeType })),
      ),
    );
    return { resources: lists.flat() };
  });
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context: ServerContext) => {
    for (const { uriTemplate, mimeType, read } of resources) {
      const variables = new UriTemplate(uriTemplate).match(uri);
      if (variables === null) continue;
      const single = Object.entries(variables).map(([name, value]) => [name, String(value)]);
      const text = await read(Object.fromEntries(single), contextOf(context.mcpReq._meta));
      if (text !== undefined) return { contents: [{ uri, mimeType, text }] };
    }
    throw new ResourceNotFoundError(uri);
  });
}

function offerPrompts(server: Server, { offers: { prompts }, contextOf }: ProtocolOptions): void {
  server.setRequestHandler("prompts/list", () => ({
    prompts: prompts.map(({ name, description, arguments: args }) => ({
      name,
      description,
      arguments: args.map((one) => ({ ...one })),
    })),
  }));
  server.setRequestHandler("prompts/get", async ({ params }, context: ServerContext) => {
    const prompt = prompts.find((one) => one.name === params.name);
    if (prompt === undefined) return unknownName("prompt", params.name, prompts);
    const text = await prompt.render(params.arguments ?? {}, contextOf(context.mcpReq._meta));
    return {
      description: prompt.description,
      messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
    };
  });
}

function unknownName(kind: string, name: string, known: readonly { readonly name: string }[]): never {
  const names = known.map((one) => one.name).join(", ");
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `there is no ${kind} "${name}"; there are: ${names}`,
  );
}
