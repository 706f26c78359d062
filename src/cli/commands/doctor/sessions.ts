import { existsSync } from "node:fs";
import { describeError } from "../../../base/errors.ts";
import { sessionsIndexPath } from "../../../sources/sessions/indexing/schema.ts";
import { openSessions, type Sessions } from "../../../sources/sessions/library.ts";
import { type Check, fail, type NamedFinding, ok, warn } from "./check.ts";

/** How many past sessions of which host are known. Nothing is read for it, and no index is made. */
export const checkSessions: Check = async ({ env, now, history }, home) => {
  if (home === undefined) return [];
  if (!existsSync(sessionsIndexPath(home)))
    return [ok("sessions", "none indexed yet; continuo sessions index reads them all")];
  const troubles: NamedFinding[] = [];
  const onFailure = (_: string, message: string): void =>
    void troubles.push(warn("sessions", message, "run: continuo sessions index"));
  try {
    const sessions = openSessions({ home, env, now, history: await history(), onFailure });
    try {
      return [...troubles, ok("sessions", told(sessions))];
    } finally {
      sessions.close();
    }
  } catch (error) {
    const { message, hint } = describeError(error);
    return [fail("sessions", message, hint ?? "delete the index: it is derived and is built anew")];
  }
};

function told(sessions: Sessions): string {
  const counts = new Map<string, number>();
  for (const { host } of sessions.list()) counts.set(host, (counts.get(host) ?? 0) + 1);
  const hosts = [...counts].sort(([, a], [, b]) => b - a).map(([host, count]) => `${host} ${count}`);
  const known = hosts.length === 0 ? "none found" : `indexed: ${hosts.join(", ")}`;
  return sessions.indexedAt() === 0 ? `${known}; continuo sessions index reads the rest` : known;
}
