import type { MomentName } from "../../../moments/types.ts";
import type { HostName } from "../../names.ts";
import type { Finding, Installer, Part, Probe, Wiring } from "../../port/installer.ts";
import { entryOf, type HookLaunch, hookCommand, pathsIn, shellOf } from "./hook-command.ts";
import { addEntries, type Entry, findOurs, removeOurs } from "./hook-entries.ts";

/** A host whose settings file has a `hooks` object of the shape that Claude Code introduced. */
export interface HookFile {
  readonly host: HostName;
  readonly label: string;
  readonly versionCommand: readonly string[];
  settingsFile(env: NodeJS.ProcessEnv): string;
  /** The events to wire, each with its timeout in the host's own unit. */
  events(wiring: Wiring): readonly WiredEvent[];
  /** What stands in every entry besides command and timeout. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** The event that a session begins with here, and what the host sends at it. */
  readonly opening: Opening;
  /** Throws when hooks in this file would do no good. */
  refuse?(text: string): void;
  /** What is wrong with the file itself, whatever hooks it has. */
  obstacle?(text: string): Finding | undefined;
  /** What the user has to know besides "installed". */
  remark?(wiring: Wiring): string | undefined;
  readonly mcp?: Part;
}

export interface WiredEvent {
  readonly event: string;
  readonly timeout: number;
  /** What is printed at this event is plain text, not JSON. */
  readonly plainText?: boolean;
  /** How many entries it has, and the folder below the home that must hold the number of one after the first. */
  readonly entries?: { readonly count: number; readonly mark: string };
}

export interface Opening {
  readonly event: string;
  payload(cwd: string): Readonly<Record<string, unknown>>;
}

const ONE_ENTRY = { count: 1, mark: "" };

export function hookFileInstaller(file: HookFile): Installer {
  const { host } = file;
  const entries = (wiring: Wiring): Entry[] =>
    file.events(wiring).flatMap(({ event, timeout, plainText = false, entries: wanted = ONE_ENTRY }) =>
      Array.from({ length: wanted.count }, (_, i) => {
        const further = i === 0 ? {} : { further: { entry: i + 1, mark: wanted.mark } };
        const command = hookCommand(host, wiring, event, { plainText, ...further });
        return { event, timeout, command, ...(file.more === undefined ? {} : { more: file.more }) };
      }),
    );
  return {
    host,
    label: file.label,
    versionCommand: file.versionCommand,
    settingsFile: file.settingsFile,
    add(text, wiring) {
      file.refuse?.(text);
      return addEntries(host, text, entries(wiring));
    },
    remove: (text) => removeOurs(host, text),
    inspect: (text, wiring, exists) => [
      file.obstacle?.(text) ?? inspect(file, text, entries(wiring), exists, file.remark?.(wiring)),
    ],
    probes: (text) =>
      findOurs(host, text)
        .filter(({ event, launch }) => event === file.opening.event && entryOf(launch) === 1)
        .map(({ command, launch }) => hookProbe(host, command, launch, file.opening.payload)),
    ...(file.mcp === undefined ? {} : { mcp: file.mcp }),
  };
}

/** Git Bash, which runs Claude Code's hooks on Windows, may be anywhere: there the launch is run without a shell. */
export function hookProbe(
  host: HostName,
  command: string,
  launch: HookLaunch,
  payload: Opening["payload"],
): Probe {
  const windowsShell = shellOf(host) === "powershell" ? "powershell.exe" : false;
  const shell = process.platform === "win32" ? windowsShell : true;
  return { kind: "hook", command, launch, shell, payload };
}

/** What an event is for. One that nobody answers is not wired: it would cost a process each time. */
export type Need = "always" | "guard" | MomentName;

export function isNeeded(need: Need, wiring: Wiring): boolean {
  if (need === "always") return true;
  return need === "guard" ? wiring.guards : wiring.answered.has(need);
}

function inspect(
  { host }: HookFile,
  text: string,
  wanted: readonly Entry[],
  exists: (path: string) => boolean,
  remark: string | undefined,
): Finding {
  const mend = `run: continuo install ${host}`;
  const ours = findOurs(host, text);
  if (ours.length === 0) return { status: "warn", detail: "not installed", mend };
  const gone = [...new Set(ours.flatMap((place) => pathsIn(place.launch)))].filter((path) => !exists(path));
  if (gone.length > 0)
    return { status: "fail", detail: `its hooks name ${gone.join(" and ")}, which is not there`, mend };
  const missing = wanted.filter((entry) => !ours.some((place) => place.event === entry.event));
  if (missing.length > 0)
    return { status: "fail", detail: `no hook for ${missing.map((one) => one.event).join(", ")}`, mend };
  if (new Set(ours.map(({ event, launch }) => `${event} ${entryOf(launch)}`)).size < ours.length)
    return { status: "fail", detail: "some events call Continuo twice", mend };
  if (ours.length > wanted.length)
    return { status: "warn", detail: "it has more hooks of ours than are needed", mend };
  if (addEntries(host, text, wanted) !== text)
    return { status: "warn", detail: "installed, but by another version or from another place", mend };
  const more = remark === undefined ? "" : `; ${remark}`;
  return { status: "ok", detail: `installed (${ours.length} hooks)${more}`, mend: "" };
}
