import { join } from "node:path";
import { describeError } from "../../../base/errors.ts";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { ensureFolder } from "../../../store/folder.ts";
import { readTextIfAny } from "../../../store/read-file.ts";
import { createFileAtomic, writeFileAtomic } from "../../../store/write-file.ts";
import type { Web } from "../web.ts";

const known = new WeakMap<Web, number>();

/**
 * When the page was first opened, or all sessions were last marked as seen; milliseconds since 1970. Sessions that went
 * idle earlier count as observed: otherwise a new user would first see that they have missed everything.
 */
export function observedSince(web: Web): number {
  const since = known.get(web) ?? read(web);
  known.set(web, since);
  return since;
}

/** Marks everything up to `since` as seen; an earlier time than the current mark undoes that. */
export function observeAll(web: Web, since: number): void {
  ensureFolder(web.home.state);
  writeFileAtomic(fileOf(web), textOf(since));
  known.set(web, since);
}

const fileOf = (web: Web): string => join(web.home.state, "observed-since.json");
const textOf = (since: number): string => `${JSON.stringify({ since: new Date(since).toISOString() })}\n`;

function read(web: Web): number {
  const path = fileOf(web);
  try {
    ensureFolder(web.home.state);
    createFileAtomic(path, textOf(web.now()));
    const stored = parseBounded(readTextIfAny(path, { maxBytes: 1000 }) ?? "{}");
    const since = isRecord(stored) ? Date.parse(String(stored["since"])) : Number.NaN;
    return Number.isFinite(since) ? since : web.now();
  } catch (error) {
    web.report("observed-since", `${path}: ${describeError(error).message}`);
    return web.now();
  }
}
