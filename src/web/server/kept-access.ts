import { join } from "node:path";
import * as v from "valibot";
import type { Home } from "../../store/home.ts";
import { readTextIfAny } from "../../store/read-file.ts";
import { writeFileAtomic } from "../../store/write-file.ts";

/** A page that has access. Neither its cookie nor its key can be derived from this. */
export interface KeptPage {
  /** The secret with which it proves that it is the same page. */
  readonly again: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** What a server stores for the next one, so that an open page reconnects after a restart. */
export interface KeptAccess {
  readonly port?: number;
  /** By the hash of their keys. */
  readonly pages: Readonly<Record<string, KeptPage>>;
}

const short = v.pipe(v.string(), v.maxLength(100));
const Kept = v.object({
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  pages: v.record(short, v.object({ again: short, until: v.number() })),
});
const NOTHING: KeptAccess = { pages: {} };

/** If no page can come back, the old port is not needed either. */
export function readKeptAccess(home: Home, now: number): KeptAccess {
  try {
    const text = readTextIfAny(pathIn(home), { maxBytes: 64 * 1024 });
    const read = text === undefined ? undefined : v.safeParse(Kept, JSON.parse(text));
    if (read?.success !== true) return NOTHING;
    const open = Object.entries(read.output.pages).filter(([, { until }]) => until > now);
    return open.length === 0 ? NOTHING : { port: read.output.port, pages: Object.fromEntries(open) };
  } catch {
    return NOTHING; // damaged: open pages need a new link
  }
}

export function writeKeptAccess(home: Home, kept: KeptAccess): void {
  writeFileAtomic(pathIn(home), `${JSON.stringify(kept)}\n`, { mode: 0o600, durable: false });
}

function pathIn(home: Home): string {
  return join(home.root, "web-pages.json");
}
