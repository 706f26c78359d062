import { count } from "../../../base/when.ts";
import type { Finding, HookLaunch, Wiring } from "../../port/installer.ts";
import { pathsIn } from "./hook-command.ts";
import { addEntries, findEntries, type Place } from "./hook-entries.ts";
import { entriesFor, type HookFile, mayCallServer, numberOf } from "./hook-forms.ts";

/** What `doctor` reports about the hooks in a host's settings. */

export const NOT_INSTALLED = "not installed";

export function inspectHooks(
  file: HookFile,
  text: string,
  wiring: Wiring,
  exists: (path: string) => boolean,
): Finding {
  const { name: host } = file.hook;
  const wanted = entriesFor(file, wiring);
  const mend = `run: continuo install ${host}`;
  const found = findEntries(host, text);
  if (found.length === 0) return { status: "warn", detail: NOT_INSTALLED, mend };
  const gone = missingPaths(
    found.flatMap(({ call }) => (call.kind === "tool" ? [] : [call.launch])),
    exists,
  );
  if (gone !== undefined) return { status: "fail", detail: gone, mend };
  // Some events have several entries.
  const missing = new Set(wanted.map(({ event }) => event));
  for (const { event } of found) missing.delete(event);
  if (missing.size > 0) return { status: "fail", detail: `no hook for ${[...missing].join(", ")}`, mend };
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
  return {
    status: "ok",
    detail: `installed (hooks for ${count(eventsOf(found), "event")})${more}`,
    mend: "",
  };
}

export function eventsOf(found: readonly Place[]): number {
  return new Set(found.map(({ event }) => event)).size;
}

/** The first few projects: there may be hundreds. */
export function named(projects: readonly string[]): string {
  return [...projects.slice(0, 3), ...(projects.length > 3 ? [`${projects.length - 3} more`] : [])].join(
    ", ",
  );
}

/** What is wrong with how hooks reach Continuo, as commands or through the MCP server, if anything. */
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

/** A report about paths in hooks that do not exist; undefined if all do. */
export function missingPaths(
  launches: readonly HookLaunch[],
  exists: (path: string) => boolean,
): string | undefined {
  const gone = [...new Set(launches.flatMap(pathsIn))].filter((path) => !exists(path));
  return gone.length === 0 ? undefined : `its hooks name ${gone.join(" and ")}, which is not there`;
}
