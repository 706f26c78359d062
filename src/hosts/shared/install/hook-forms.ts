import { HOOK_TOOL, MCP_SERVER } from "../../names.ts";
import type { HookHost } from "../../port/hook-host.ts";
import type { Finding, Part, Wiring } from "../../port/installer.ts";
import { eventOf, goesOnAt, mayAsk, waitMsAt } from "../hook/events.ts";
import { isAnsweredByTool, toolInput } from "../hook/tool-input.ts";
import { timeoutFor } from "../time-limits.ts";
import { entryOf, hookCommand } from "./hook-command.ts";
import type { Call, Entry } from "./hook-entries.ts";

/** Decides which hooks a host gets, and in which form: a command that starts a process, or a call of the MCP server. */

/** A host whose settings file has a `hooks` object of the form that Claude Code introduced. */
export interface HookFile {
  readonly hook: HookHost;
  readonly versionCommand: readonly string[];
  settingsFile(env: NodeJS.ProcessEnv): string;
  /** A timeout in the host's own unit. */
  timeout(ms: number, event: string): number;
  /** Whether the host's version supports this event (default: yes). */
  knows?(event: string, wiring: Wiring): boolean;
  /** Whether hooks call the MCP server where it can answer, instead of starting a process. */
  callsServer?(wiring: Wiring): boolean;
  /** The folder below the home that must contain the number of an entry after the first for it to start a process. */
  mark?(event: string): string;
  /** Fields of an event's entries besides command and timeout. */
  more?(event: string): Readonly<Record<string, unknown>>;
  /** Throws when hooks in this file would have no effect. */
  refuse?(text: string): void;
  /** What is wrong with the file itself, regardless of its hooks. */
  obstacle?(text: string): Finding | undefined;
  /** What the user should know in addition to "installed". */
  remark?(wiring: Wiring): string | undefined;
  /** When a hook added during a session takes effect (default: from the next session on). */
  readonly addedHolds?: string;
  readonly mcp?: Part;
  readonly statusLine?: Part;
  readonly permissions?: Part;
}

export function entriesFor(file: HookFile, wiring: Wiring): Entry[] {
  return neededEvents(file.hook, wiring)
    .filter((event) => file.knows?.(event, wiring) ?? true)
    .flatMap((event) => entriesAt(file, event, wiring));
}

export function entriesAt(file: HookFile, event: string, wiring: Wiring): Entry[] {
  const { hook } = file;
  const waitMs = timeoutAt(hook, event, wiring);
  const hooks =
    file.callsServer?.(wiring) === true && mayCallServer(hook, event)
      ? toolHooks(file, event, wiring, waitMs)
      : commandHooks(file, event, wiring, waitMs);
  return hooks.map((one) => ({ event, hook: { ...one, ...file.more?.(event) } }));
}

/** A guard must also work while the server is down, so it always runs in a process of its own. */
export function mayCallServer(hook: HookHost, event: string): boolean {
  return isAnsweredByTool(hook, event) && eventOf(hook, event)?.kind !== "guard";
}

function commandHooks(
  { hook, mark, ...file }: HookFile,
  event: string,
  wiring: Wiring,
  waitMs: number,
): Record<string, unknown>[] {
  const { answer, entries = 1 } = eventOf(hook, event) ?? {};
  return Array.from({ length: entries }, (_, i) => {
    const further = i === 0 ? {} : { further: { entry: i + 1, mark: mark?.(event) ?? "" } };
    const options = {
      plainText: answer === "text",
      asks: mayAsk(hook, event),
      goesOn: goesOnAt(hook, event),
    };
    const command = hookCommand(hook.name, wiring, event, { ...options, ...further });
    return { type: "command", command, timeout: file.timeout(waitMs, event) };
  });
}

/**
 * Only the first entry of an event calls the server, because a host shows its user an error for each entry that finds
 * none. Further entries check for their mark in a shell, which costs about as much as a call.
 */
function toolHooks(file: HookFile, event: string, wiring: Wiring, waitMs: number): Record<string, unknown>[] {
  const { hook } = file;
  const isPrompt = eventOf(hook, event)?.kind === "prompt";
  const timeout = file.timeout(waitMs, event);
  const call = {
    type: "mcp_tool",
    server: MCP_SERVER,
    tool: HOOK_TOOL,
    input: toolInput(hook, event),
    // This is also how long the host waits for a server that is still connecting; after that it shows an error.
    timeout,
  };
  const [, ...further] = commandHooks(file, event, wiring, waitMs);
  if (!isPrompt) return [call, ...further];
  // A session cannot do without its prompts, so these also have a command as a fallback.
  const command = hookCommand(hook.name, wiring, event, { isNet: true });
  return [call, ...further, { type: "command", command, timeout }];
}

/** Which of its event's entries this is. */
export function numberOf(call: Call): number {
  return call.kind === "tool" ? 1 : entryOf(call.launch);
}

/** The events to wire. An event that no source answers is left out, because it would cost a process each time. */
export function neededEvents(hook: HookHost, { answered, guards }: Wiring): string[] {
  const isNeeded = (event: string): boolean => {
    const kind = eventOf(hook, event)?.kind;
    if (kind === "guard") return guards;
    return kind === "tool" || kind === "idle" ? answered.has(kind) : true;
  };
  return Object.keys(hook.events).filter(isNeeded);
}

/** The host's timeout in milliseconds. */
export function timeoutAt(hook: HookHost, event: string, { momentLimitMs }: Wiring): number {
  return timeoutFor(waitMsAt(hook, event), momentLimitMs);
}
