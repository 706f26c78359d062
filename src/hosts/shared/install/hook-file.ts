import { HOOK_TOOL, MCP_SERVER } from "../../names.ts";
import type { HookHost } from "../../port/hook-host.ts";
import type { Finding, Installer, Part, Probe, Wiring } from "../../port/installer.ts";
import { eventOf, waitMsAt } from "../hook/adapter.ts";
import { isAnsweredByTool, toolInput } from "../hook/tool-input.ts";
import { timeoutFor } from "../time-limits.ts";
import { entryOf, type HookLaunch, hookCommand, pathsIn, shellOf } from "./hook-command.ts";
import {
  addEntries,
  appendEntries,
  type Call,
  type Entry,
  findEntries,
  type Place,
  removeEntries,
  replaceEntries,
} from "./hook-entries.ts";

/** A host whose settings file has a `hooks` object of the shape that Claude Code introduced. */
export interface HookFile {
  readonly hook: HookHost;
  readonly versionCommand: readonly string[];
  settingsFile(env: NodeJS.ProcessEnv): string;
  /** A timeout in the host's own unit. */
  timeout(ms: number, event: string): number;
  /** The host's version knows this event; every event unless given. */
  knows?(event: string, wiring: Wiring): boolean;
  /** Hooks call the MCP server where it can answer, instead of starting a process. */
  callsServer?(wiring: Wiring): boolean;
  /** The folder below the home that must hold the number of an entry after the first, for it to start a process. */
  mark?(event: string): string;
  /** What is in every entry besides command and timeout. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** Throws when hooks in this file would have no effect. */
  refuse?(text: string): void;
  /** What is wrong with the file itself, whatever hooks it has. */
  obstacle?(text: string): Finding | undefined;
  /** What the user has to know besides "installed". */
  remark?(wiring: Wiring): string | undefined;
  /** From when on a hook holds that is added while a session runs; from the next session on unless given. */
  readonly addedHolds?: string;
  readonly mcp?: Part;
  readonly statusLine?: Part;
}

export function hookFileInstaller(file: HookFile): Installer {
  const { hook } = file;
  const host = hook.name;
  return {
    host,
    label: hook.label,
    versionCommand: file.versionCommand,
    settingsFile: file.settingsFile,
    add(text, wiring) {
      file.refuse?.(text);
      return addEntries(host, text, entriesFor(file, wiring));
    },
    rewire(text, wiring) {
      file.refuse?.(text);
      return rewired(file, text, wiring);
    },
    guards: {
      add(text, wiring) {
        file.refuse?.(text);
        return withGuards(file, text, wiring);
      },
      holds: file.addedHolds ?? NEXT_SESSION,
    },
    remove: (text) => removeEntries(host, text),
    inspect: (text, wiring, exists) => [file.obstacle?.(text) ?? inspect(file, text, wiring, exists)],
    probes: (text) =>
      findEntries(host, text)
        .filter(({ event, call }) => event === hook.opening && numberOf(call) === 1)
        .flatMap(({ call }) => (call.kind === "tool" ? [] : [hookProbe(hook, call.command, call.launch)])),
    ...(file.mcp === undefined ? {} : { mcp: file.mcp }),
    ...(file.statusLine === undefined ? {} : { statusLine: file.statusLine }),
  };
}

function entriesFor(file: HookFile, wiring: Wiring): Entry[] {
  return neededEvents(file.hook, wiring)
    .filter((event) => file.knows?.(event, wiring) ?? true)
    .flatMap((event) => entriesAt(file, event, wiring));
}

function entriesAt(file: HookFile, event: string, wiring: Wiring): Entry[] {
  const { hook } = file;
  const waitMs = timeoutAt(hook, event, wiring);
  const hooks =
    file.callsServer?.(wiring) === true && mayCallServer(hook, event)
      ? toolHooks(file, event, wiring, waitMs)
      : commandHooks(file, event, wiring, waitMs);
  return hooks.map((one) => ({ event, hook: { ...one, ...file.more } }));
}

/**
 * An event that the user took out stays out, one whose form is right stays as it is, and the same runtime and script go
 * on being used: this may run in another copy of Continuo than the one that is installed.
 */
function rewired(file: HookFile, text: string, wiring: Wiring): string {
  const { hook } = file;
  const found = findEntries(hook.name, text);
  const launch = found.flatMap(({ call }) => (call.kind === "tool" ? [] : [call.launch]))[0];
  if (launch === undefined) return text;
  const own = { ...wiring, runtime: launch.runtime, script: launch.script };
  const wanted = file.callsServer?.(wiring) === true;
  const events = new Set(found.map(({ event }) => event));
  return [...events]
    .filter((event) => mayCallServer(hook, event))
    .filter((event) => wanted !== found.some((one) => one.event === event && one.call.kind === "tool"))
    .reduce((result, event) => replaceEntries(hook.name, result, event, entriesAt(file, event, own)), text);
}

export const NEXT_SESSION = "from the next session on";

/** As above: by the runtime and the script of the hooks that are there. */
function withGuards(file: HookFile, text: string, wiring: Wiring): string | undefined {
  const { hook } = file;
  const found = findEntries(hook.name, text);
  const launch = found.flatMap(({ call }) => (call.kind === "tool" ? [] : [call.launch]))[0];
  if (launch === undefined) return undefined;
  const own = { ...wiring, runtime: launch.runtime, script: launch.script };
  const missing = Object.keys(hook.events)
    .filter((event) => eventOf(hook, event)?.kind === "guard")
    .filter((event) => !found.some((one) => one.event === event));
  return appendEntries(
    text,
    missing.flatMap((event) => entriesAt(file, event, own)),
  );
}

/** A guard must hold also while the server is away, so it is always asked in a process of its own. */
function mayCallServer(hook: HookHost, event: string): boolean {
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
    const command = hookCommand(hook.name, wiring, event, { plainText: answer === "text", ...further });
    return { type: "command", command, timeout: file.timeout(waitMs, event) };
  });
}

/**
 * Only the first entry of an event calls the server: a host shows its user an error for each that finds none. The further
 * ones look for their mark in a shell, which costs about as much as a call.
 */
function toolHooks(file: HookFile, event: string, wiring: Wiring, waitMs: number): Record<string, unknown>[] {
  const { hook } = file;
  const isPrompt = eventOf(hook, event)?.kind === "prompt";
  const timeout = (ms: number) => file.timeout(ms, event);
  const call = {
    type: "mcp_tool",
    server: MCP_SERVER,
    tool: HOOK_TOOL,
    input: toolInput(hook, event),
    timeout: timeout(isPrompt ? Math.max(waitMs, CONNECTING_MS) : waitMs),
  };
  const [, ...further] = commandHooks(file, event, wiring, waitMs);
  if (!isPrompt) return [call, ...further];
  // Prompts are what a session cannot do without.
  const command = hookCommand(hook.name, wiring, event, { isNet: true });
  return [call, ...further, { type: "command", command, timeout: timeout(waitMs) }];
}

/**
 * The host waits for a server that is still connecting as long as for the answer, and tells its user when that is over. Once
 * connected, the server keeps its own deadline, which is shorter.
 */
const CONNECTING_MS = 5_000;

/** Which of its event's entries it is. */
function numberOf(call: Call): number {
  return call.kind === "tool" ? 1 : entryOf(call.launch);
}

/** The events to wire. One that no source answers is left out: it would cost a process each time. */
export function neededEvents(hook: HookHost, { answered, guards }: Wiring): string[] {
  const isNeeded = (event: string): boolean => {
    const kind = eventOf(hook, event)?.kind;
    if (kind === "guard") return guards;
    return kind === "tool" || kind === "idle" ? answered.has(kind) : true;
  };
  return Object.keys(hook.events).filter(isNeeded);
}

/** How long the host has to wait, in milliseconds. */
export function timeoutAt(hook: HookHost, event: string, { momentLimitMs }: Wiring): number {
  return timeoutFor(waitMsAt(hook, event), momentLimitMs);
}

/** Git Bash, which runs Claude Code's hooks on Windows, may be anywhere: there the launch is run without a shell. */
export function hookProbe(hook: HookHost, command: string, launch: HookLaunch): Probe {
  const windowsShell = shellOf(hook.name) === "powershell" ? "powershell.exe" : false;
  const shell = process.platform === "win32" ? windowsShell : true;
  const detail = eventOf(hook, hook.opening)?.kind === "start" ? { source: "startup" } : { prompt: "hello" };
  return {
    kind: "hook",
    command,
    launch,
    shell,
    payload: (cwd) => ({ [hook.fields.session]: "doctor", cwd, ...detail }),
  };
}

function inspect(file: HookFile, text: string, wiring: Wiring, exists: (path: string) => boolean): Finding {
  const { name: host } = file.hook;
  const wanted = entriesFor(file, wiring);
  const mend = `run: continuo install ${host}`;
  const found = findEntries(host, text);
  if (found.length === 0) return { status: "warn", detail: "not installed", mend };
  const gone = missingPaths(
    found.flatMap(({ call }) => (call.kind === "tool" ? [] : [call.launch])),
    exists,
  );
  if (gone !== undefined) return { status: "fail", detail: gone, mend };
  const missing = wanted.filter((entry) => !found.some((place) => place.event === entry.event));
  if (missing.length > 0)
    return { status: "fail", detail: `no hook for ${missing.map((one) => one.event).join(", ")}`, mend };
  if (new Set(found.map(({ event, call }) => `${event} ${call.kind} ${numberOf(call)}`)).size < found.length)
    return { status: "fail", detail: "some events call Continuo twice", mend };
  const wrongForm = inspectForm(file, found, wiring, mend);
  if (wrongForm !== undefined) return wrongForm;
  if (found.length > wanted.length)
    return { status: "warn", detail: "it has Continuo hooks that are no longer needed", mend };
  if (addEntries(host, text, wanted) !== text)
    return { status: "warn", detail: "installed, but by another version or from another location", mend };
  const remark = file.remark?.(wiring);
  const more = remark === undefined ? "" : `; ${remark}`;
  return { status: "ok", detail: `installed (${found.length} hooks)${more}`, mend: "" };
}

/** A few of them: there may be hundreds. */
export function named(projects: readonly string[]): string {
  return [...projects.slice(0, 3), ...(projects.length > 3 ? [`${projects.length - 3} more`] : [])].join(
    ", ",
  );
}

/** What is wrong with how hooks reach Continuo, as commands or through the MCP server; undefined if nothing is. */
function inspectForm(
  { hook, callsServer }: HookFile,
  found: readonly Place[],
  wiring: Wiring,
  mend: string,
): Finding | undefined {
  const events = new Set(found.filter(({ call }) => call.kind === "tool").map(({ event }) => event));
  const asCommands = found.filter(({ event }) => mayCallServer(hook, event) && !events.has(event));
  const { offIn = [] } = wiring.mcp ?? {};
  if (events.size === 0)
    return callsServer?.(wiring) === true
      ? { status: "warn", detail: "each hook starts a process, but could call the MCP server", mend }
      : undefined;
  if (wiring.mcp === undefined)
    return { status: "fail", detail: "its hooks call the MCP server, which is not set up", mend };
  if (offIn.length > 0) {
    const detail = `its hooks call the MCP server, which is switched off in ${named(offIn)}`;
    return { status: "fail", detail, mend: `switch it on there in /mcp, or ${mend}` };
  }
  if (asCommands.length > 0)
    return { status: "warn", detail: "some hooks call the MCP server and some start a process", mend };
  return undefined;
}

/** What to report about paths that hooks name and that do not exist; undefined when there are none. */
export function missingPaths(
  launches: readonly HookLaunch[],
  exists: (path: string) => boolean,
): string | undefined {
  const gone = [...new Set(launches.flatMap(pathsIn))].filter((path) => !exists(path));
  return gone.length === 0 ? undefined : `its hooks name ${gone.join(" and ")}, which is not there`;
}
