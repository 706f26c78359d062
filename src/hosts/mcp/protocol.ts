// With `transport.ts` and `forms.ts` all that knows the SDK. It uses `Server` rather than `McpServer`, which wants each schema
// as a zod object: Continuo's are JSON schemas, sent as they are, and each tool checks its own arguments.
import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  type Transport,
  UriTemplate,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { describeError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { promptText, quotedBlock, quoteLine } from "../../compose/escape.ts";
import type { AskUser } from "../../moments/ports/form.ts";
import type { PromptDefinition } from "../../moments/ports/prompt.ts";
import type { ResourceDefinition } from "../../moments/ports/resource.ts";
import type { ToolContext, ToolDefinition } from "../../moments/ports/tool.ts";
import type { OpenRequests } from "../claude-code/resident/open-requests.ts";
import { createForms } from "./forms.ts";
import { lineTransport } from "./transport.ts";

/** Hosts send this to the model with every request: only what the tools' own descriptions cannot say. */
const INSTRUCTIONS = "Call propose_learning when the user says how they want work done in general.";

/**
 * By default the protocol takes a tool for one that deletes and that reaches the internet, and clients ask their user before
 * each call. None of Continuo's leaves what it keeps. A note that is written again is refused, text that is appended again
 * stands there twice: no call counts as one that may be repeated.
 */
const ANNOTATIONS = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  replaces: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
} as const;

/** The protocol allows no more. */
const MAX_COMPLETIONS = 100;

/** Claude Code gives about 48,000 characters to the model and stores the rest in a file; others cut without saying so. */
const MAX_TEXT = 40_000;

/** A longer message ends the connection. A hook's payload may have 8 MB, and more as JSON inside of JSON. */
const MAX_MESSAGE = 32 * 1024 * 1024;

interface Connection {
  /** Settles when nothing can be received or sent any more, for whatever reason. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** What a request says about its sender. */
export interface Caller {
  readonly meta: unknown;
  readonly client: string | undefined;
  /** Fires when the client cancels its request. */
  readonly signal: AbortSignal;
  /** Asks the person at the client, if it has forms. */
  readonly ask?: AskUser | undefined;
}

/** Also what is not listed can be called. A kind with an empty list is not announced, so that no client asks for it. */
export interface Capabilities {
  readonly tools: readonly ToolDefinition[];
  readonly resources: readonly ResourceDefinition[];
  readonly prompts: readonly PromptDefinition[];
}

export interface ListedTool
  extends Pick<ToolDefinition, "name" | "title" | "effect" | "description" | "parameters"> {
  /** What the client should know about it besides. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

interface ProtocolOptions {
  readonly version: string;
  readonly capabilities: Capabilities;
  /** The tools that the client is told about. */
  readonly listTools: (caller: Caller) => Promise<readonly ListedTool[]>;
  /** Whether it is known from the start which session the client runs: only then can words of the user be quoted. */
  readonly namesSession: boolean;
  /** Runs a tool and never throws. */
  readonly callTool: (name: string, args: unknown, caller: Caller) => Promise<CallToolResult | undefined>;
  readonly contextOf: (caller: Caller) => ToolContext;
  /** The client breaks the protocol. */
  readonly onProtocolError: (error: Error) => void;
  /** Where a server that can be started again keeps what it has not answered. */
  readonly requests?: OpenRequests;
  /** Called once, after the first answer. */
  readonly onReady: () => void;
  /** Records a fault of Continuo at the place that it names. */
  readonly onFault: (place: string, error: unknown) => void;
}

/** Speaks MCP on stdin and stdout: the handshake of 2026 (`server/discover`) and that of 2025 (`initialize`). */
export function connect(options: ProtocolOptions): Connection {
  // The SDK's schemas would each compile a function at their first use, which never pays for a session's few messages.
  const zod = (globalThis as { __zod_globalConfig?: { jitless?: boolean } }).__zod_globalConfig;
  if (zod !== undefined) zod.jitless = true;
  const transport = lineTransport(process.stdin, process.stdout, MAX_MESSAGE);
  const handle = serveStdio(() => serverFor(options), { transport, onerror: options.onProtocolError });
  const closed = new Promise<void>((resolve) => {
    const onclose = transport.onclose;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  const send = transport.send.bind(transport);
  if (options.requests !== undefined) keepRequests(transport, options.requests);
  const sendNext = transport.send.bind(transport);
  transport.send = async (message) => {
    transport.send = sendNext;
    await sendNext(message);
    setImmediate(options.onReady);
  };
  for (const { id, isHook } of options.requests?.takeLeft() ?? []) {
    const message = "Continuo's server was started again; try again";
    const answer = isHook
      ? { result: { content: [{ type: "text" as const, text: "{}" }] } }
      : { error: { code: ProtocolErrorCode.InternalError, message } };
    send({ jsonrpc: "2.0", id, ...answer }).catch(options.onProtocolError);
  }
  return { closed, close: () => handle.close() };
}

function keepRequests(transport: Transport, requests: OpenRequests): void {
  const onmessage = transport.onmessage;
  transport.onmessage = (message, ...rest) => {
    requests.opened(message);
    onmessage?.(message, ...rest);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    requests.answered(message);
    await send(message);
  };
}

function serverFor(options: ProtocolOptions): Server {
  const { tools, resources, prompts } = options.capabilities;
  const completes = [...resources, ...prompts].some((one) => one.complete !== undefined);
  const info = { name: "continuo", title: "Continuo", version: options.version };
  const proposes = options.namesSession && tools.some(({ name }) => name === "propose_learning");
  const server = new Server(info, {
    ...(proposes ? { instructions: INSTRUCTIONS } : {}),
    capabilities: {
      tools: {},
      ...(resources.length > 0 ? { resources: {} } : {}),
      ...(prompts.length > 0 ? { prompts: {} } : {}),
      ...(completes ? { completions: {} } : {}),
    },
  });
  server.setRequestHandler("tools/list", async (_request, context: ServerContext) => {
    const listed = await options.listTools(callerOf(server, context));
    return {
      tools: listed.map(({ name, title, effect, description, parameters, meta }) => ({
        name,
        title,
        description,
        inputSchema: { ...parameters } as { type: "object" },
        annotations: ANNOTATIONS[effect],
        ...(meta === undefined ? {} : { _meta: { ...meta } }),
      })),
    };
  });
  server.setRequestHandler("tools/call", async ({ params }, context: ServerContext) => {
    const result = await options.callTool(params.name, params.arguments, callerOf(server, context));
    return result ?? unknownName("tool", params.name, tools);
  });
  if (resources.length > 0) offerResources(server, options);
  if (prompts.length > 0) offerPrompts(server, options);
  if (completes) offerCompletion(server, options);
  return server;
}

/** A client of 2026 introduces itself with each request, an older one once. */
function callerOf(server: Server, { mcpReq: { _meta: meta, envelope, signal } }: ServerContext): Caller {
  const introduced = (envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_INFO_META_KEY];
  const info = isRecord(introduced) ? introduced : server.getClientVersion();
  return { meta, signal, client: typeof info?.["name"] === "string" ? info["name"] : undefined };
}

function offerResources(server: Server, options: ProtocolOptions): void {
  const { resources } = options.capabilities;
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: resources.map(({ uriTemplate, name, description, mimeType }) => ({
      uriTemplate,
      name,
      description,
      mimeType,
    })),
  }));
  server.setRequestHandler("resources/list", async (_request, context: ServerContext) => {
    const call = options.contextOf(callerOf(server, context));
    const lists = await Promise.all(
      resources.map(async (resource) => {
        try {
          const listed = (await resource.list?.(call)) ?? [];
          return listed.map(({ uri, name, description }) => ({
            uri,
            name: quoteLine(name),
            ...(description !== undefined && { description: quoteLine(description) }),
            mimeType: resource.mimeType,
          }));
        } catch (error) {
          // One source that fails must not hide what the others have.
          options.onFault(resource.uriTemplate, error);
          return [];
        }
      }),
    );
    return { resources: lists.flat() };
  });
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context: ServerContext) => {
    const call = options.contextOf(callerOf(server, context));
    for (const resource of resources) {
      const variables = variablesIn(uri, resource.uriTemplate);
      if (variables === undefined) continue;
      const text = await reporting(options, resource.uriTemplate, () => resource.read(variables, call));
      if (text === undefined) continue;
      return {
        contents: [
          { uri, mimeType: resource.mimeType, text: quotedBlock(uri, cut(text), resource.authority) },
        ],
      };
    }
    throw new ResourceNotFoundError(uri);
  });
}

function offerPrompts(server: Server, options: ProtocolOptions): void {
  const { prompts } = options.capabilities;
  const forms = createForms();
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
    const caller = callerOf(server, context);
    return reporting(options, prompt.name, () =>
      forms.run(server, context, async (ask) => {
        const call = options.contextOf({ ...caller, ask });
        const asked = await prompt.render(params.arguments ?? {}, call);
        const text = promptText(prompt.name, { ...asked, quoted: cut(asked.quoted) });
        return {
          description: prompt.description,
          messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
        };
      }),
    );
  });
}

/** How what a person has typed can continue, for a template's variable or a prompt's argument. */
function offerCompletion(server: Server, options: ProtocolOptions): void {
  const { resources, prompts } = options.capabilities;
  server.setRequestHandler("completion/complete", async ({ params }, context: ServerContext) => {
    const { ref, argument } = params;
    const about =
      ref.type === "ref/prompt"
        ? prompts.find((one) => one.name === ref.name)
        : resources.find((one) => one.uriTemplate === ref.uri);
    const call = options.contextOf(callerOf(server, context));
    const place = `completion of ${argument.name}`;
    const all =
      (await reporting(options, place, async () => about?.complete?.(argument.name, argument.value, call))) ??
      [];
    // What is chosen is sent back as it is, so a value that would have to be changed to be shown is not offered.
    const shown = all.filter((value) => quoteLine(value) === value);
    const values = shown.slice(0, MAX_COMPLETIONS);
    return { completion: { values, total: shown.length, hasMore: shown.length > values.length } };
  });
}

/** Values are decoded once; what cannot be decoded is no address of Continuo. */
function variablesIn(uri: string, template: string): Record<string, string> | undefined {
  const matched = new UriTemplate(template).match(uri);
  if (matched === null) return undefined;
  try {
    return Object.fromEntries(
      Object.entries(matched).map(([name, value]) => [name, decodeURIComponent(String(value))]),
    );
  } catch {
    return undefined;
  }
}

/** An expected failure is reported as it is; of a fault, only that there was one. */
async function reporting<T>(options: ProtocolOptions, place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message, hint } = describeError(error);
    if (code !== "bug") {
      const text = hint === undefined ? message : `${message}; ${hint}`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, quoteLine(text));
    }
    options.onFault(place, error);
    const text = `${place} failed because of a fault in Continuo; "continuo doctor" shows it`;
    throw new ProtocolError(ProtocolErrorCode.InternalError, text);
  }
}

function unknownName(kind: string, name: string, known: readonly { readonly name: string }[]): never {
  const names = known.map((one) => one.name).join(", ");
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    quoteLine(`there is no ${kind} "${name}"; there are: ${names}`),
  );
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  // Not through the middle of a character that takes two units.
  const end = /[\ud800-\udbff]/.test(text[MAX_TEXT - 1] ?? "") ? MAX_TEXT - 1 : MAX_TEXT;
  return `${text.slice(0, end)}\n\n(cut here: ${text.length - end} of ${text.length} characters are left out)`;
}
