import { join } from "node:path";
import * as v from "valibot";
import type { Home } from "../../store/home.ts";
import { readTextIfAny } from "../../store/read-file.ts";
import { writeFileAtomic } from "../../store/write-file.ts";

/**
 * What a server leaves to the next one, so that an open page connects again after a restart: the port, and hashes of the
 * cookies that it gave out. A hash signs nobody in.
 */
export interface KeptAccess {
  readonly port?: number;
  /** Hashes of cookies, and until when each is accepted. */
  readonly cookies: Readonly<Record<string, number>>;
}

const Kept = v.object({
  port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535))),
  cookies: v.record(v.pipe(v.string(), v.maxLength(100)), v.number()),
});
const NOTHING: KeptAccess = { cookies: {} };

export function readKeptAccess(home: Home): KeptAccess {
  try {
    const text = readTextIfAny(pathIn(home), { maxBytes: 64 * 1024 });
    const read = v.safeParse(Kept, text === undefined ? NOTHING : JSON.parse(text));
    if (!read.success) return NOTHING;
    const { port, cookies } = read.output;
    return port === undefined ? { cookies } : { port, cookies };
  } catch {
    return NOTHING; // damaged: pages have to be opened again by a new link
  }
}

export function writeKeptAccess(home: Home, kept: KeptAccess): void {
  writeFileAtomic(pathIn(home), `${JSON.stringify(kept)}\n`, { mode: 0o600, durable: false });
}

function pathIn(home: Home): string {
  return join(home.root, "web-pages.json");
}
