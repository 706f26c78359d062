import { join } from "node:path";
import { isRecord, parseBounded } from "../base/json.ts";
import type { Home } from "./home.ts";
import { readText } from "./read-file.ts";
import { writeFileAtomic } from "./write-file.ts";

/** What the user has seen of Continuo, so that the next look shows what is new. */
export interface Seen {
  /** When the guided start was last shown; milliseconds since 1970. Undefined if it never was. */
  readonly welcomedAt?: number;
  /** How much there was then. */
  readonly sessions?: number;
  readonly notes?: number;
  /** The version whose changes were shown last. */
  readonly version?: string;
}

/** A damaged file counts as none: it only says what is new. */
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

/** Changes some of it. A home that cannot be written only means that the same is new next time. */
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
