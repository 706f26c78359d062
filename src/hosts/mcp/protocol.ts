// Only this file, `transport.ts` and `forms.ts` use the SDK. It uses `Server` rather than `McpServer`, which wants each
// schema as a zod object: Continuo's are JSON schemas, sent unchanged, and each tool checks its own arguments.
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
import { describeError, whatFailed } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { promptText, quotedBlock, quoteLine } from "../../compose/escape.ts";
import type { AskUser } from "../../moments/ports/form.ts";
import type { PromptDefinition } from "../../moments/ports/prompt.ts";
import type { ResourceDefinition } from "../../moments/ports/resource.ts";
import type { ToolContext, ToolDefinition } from "../../moments/ports/tool.ts";
import type { OpenRequests } from "../claude-code/resident/open-requests.ts";
import { createForms } from "./forms.ts";
import { lineTransport } from "./transport.ts";

/** Hosts send this to the model with every request, so it contains only what the tools' descriptions cannot say. */
const INSTRUCTIONS = "Call propose_learning when the user says how they want work done in general.";

/**
 * By default the protocol assumes that a tool deletes data and reaches the internet, and clients ask the user before
 * each call. Continuo's tools do neither. They are not idempotent: writing a note again is refused, and appending a
 * text again adds it twice.
 */
const ANNOTATIONS = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  replaces: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
} as const;

/** The protocol's limit. */
const MAX_COMPLETIONS = 100;

/**
 * Claude Code passes about 48,000 characters to the model and stores the rest in a file; other clients cut silently.
 */
const MAX_TEXT = 40_000;

/** A longer message ends the connection. A hook's payload may have 8 MB, and more when it is JSON inside JSON. */
const MAX_MESSAGE = 32 * 1024 * 1024;

interface Connection {
  /** Settles when nothing can be received or sent any more, for any reason. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** What a request says about its sender. */
export interface Caller {
  readonly meta: unknown;
  readonly client: string | undefined;
  /** Fires when the client cancels its request. */
  readonly signal: AbortSignal;
  /** Asks the user at the client, if it supports forms. */
  readonly ask?: AskUser | undefined;
}

/**
 * Tools that are not listed can be called too. A kind with an empty list is not announced, so that no client asks for
 * it.
 */
export interface Capabilities {
  readonly tools: readonly ToolDefinition[];
  readonly resources: readonly ResourceDefinition[];
  readonly prompts: readonly PromptDefinition[];
}

export interface ListedTool
  extends Pick<ToolDefinition, "name" | "title" | "effect" | "description" | "parameters"> {
  /** Further data for the client. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

interface ProtocolOptions {
  readonly version: string;
  readonly capabilities: Capabilities;
  /** The tools that are announced to the client. */
  readonly listTools: (caller: Caller) => Promise<readonly ListedTool[]>;
  /** Whether it is known from the start which session the client runs: only then can the user's words be quoted. */
  readonly namesSession: boolean;
  /** Runs a tool and never throws. */
  readonly callTool: (name: string, args: unknown, caller: Caller) => Promise<CallToolResult | undefined>;
  readonly contextOf: (caller: Caller) => ToolContext;
  /** Called when the client breaks the protocol. */
  readonly onProtocolError: (error: Error) => void;
  /** Where a server that can be restarted stores its unanswered requests. */
  readonly requests?: OpenRequests;
  /** Called once, after the first answer. */
  readonly onReady: () => void;
  /** Records a bug of Continuo at the named place. */
  readonly onFault: (place: string, error: unknown) => void;
}

/** Speaks MCP on stdin and stdout, with the handshake of 2026 (`server/discover`) and that of 2025 (`initialize`). */
export function connect(options: ProtocolOptions): Connection {
  // Without this, the SDK's schemas would each compile a function at their first use, which never pays off for a
  // session's few messages.
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

/** A client of 2026 introduces itself with each request, an older one only once. */
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
          // One source that fails must not hide the resources of the others.
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

/** Completes what the user has typed for a template's variable or a prompt's argument. */
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
    // A chosen value is sent back unchanged, so values that cannot be shown unchanged are not offered.
    const shown = all.filter((value) => quoteLine(value) === value);
    const values = shown.slice(0, MAX_COMPLETIONS);
    return { completion: { values, total: shown.length, hasMore: shown.length > values.length } };
  });
}

/** Values are decoded once; a URI that cannot be decoded is not one of Continuo's. */
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

/** An expected failure is reported in full; for a bug, only that there was one. */
async function reporting<T>(options: ProtocolOptions, place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (describeError(error).code !== "bug")
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, quoteLine(whatFailed(error)));
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
  // Do not cut through a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text[MAX_TEXT - 1] ?? "") ? MAX_TEXT - 1 : MAX_TEXT;
  return `${text.slice(0, end)}\n\n(cut here: ${text.length - end} of ${text.length} characters are left out)`;
}
