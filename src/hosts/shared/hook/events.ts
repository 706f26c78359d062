import type { Room } from "../../../compose/room.ts";
import type { EventKind, HookCaller, HookEvent } from "../../port/hook-host.ts";
import { WAIT_MS } from "../time-limits.ts";

/** How much of one answer to this event reaches the model. */
export function roomAt(host: HookCaller, event: string): Room {
  return eventOf(host, event)?.room ?? host.room;
}

const WAITS: Readonly<Record<EventKind, number>> = {
  start: WAIT_MS.start,
  childStart: WAIT_MS.start,
  prompt: WAIT_MS.prompt,
  guard: WAIT_MS.guard,
  tool: WAIT_MS.tool,
  compacting: WAIT_MS.compaction,
  summary: WAIT_MS.idle,
  idle: WAIT_MS.idle,
  end: WAIT_MS.end,
};

/** How long the host waits for an answer, in milliseconds, unless the user's settings ask for more. */
export function waitMsAt(host: HookCaller, event: string): number {
  const kind = eventOf(host, event)?.kind;
  return kind === undefined ? WAIT_MS.prompt : WAITS[kind];
}

/** Event names come from the command line: `constructor` must not be found. */
export function eventOf({ events }: HookCaller, name: string): HookEvent | undefined {
  return Object.hasOwn(events, name) ? events[name] : undefined;
}

/** Whether the hook's process continues after the host has what it waits for. */
export function goesOnAt(hook: HookCaller, event: string): "answering" | "silently" | undefined {
  const kind = eventOf(hook, event)?.kind;
  if (kind === "end") return "silently";
  return kind === "idle" ? "answering" : undefined;
}

/**
 * Whether a hook may ask the server over its socket. Claude Code has its own way to call the server, so where its hooks
 * do not use that, they start processes. A guard must not depend on a server that may hang. A process that goes on
 * after its answer may outlive the server.
 */
export function mayAsk(hook: HookCaller, event: string): boolean {
  const isGuard = eventOf(hook, event)?.kind === "guard";
  return hook.name !== "claude-code" && !isGuard && goesOnAt(hook, event) === undefined;
}
