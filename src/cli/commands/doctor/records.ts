import { type Dirent, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { ago, count } from "../../../base/when.ts";
import { readRecord } from "../../../sources/sessions/records/files.ts";
import type { Home } from "../../../store/home.ts";
import { readText } from "../../../store/read-file.ts";
import type { World } from "../../command.ts";
import { fixable, type NamedFinding, warn } from "./check.ts";

/** Per agent; reading this many takes a second or two. */
const MOST_RECORDS = 20_000;
const MOST_SHOWN = 10;
const BY_HAND = "move it away, then write it again from the transcript: continuo sessions index";

/**
 * Summaries of past sessions that cannot be read (their sessions are still found), and failed requests to a model for a
 * summary.
 */
export function* checkRecords(world: World, home: Home): Generator<NamedFinding> {
  const damaged: NamedFinding[] = [];
  const tried: string[] = [];
  const folder = join(home.root, "sessions-meta");
  for (const host of list(folder)) {
    const below = join(folder, host.name);
    if (!host.isDirectory()) damaged.push(warn("records", `${below} is not a folder`, BY_HAND));
    for (const { name } of host.isDirectory() ? list(below).slice(0, MOST_RECORDS) : []) {
      const path = join(below, name);
      if (name.endsWith(".meta.json"))
        readRecord(path, (reason) => void damaged.push(unreadable(path, reason, world)));
      if (name.endsWith(".tried")) tried.push(path);
    }
  }
  yield* damaged.slice(0, MOST_SHOWN);
  const more = damaged.length - MOST_SHOWN;
  if (more > 0) yield warn("records", `${more} more cannot be read`, BY_HAND);
  yield* inVain(tried, world.now());

  function list(path: string): Dirent[] {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch (error) {
      const code = systemCode(error);
      const why = code === "ENOTDIR" ? "is not a folder" : `cannot be read (${code})`;
      if (code !== "ENOENT") damaged.push(warn("records", `${path} ${why}`, BY_HAND));
      return [];
    }
  }
}

/** The file is kept, because a model may have written it. */
function unreadable(path: string, reason: string, world: World): NamedFinding {
  const run = () => {
    const aside = `${path}.damaged-${world.now()}`;
    renameSync(path, aside);
    return `set it aside as ${aside}. To write it again: continuo sessions index`;
  };
  return fixable("warn", "records", reason, run);
}

function* inVain(paths: readonly string[], now: number): Generator<NamedFinding> {
  const failures = paths.flatMap((path) => readAttempt(path) ?? []).sort((a, b) => (a.at < b.at ? 1 : -1));
  const [last] = failures;
  if (last === undefined) return;
  const which = `the model wrote no summary of ${count(failures.length, "session")}`;
  const when = `last ${ago(last.at, now)}: ${last.error}`;
  const again = "to ask it again: continuo sessions describe --all";
  yield { ...warn("summaries", `${which} (${when})`, again), at: last.at };
}

function readAttempt(path: string): { at: string; error: string } | undefined {
  try {
    const value: unknown = parseBounded(readText(path, { maxBytes: 64 * 1024 }));
    const { at, error } = isRecord(value) ? value : {};
    return typeof at === "string" && typeof error === "string" ? { at, error } : undefined;
  } catch {
    return undefined; // at worst this costs one more attempt
  }
}
