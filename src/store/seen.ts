import { join } from "node:path";
import { isRecord, parseBounded } from "../base/json.ts";
import type { Home } from "./home.ts";
import { readText } from "./read-file.ts";
import { writeFileAtomic } from "./write-file.ts";

/** What the user has already seen of Continuo, so that the next time shows what is new. */
export interface Seen {
  /** When the guided start was last shown; milliseconds since 1970. Undefined if it never was. */
  readonly welcomedAt?: number;
  /** The number of sessions at that time. */
  readonly sessions?: number;
  readonly notes?: number;
  /** The version whose changes were shown last. */
  readonly version?: string;
}

/** A damaged file counts as empty: it only affects what is shown as new. */
export function readSeen(home: Home): Seen {
  try {
    const value = parseBounded(readText(fileIn(home), { maxBytes: 64 * 1024 }));
    if (!isRecord(value) || value["v"] !== 1) return {};
    const { welcomedAt, sessions, notes, version } = value;
    return {
      ...(typeof welcomedAt === "number" && { welcomedAt }),
      ...(typeof sessions === "number" && { sessions }),
      ...(typeof notes === "number" && { notes }),
      ...(typeof version === "string" && { version }),
    };
  } catch {
    return {}; // absent, or damaged
  }
}

/** Changes some fields. If the home cannot be written, the same things are shown as new next time. */
export function writeSeen(home: Home, seen: Seen): void {
  try {
    const text = JSON.stringify({ v: 1, ...readSeen(home), ...seen });
    writeFileAtomic(fileIn(home), `${text}\n`, { durable: false });
  } catch {
    // As above.
  }
}

function fileIn(home: Home): string {
  return join(home.state, "seen.json");
}
