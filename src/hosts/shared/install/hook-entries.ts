import type { HostName } from "../../../base/host-names.ts";
import { isRecord } from "../../../base/json.ts";
import { isHookTool, MCP_SERVER } from "../../names.ts";
import type { HookLaunch } from "../../port/installer.ts";
import { launchIn } from "./hook-command.ts";
import { edit, leaveAsIn, removeElement } from "./json-text.ts";
import { invalidSettings, parseObject, refuseTwins } from "./jsonc.ts";

/** Continuo's entries in a `hooks` object of the form that Claude Code introduced and other hosts adopted. */

export interface Entry {
  readonly event: string;
  /** As the host reads it: a command to run or a tool of the MCP server to call, and the timeout. */
  readonly hook: Readonly<Record<string, unknown>>;
}

/** Where one of Continuo's entries is: hooks[event][group].hooks[index]. */
export interface Place {
  readonly event: string;
  readonly group: number;
  readonly index: number;
  readonly call: Call;
  /** Whether the group contains only Continuo's entries. */
  readonly alone: boolean;
  /** Whether it is exactly what an installation would write now. */
  readonly matches: (entry: Entry) => boolean;
}

/** How an entry calls Continuo. */
export type Call =
  | { readonly kind: "command"; readonly command: string; readonly launch: HookLaunch }
  | { readonly kind: "tool" };

/** How an entry calls Continuo, for entries of any version; undefined for all other entries. */
function callIn(host: HostName, hook: unknown): Call | undefined {
  if (!isRecord(hook)) return undefined;
  const { type, command, server, tool } = hook;
  if (type === "mcp_tool" && server === MCP_SERVER && isHookTool(tool)) return { kind: "tool" };
  const launch = launchIn(host, command);
  return launch === undefined || typeof command !== "string"
    ? undefined
    : { kind: "command", command, launch };
}

/** The lists of hooks by event. */
function hooksIn(text: string): Record<string, unknown[]> {
  const hooks = parseObject(text)["hooks"] ?? {};
  if (!isRecord(hooks)) throw invalidSettings('is not usable: "hooks" is not an object');
  for (const [event, groups] of Object.entries(hooks))
    if (!Array.isArray(groups)) throw invalidSettings(`is not usable: hooks.${event} is not a list`);
  return hooks as Record<string, unknown[]>;
}

export function findEntries(host: HostName, text: string): Place[] {
  const places: Place[] = [];
  for (const [event, groups] of Object.entries(hooksIn(text))) {
    groups.forEach((group, at) => {
      const inner = isRecord(group) && Array.isArray(group["hooks"]) ? (group["hooks"] as unknown[]) : [];
      inner.forEach((hook, index) => {
        const call = callIn(host, hook);
        if (call === undefined || !isRecord(hook)) return;
        const matcher = isRecord(group) ? group["matcher"] : undefined;
        places.push({
          event,
          group: at,
          index,
          call,
          alone: inner.every((one) => callIn(host, one) !== undefined),
          matches: (entry) =>
            entry.event === event &&
            Object.entries(entry.hook).every(([key, value]) => isSame(hook[key], value)) &&
            matcher === undefined,
        });
      });
    });
  }
  return places;
}

/** The order of fields in an object does not matter. */
function isSame(one: unknown, other: unknown): boolean {
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
}

function refuseAllTwins(text: string): void {
  refuseTwins(text, [], (key) => key === "hooks");
  refuseTwins(text, ["hooks"], () => true);
}

export function addEntries(host: HostName, text: string, entries: readonly Entry[]): string {
  parseObject(text);
  refuseAllTwins(text);
  const found = findEntries(host, text);
  const current = entries.every((entry) => found.some((place) => place.matches(entry)));
  if (current && found.length === entries.length) return text;
  // Groups with Continuo's entries stay in their place, unless they are not needed any more.
  const added = appendEntries(removeEntries(host, text, text), entries);
  return found.reduce((result, { event }) => leaveAsIn("", result, ["hooks", event]), added);
}

/** Adds them after all existing entries. */
export function appendEntries(text: string, entries: readonly Entry[]): string {
  let result = text;
  for (const event of new Set(entries.map((entry) => entry.event))) {
    const hooks = entries.filter((entry) => entry.event === event).map(({ hook }) => hook);
    const group = { hooks };
    const groups = hooksIn(result)[event];
    result =
      groups === undefined
        ? edit(result, ["hooks", event], [group])
        : edit(result, ["hooks", event, groups.length], group);
  }
  return result;
}

/** Replaces Continuo's entries of one event. Other entries stay, even in the same group. */
export function replaceEntries(
  host: HostName,
  text: string,
  event: string,
  entries: readonly Entry[],
): string {
  const places = findEntries(host, text).filter((place) => place.event === event);
  const [first] = places;
  // Someone arranged the entries differently from an installation.
  if (first === undefined || places.some(({ group }) => group !== first.group)) return text;
  const list = ["hooks", event, first.group, "hooks"];
  const hooks = entries.map((entry) => entry.hook);
  if (first.alone) return edit(text, list, hooks);
  // Within a group of the user's, add them at its end, so that no byte of the user's entries changes.
  const without = places.toReversed().reduce((result, { index }) => removeElement(result, list, index), text);
  const group = hooksIn(without)[event]?.[first.group];
  const left = isRecord(group) && Array.isArray(group["hooks"]) ? group["hooks"].length : 0;
  return hooks.reduce<string>((result, hook, at) => edit(result, [...list, left + at], hook), without);
}

export function removeEntries(host: HostName, text: string, original?: string): string {
  const found = findEntries(host, text);
  // Someone may have removed the entries by hand, and left the object that an installation created.
  if (found.length === 0) return original === undefined ? text : leaveAsIn(original, text, ["hooks"]);
  refuseAllTwins(text);
  let result = text;
  // Backwards, so that earlier indexes stay valid.
  for (const { event, group, index, alone } of found.reverse()) {
    // A group with only Continuo's entries is removed as a whole, together with its first entry.
    if (alone && index > 0) continue;
    result = alone
      ? removeElement(result, ["hooks", event], group)
      : removeElement(result, ["hooks", event, group, "hooks"], index);
    for (const path of [["hooks", event], ["hooks"]]) result = leaveAsIn(original ?? "", result, path);
  }
  return result;
}
