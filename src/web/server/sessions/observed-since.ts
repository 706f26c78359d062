import { join } from "node:path";
import { describeError } from "../../../base/errors.ts";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { ensureFolder } from "../../../store/folder.ts";
import { readTextIfAny } from "../../../store/read-file.ts";
import { createFileAtomic } from "../../../store/write-file.ts";
import type { Web } from "../web.ts";

const known = new WeakMap<Web, number>();

/**
 * When the page was first opened; milliseconds since 1970. Sessions that went idle before count as observed: otherwise the
 * first thing that a person sees would be that they have missed everything.
 */
export function observedSince(web: Web): number {
  const since = known.get(web) ?? read(web);
  known.set(web, since);
  return since;
}

function read(web: Web): number {
  const path = join(web.home.state, "observed-since.json");
  try {
    ensureFolder(web.home.state);
    createFileAtomic(path, `${JSON.stringify({ since: new Date(web.now()).toISOString() })}\n`);
    const stored = parseBounded(readTextIfAny(path, { maxBytes: 1000 }) ?? "{}");
    const since = isRecord(stored) ? Date.parse(String(stored["since"])) : Number.NaN;
    return Number.isFinite(since) ? since : web.now();
  } catch (error) {
    web.report("observed-since", `${path}: ${describeError(error).message}`);
    return web.now();
  }
}
