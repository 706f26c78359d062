import { isRecord } from "../../base/settings.ts";
import { collapse } from "../../base/text.ts";
import type { Pi, PiSessionManager } from "./api.ts";
import { isOurs, OURS } from "./conversation.ts";

/**
 * Names the session in pi's lists, unless anybody else ever did: with /name, with --name, or by another extension. Which
 * names are ours stands beside them in pi's file, so that every process and every copy of the file knows it.
 */
export function nameSession(pi: Pi, sessionManager: PiSessionManager, name: string): void {
  const wanted = collapse(name);
  const entries = () => sessionManager.getEntries().filter(isRecord);
  const before = entries();
  const ours = new Set(before.flatMap(namedByUs));
  const given = before.filter(isName);
  const last = given.at(-1);
  if (given.some(({ id }) => !ours.has(id)) || last?.["name"] === wanted) return;
  if (wanted !== "") pi.setSessionName?.(wanted);
  const made = entries().findLast(isName);
  if (made !== undefined && made["id"] !== last?.["id"])
    pi.appendEntry(OURS, { version: 1, named: made["id"] });
}

function isName(entry: Record<string, unknown>): boolean {
  return entry["type"] === "session_info";
}

/** The id of the name that a note of ours is about. */
export function namedByUs(entry: Readonly<Record<string, unknown>>): unknown[] {
  const { type, data } = entry;
  return isOurs(entry) && type === "custom" && isRecord(data) && "named" in data ? [data["named"]] : [];
}
