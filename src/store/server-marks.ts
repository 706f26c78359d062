import { rmSync } from "node:fs";
import { join } from "node:path";
import { ensureFolder, namesIn } from "./folder.ts";
import type { Home } from "./home.ts";
import { readText } from "./read-file.ts";
import { writeFileAtomic } from "./write-file.ts";

/**
 * Below the home: a file for each host process whose MCP server is connected. Its name is the host's process id and
 * its text the server's. The shell command of a hook looks at it and starts a process only if there is no server. The session's id
 * would not do: a host may begin another session with the same server.
 */
export const SERVERS = "servers";

/** Marks that the server of this host process runs. Returns what removes the mark, unless another server has replaced it. */
export function markServer(home: Home, host: number, server: number): () => void {
  const folder = join(home.root, SERVERS);
  const file = join(folder, String(host));
  ensureFolder(folder);
  forgetEnded(folder);
  writeFileAtomic(file, `${server}\n`, { durable: false });
  return () => {
    if (textIn(file) === `${server}\n`) rmSync(file, { force: true });
  };
}

/** Marks that the user of this host process knows that it has no server. Returns whether that is new. */
export function markTold(home: Home, host: string): boolean {
  if (!/^\d{1,10}$/.test(host)) return false;
  const file = join(home.root, SERVERS, host);
  if (textIn(file) === TOLD) return false;
  ensureFolder(join(home.root, SERVERS));
  writeFileAtomic(file, TOLD, { durable: false });
  return true;
}

/** Instead of a process id: the shell takes it for that of a server that does not run. */
const TOLD = "none\n";

/** Looking at more marks than this is not worth the time; the next server goes on. */
const MOST_LOOKED_AT = 64;

/** Marks of host processes that have ended. Other names are files that a server writes right now. */
function forgetEnded(folder: string): void {
  const marks = namesIn(folder).filter((name) => /^\d{1,10}$/.test(name));
  for (const name of marks.slice(0, MOST_LOOKED_AT))
    if (!isRunning(Number(name))) rmSync(join(folder, name), { force: true });
}

function textIn(file: string): string | undefined {
  try {
    return readText(file, { maxBytes: 32 });
  } catch {
    return undefined; // removed meanwhile, or not a file: it marks nothing
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false; // a process of another user is none of Continuo's either
  }
}
