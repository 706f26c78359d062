import type { HookHost } from "../../port/hook-host.ts";
import type { HookLaunch, HooksAt, Installer, Probe, Wiring } from "../../port/installer.ts";
import { eventOf } from "../hook/events.ts";
import { shellOf } from "./hook-command.ts";
import {
  addEntries,
  appendEntries,
  findEntries,
  type Place,
  removeEntries,
  replaceEntries,
} from "./hook-entries.ts";
import { entriesAt, entriesFor, type HookFile, mayCallServer, numberOf } from "./hook-forms.ts";
import { eventsOf, inspectHooks } from "./hook-health.ts";
import { withoutMark } from "./settings-file.ts";

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
    remove: (text, original) => removeEntries(host, text, original),
    hooksIn: (text) => hooksByEvent(hook, findEntries(host, withoutMark(text))),
    count: (text) => {
      const found = findEntries(host, text);
      return { hooks: found.length, events: eventsOf(found) };
    },
    inspect: (text, wiring, exists) => [file.obstacle?.(text) ?? inspectHooks(file, text, wiring, exists)],
    probes: (text) =>
      findEntries(host, text)
        .filter(({ event, call }) => event === hook.opening && numberOf(call) === 1)
        .flatMap(({ call }) => (call.kind === "tool" ? [] : [hookProbe(hook, call.command, call.launch)])),
    mcp: file.mcp,
    statusLine: file.statusLine,
    permissions: file.permissions,
  };
}

function hooksByEvent(hook: HookHost, found: readonly Place[]): HooksAt[] {
  return Object.entries(hook.events).flatMap(([event, about]) => {
    const calls = found.filter((place) => place.event === event).map(({ call }) => call);
    if (calls.length === 0) return [];
    const further = calls.filter((call) => numberOf(call) > 1).length;
    const standIns = calls.length - further - 1;
    return [{ event, about, isOpening: event === hook.opening, entries: calls.length, further, standIns }];
  });
}

/**
 * Changes only the form of hooks. An event that the user removed stays out, a hook in the right form stays unchanged,
 * and the runtime and script stay the same, because this may run in another copy of Continuo than the installed one.
 */
function rewired(file: HookFile, text: string, wiring: Wiring): string {
  const { hook } = file;
  const found = findEntries(hook.name, text);
  const own = asThere(found, wiring);
  if (own === undefined) return text;
  const wanted = file.callsServer?.(wiring) === true;
  const events = new Set(found.map(({ event }) => event));
  return [...events]
    .filter((event) => mayCallServer(hook, event))
    .filter((event) => wanted !== found.some((one) => one.event === event && one.call.kind === "tool"))
    .reduce((result, event) => replaceEntries(hook.name, result, event, entriesAt(file, event, own)), text);
}

export const NEXT_SESSION = "from the next session on";

/** The wiring with the runtime and script of the existing commands; undefined if there are none. */
function asThere(found: readonly Place[], wiring: Wiring): Wiring | undefined {
  const [launch] = found.flatMap(({ call }) => (call.kind === "tool" ? [] : [call.launch]));
  return launch && { ...wiring, runtime: launch.runtime, script: launch.script };
}

/** Adds guard hooks, with the runtime and script of the existing hooks. */
function withGuards(file: HookFile, text: string, wiring: Wiring): string | undefined {
  const { hook } = file;
  const found = findEntries(hook.name, text);
  const own = asThere(found, wiring);
  if (own === undefined) return undefined;
  const missing = Object.keys(hook.events)
    .filter((event) => eventOf(hook, event)?.kind === "guard")
    .filter((event) => !found.some((one) => one.event === event));
  return appendEntries(
    text,
    missing.flatMap((event) => entriesAt(file, event, own)),
  );
}

/** Git Bash, which runs Claude Code's hooks on Windows, may be anywhere, so there the launch is run without a shell. */
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
