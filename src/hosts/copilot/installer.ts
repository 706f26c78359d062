import { join } from "node:path";
import { ContinuoError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { count } from "../../base/when.ts";
import { userHome } from "../../store/home.ts";
import type { Finding, Installer, Probe, Wiring } from "../port/installer.ts";
import { eventOf, goesOnAt, mayAsk } from "../shared/hook/events.ts";
import { hookCommand, launchIn, shellOf } from "../shared/install/hook-command.ts";
import { hookProbe, NEXT_SESSION } from "../shared/install/hook-file.ts";
import { neededEvents, timeoutAt } from "../shared/install/hook-forms.ts";
import { missingPaths } from "../shared/install/hook-health.ts";
import { parseObject } from "../shared/install/jsonc.ts";
import { mcpEntry } from "../shared/install/mcp-entry.ts";
import { copilot } from "./hook.ts";

const MEND = "run: continuo install copilot";
const EMPTY = '{\n  "version": 1,\n  "hooks": {}\n}\n';

/** Copilot reads every file in its hooks folder, so Continuo has its own file there and edits no other. */
export const copilotInstaller: Installer = {
  host: "copilot",
  label: copilot.label,
  versionCommand: ["copilot", "--version"],
  programs: ["copilot"],
  folder,
  settingsFile: (env) => join(folder(env), "hooks", "continuo.json"),
  blank: EMPTY,
  add: (text, wiring) => {
    refuseForeign(text);
    return fileFor(wiring);
  },
  remove: (text, original = "") => {
    refuseForeign(text);
    return commandsIn(text).length === 0 ? text : original || EMPTY;
  },
  hooksIn: (text) =>
    Object.entries(copilot.events).flatMap(([event, about]) => {
      const entries = commandsIn(text, [hooksIn(text)[event] ?? []]).length;
      const isOpening = event === copilot.opening;
      return entries === 0 ? [] : [{ event, about, isOpening, entries, further: 0, standIns: 0 }];
    }),
  count: (text) => ({ hooks: commandsIn(text).length, events: eventsIn(text) }),
  guards: { add: withGuards, holds: NEXT_SESSION },
  inspect,
  probes,
  mcp: mcpEntry({
    host: "copilot",
    settingsFile: (env) => join(folder(env), "mcp-config.json"),
    more: { type: "local", tools: ["*"] },
  }),
};

function folder(env: NodeJS.ProcessEnv): string {
  return env["COPILOT_HOME"] || join(userHome(env), ".copilot");
}

function fileFor(wiring: Wiring): string {
  const hooks = neededEvents(copilot, wiring).map((event) => [event, entriesAt(event, wiring)]);
  return inJson({ version: 1, hooks: Object.fromEntries(hooks) });
}

function entriesAt(event: string, wiring: Wiring): Record<string, unknown>[] {
  const options = { asks: mayAsk(copilot, event), goesOn: goesOnAt(copilot, event) };
  const command = hookCommand("copilot", wiring, event, options);
  const timeoutSec = timeoutAt(copilot, event, wiring) / 1000;
  const shell = shellOf("copilot") === "powershell" ? { powershell: command } : { bash: command };
  return [{ type: "command", ...shell, timeoutSec }];
}

function inJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Adds guard hooks, with the runtime and script of the existing hooks. All hooks in this file are Continuo's. */
function withGuards(text: string, wiring: Wiring): string | undefined {
  refuseForeign(text);
  const launch = commandsIn(text).flatMap((command) => launchIn("copilot", command) ?? [])[0];
  if (launch === undefined) return undefined;
  const own = { ...wiring, runtime: launch.runtime, script: launch.script };
  const missing = Object.keys(copilot.events)
    .filter((event) => eventOf(copilot, event)?.kind === "guard")
    .filter((event) => !Object.hasOwn(hooksIn(text), event));
  if (missing.length === 0) return text;
  const hooks: Record<string, unknown> = { ...hooksIn(text) };
  for (const event of missing) hooks[event] = entriesAt(event, own);
  // In the same order as an installation writes them.
  const known = Object.keys(copilot.events).filter((event) => Object.hasOwn(hooks, event));
  const ordered = Object.fromEntries(known.map((event) => [event, hooks[event]]));
  return inJson({ ...parseObject(text), hooks: { ...ordered, ...hooks } });
}

function hooksIn(text: string): Record<string, unknown> {
  const hooks = parseObject(text)["hooks"];
  return isRecord(hooks) ? hooks : {};
}

function eventsIn(text: string): number {
  return Object.values(hooksIn(text)).filter((entries) => commandsIn(text, [entries]).length > 0).length;
}

/** The command of each entry. */
function commandsIn(text: string, events = Object.values(hooksIn(text))): string[] {
  return events
    .flatMap((entries): unknown[] => (Array.isArray(entries) ? entries : [entries]))
    .map((entry) => (isRecord(entry) ? (entry["bash"] ?? entry["powershell"] ?? entry["command"]) : entry))
    .map((command) => (typeof command === "string" ? command : ""));
}

function refuseForeign(text: string): void {
  if (commandsIn(text).every((command) => launchIn("copilot", command) !== undefined)) return;
  throw new ContinuoError("settings-foreign", "hooks/continuo.json holds hooks that are not Continuo's", {
    hint: "move them to another file in that folder; nothing was changed",
  });
}

function inspect(text: string, wiring: Wiring, exists: (path: string) => boolean): Finding[] {
  const commands = commandsIn(text);
  if (commands.length === 0) return [{ status: "warn", detail: "not installed", mend: MEND }];
  const launches = commands.flatMap((command) => launchIn("copilot", command) ?? []);
  const gone = missingPaths(launches, exists);
  if (gone !== undefined) return [{ status: "fail", detail: gone, mend: MEND }];
  const missing = neededEvents(copilot, wiring).filter((event) => !Object.hasOwn(hooksIn(text), event));
  if (missing.length > 0)
    return [{ status: "fail", detail: `no hook for ${missing.join(", ")}`, mend: MEND }];
  if (fileFor(wiring) !== text)
    return [{ status: "warn", detail: "installed, but by another version or changed by hand", mend: MEND }];
  return [{ status: "ok", detail: `installed (hooks for ${count(eventsIn(text), "event")})`, mend: "" }];
}

function probes(text: string): Probe[] {
  return commandsIn(text, [hooksIn(text)[copilot.opening] ?? []]).flatMap((command) => {
    const launch = launchIn("copilot", command);
    return launch === undefined ? [] : [hookProbe(copilot, command, launch)];
  });
}
