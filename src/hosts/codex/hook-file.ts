import type { HostName } from "../../moments/types.ts";
import { hookCommand, pathsIn } from "../claude-code/command.ts";
import { addEntries, type Entry, findOurs, removeOurs } from "../claude-code/settings.ts";
import type { Finding, Installer, Wiring } from "../installer.ts";

/** A host whose settings file has a `hooks` object of the shape that Claude Code introduced. */
export interface HookFile {
  readonly host: HostName;
  readonly label: string;
  readonly versionCommand: readonly string[];
  settingsFile(env: NodeJS.ProcessEnv): string;
  /** The events to wire, each with its timeout in the host's own unit. */
  events(wiring: Wiring): readonly { readonly event: string; readonly timeout: number }[];
  /** What the user has to know besides "installed". */
  readonly remark?: string;
}

export function hookFileInstaller(file: HookFile): Installer {
  const entries = (wiring: Wiring): Entry[] =>
    file
      .events(wiring)
      .map(({ event, timeout }) => ({ event, timeout, command: hookCommand(wiring, event) }));
  const edit = (text: string, change: (text: string) => string) =>
    fromClaude(change(toClaude(text, file.host)), file.host);
  return {
    host: file.host,
    label: file.label,
    versionCommand: file.versionCommand,
    settingsFile: file.settingsFile,
    add: (text, wiring) => edit(text, (asClaude) => addEntries(asClaude, entries(wiring))),
    remove: (text) => edit(text, removeOurs),
    inspect: (text, wiring, exists) => inspect(file, toClaude(text, file.host), entries(wiring), exists),
  };
}

/** The command of one hook entry. Without a host of its own to name, Claude Code's function names Claude Code. */
export function commandFor(
  host: HostName,
  wiring: Wiring,
  event: string,
  platform: NodeJS.Platform = process.platform,
): string {
  return hookCommand(wiring, event, platform).replace(/ claude-code (\w+)$/, ` ${host} $1`);
}

// Claude Code's editor knows its own commands only by the host's name in them. Until it takes the name as an argument,
// our commands (and nothing else in the file) go by that name while it works.
function toClaude(text: string, host: HostName): string {
  return renamed(text, host, "claude-code");
}

function fromClaude(text: string, host: HostName): string {
  return renamed(text, "claude-code", host);
}

function renamed(text: string, from: HostName, to: HostName): string {
  const ours = new RegExp(`(continuo\\.cjs(?:'|\\\\")? hook )${from}( \\w+")`, "g");
  return text.replace(ours, (_, before: string, after: string) => `${before}${to}${after}`);
}

function inspect(
  file: HookFile,
  text: string,
  wanted: readonly Entry[],
  exists: (path: string) => boolean,
): Finding[] {
  const mend = `run: continuo install ${file.host}`;
  const ours = findOurs(text);
  if (ours.length === 0) return [{ status: "warn", detail: "not installed", mend }];
  const gone = [...new Set(ours.flatMap((place) => pathsIn(place.command)))].filter((path) => !exists(path));
  if (gone.length > 0)
    return [{ status: "fail", detail: `its hooks name ${gone.join(" and ")}, which is not there`, mend }];
  const missing = wanted.filter((entry) => !ours.some((place) => place.event === entry.event));
  if (missing.length > 0)
    return [{ status: "fail", detail: `no hook for ${missing.map((one) => one.event).join(", ")}`, mend }];
  if (ours.length > wanted.length)
    return [{ status: "fail", detail: "some events call Continuo twice", mend }];
  if (addEntries(text, wanted) !== text)
    return [{ status: "warn", detail: "installed, but by another version or from another place", mend }];
  const remark = file.remark === undefined ? "" : `; ${file.remark}`;
  return [{ status: "ok", detail: `installed (${ours.length} hooks)${remark}`, mend: "" }];
}
