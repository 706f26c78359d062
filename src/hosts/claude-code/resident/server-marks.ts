import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { ensureFolder, namesIn } from "../../../store/folder.ts";
import type { Home } from "../../../store/home.ts";
import { readText } from "../../../store/read-file.ts";
import { isRunning } from "../../../store/running.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";
import { REQUESTS, SERVERS } from "../../names.ts";

/**
 * Files in `SERVERS`: one for each host process that has an MCP server or is about to have one. The name is the host's
 * process id. The content is the server's process id and that of the shell that would restart it. A hook's shell
 * command reads the file, and starts a process only if there is no server. Session ids would not do: a host may begin
 * another session with the same server.
 */

/** Written instead of a process id; a shell treats it as a server that does not run. */
const STARTING = "starting\n";
const ENDED = "ended\n";
/** Written once the user knows that there is no server. */
const TOLD = "none\n";

/** A host connects its servers while it starts: one that is missing after this time will not come. */
const LATE_MS = 10_000;

/** Marks that a host process has started, unless there is a mark already. */
export function markStarting(home: Home, host: string): void {
  if (!ID.test(host)) return;
  const folder = join(home.root, SERVERS);
  ensureFolder(folder);
  forgetEnded(home);
  try {
    writeFileSync(join(folder, host), STARTING, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
}

/**
 * Marks that the server of this host process runs. Returns a function that marks its end, unless another server has
 * replaced it.
 */
export function markServer(home: Home, host: number, server: number, shell?: number): () => void {
  const folder = join(home.root, SERVERS);
  const file = join(folder, String(host));
  const text = shell === undefined ? `${server}\n` : `${server}\n${shell}\n`;
  ensureFolder(folder);
  forgetEnded(home);
  writeFileAtomic(file, text, { durable: false });
  return () => {
    if (textIn(file) === text) writeFileAtomic(file, ENDED, { durable: false });
  };
}

/** Whether this host process had a server that has ended, or should have had one long ago. */
export function isServerGone(home: Home, host: string, now: number): boolean {
  if (!ID.test(host)) return false;
  const file = join(home.root, SERVERS, host);
  const text = textIn(file);
  if (text === undefined) return false;
  if (text === STARTING) return now - statSync(file).mtimeMs > LATE_MS;
  const processes = text.split("\n").filter((id) => ID.test(id));
  return !processes.some((id) => isRunning(Number(id)));
}

/** Marks that the user knows that this host process has no server. Returns whether the user did not know before. */
export function markTold(home: Home, host: string): boolean {
  if (!ID.test(host)) return false;
  const file = join(home.root, SERVERS, host);
  if (textIn(file) === TOLD) return false;
  ensureFolder(join(home.root, SERVERS));
  writeFileAtomic(file, TOLD, { durable: false });
  return true;
}

/** A process id. */
const ID = /^[1-9]\d{0,9}$/;

/** The most marks to look at; the next server continues. */
const MOST_LOOKED_AT = 64;

/** Removes the files of host processes that have ended. Files with other names are just being written by a server. */
function forgetEnded(home: Home): void {
  for (const folder of [join(home.root, SERVERS), join(home.root, REQUESTS)]) {
    const ids = namesIn(folder).filter((name) => ID.test(name));
    for (const id of ids.slice(0, MOST_LOOKED_AT))
      if (!isRunning(Number(id))) rmSync(join(folder, id), { force: true });
  }
}

function textIn(file: string): string | undefined {
  try {
    return readText(file, { maxBytes: 32 });
  } catch {
    return undefined; // removed meanwhile, or not a file
  }
}
