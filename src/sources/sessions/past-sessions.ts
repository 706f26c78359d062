import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SessionFile } from "../../moments/ports/history.ts";
import type { ToolPlace } from "../../moments/ports/tool.ts";
import { writeFileAtomic } from "../../store/write-file.ts";

/** No host's prompt cache lasts longer. */
const CACHE_MS = 60 * 60_000;

/** Two tools ask for one and the same place. */
const known = new WeakMap<ToolPlace, Promise<boolean>>();

/**
 * Whether there are sessions besides the one that asks. Where its id is not known yet, those written within the last hour
 * are not counted: a session that is resumed that soon would find itself, and its list of tools would change while the
 * host's prompt cache still has the old one.
 */
export function hasPastSessions(place: ToolPlace): Promise<boolean> {
  const asked = known.get(place) ?? look(place);
  known.set(place, asked);
  return asked;
}

async function look({ home, env, now, history, session }: ToolPlace): Promise<boolean> {
  // Listing the files of years takes a while, and what was found once need not be found again.
  const found = join(home.root, "cache", "past-sessions");
  if (existsSync(found)) return true;
  const isPast = ({ id, parent, modified }: SessionFile) =>
    parent === undefined && (session === undefined ? modified < now - CACHE_MS : id !== session.id);
  for (const reader of (await history()).values()) {
    if (!reader.discover(env).some(isPast)) continue;
    remember(home.root, found);
    return true;
  }
  return false;
}

function remember(root: string, found: string): void {
  try {
    if (existsSync(root)) writeFileAtomic(found, "", { durable: false });
  } catch {
    // Only time is lost; `doctor` tells about a home that cannot be written.
  }
}
