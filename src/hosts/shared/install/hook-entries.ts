import { isRecord } from "../../../base/json.ts";
import type { HostName } from "../../names.ts";
import { type HookLaunch, launchIn } from "./hook-command.ts";
import { edit, invalidSettings, parseObject, removeElement } from "./jsonc.ts";

/** Continuo's entries in a `hooks` object of the shape that Claude Code introduced and other hosts adopted. */

export interface Entry {
  readonly event: string;
  readonly command: string;
  readonly timeout: number;
  /** Further fields that the host reads. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Where one of Continuo's entries is: hooks[event][group].hooks[index]. */
export interface Place {
  readonly event: string;
  readonly group: number;
  readonly index: number;
  readonly command: string;
  readonly launch: HookLaunch;
  /** The group holds only entries of Continuo. */
  readonly alone: boolean;
  /** It is exactly what an installation would write now. */
  readonly matches: (entry: Entry) => boolean;
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
        if (!isRecord(hook)) return;
        const { command } = hook;
        const launch = launchIn(host, command);
        if (launch === undefined || typeof command !== "string") return;
        const matcher = isRecord(group) ? group["matcher"] : undefined;
        places.push({
          event,
          group: at,
          index,
          command,
          launch,
          alone: inner.every((one) => isRecord(one) && launchIn(host, one["command"]) !== undefined),
          matches: (entry) =>
            entry.event === event &&
            command === entry.command &&
            hook["timeout"] === entry.timeout &&
            Object.entries(entry.more ?? {}).every(([key, value]) => hook[key] === value) &&
            matcher === undefined,
        });
      });
    });
  }
  return places;
}

export function addEntries(host: HostName, text: string, entries: readonly Entry[]): string {
  const found = findEntries(host, text);
  const current = entries.every((entry) => found.some((place) => place.matches(entry)));
  if (current && found.length === entries.length) return text;
  let result = removeEntries(host, text);
  for (const event of new Set(entries.map((entry) => entry.event))) {
    const hooks = entries
      .filter((entry) => entry.event === event)
      .map(({ command, timeout, more }) => ({ type: "command", command, timeout, ...more }));
    const group = { hooks };
    const groups = hooksIn(result)[event];
    result =
      groups === undefined
        ? edit(result, ["hooks", event], [group])
        : edit(result, ["hooks", event, groups.length], group, true);
  }
  return result;
}

export function removeEntries(host: HostName, text: string): string {
  let result = text;
  // From the back, so that earlier places keep their numbers.
  for (const { event, group, index, alone } of findEntries(host, text).reverse()) {
    // A group that is only Continuo's is removed as a whole, with its first entry.
    if (alone && index > 0) continue;
    result = alone
      ? removeElement(result, ["hooks", event], group)
      : removeElement(result, ["hooks", event, group, "hooks"], index);
    if (hooksIn(result)[event]?.length === 0) result = edit(result, ["hooks", event], undefined);
    if (Object.keys(hooksIn(result)).length === 0) result = edit(result, ["hooks"], undefined);
  }
  return result;
}
