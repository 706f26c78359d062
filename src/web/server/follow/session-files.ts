import { join } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import { readBytes } from "../../../store/read-file.ts";
import type { WebEvent } from "../../api/events.ts";

/** Kinds of files below `state/HOST` or `sessions-meta/HOST`, and what a change of each means. */
const KINDS: readonly (readonly [ending: string, reason: string])[] = [
  [".meta.json", "metadata"],
  [".forgotten", "forgotten"],
  [".json", "state"],
];

/** The events for changed files of sessions. Other files (unfinished ones, attempts) are ignored. */
export function sessionEvents(folder: string, host: string, names: ReadonlySet<string>): WebEvent[] {
  return [...names].flatMap((name): WebEvent[] => {
    if (name.startsWith(".")) return [];
    const [ending, reason] = KINDS.find(([one]) => name.endsWith(one)) ?? [];
    if (ending === undefined || reason === undefined) return [];
    const id = idOf(folder, name.slice(0, -ending.length));
    return id === undefined ? [] : [{ type: "session", session: { host, id }, reason }];
  });
}

/** A state contains its session's id within its first bytes; a record within a few lines. */
const HEAD_BYTES = 8 * 1024;

/** The file's name is the session's id, unless the id is not a safe file name: then the file contains it. */
function idOf(folder: string, name: string): string | undefined {
  if (!/^x-[0-9a-f]+$/.test(name)) return name;
  for (const file of [`${name}.json`, `${name}.meta.json`]) {
    const head = headOf(join(folder, file));
    const [, id] = /"(?:id|sessionId)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(head) ?? [];
    if (id !== undefined) return parsed(id);
  }
  return undefined;
}

function headOf(path: string): string {
  try {
    return readBytes(path, { maxBytes: HEAD_BYTES, cut: true }).toString("utf8");
  } catch (error) {
    if (isSystemError(error)) return ""; // not there
    throw error;
  }
}

function parsed(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}
