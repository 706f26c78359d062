import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isRecord, parseBounded } from "../base/json.ts";
import type { Home } from "./home.ts";
import { readText } from "./read-file.ts";
import { writeFileAtomic } from "./write-file.ts";

/**
 * Beside the receipt of an installation: Continuo itself made the hooks of this host commands, because its MCP server was
 * taken away. A later session undoes that. It names processes of the host that run without the server.
 */
const fileOf = (home: Home, host: string) => join(home.backups, host, "without-server.json");

/** More programs do not run at once. */
const MOST = 50;

export function isWithoutServer(home: Home, host: string): boolean {
  return existsSync(fileOf(home, host));
}

/** `process`: a process of the host that will never have the server, if it is only this one. */
export function noteWithoutServer(home: Home, host: string, process: number | undefined): void {
  const others = processesIn(fileOf(home, host)).filter((one) => one !== process);
  const processes = [...others, ...(process === undefined ? [] : [process])].slice(-MOST);
  writeFileAtomic(fileOf(home, host), `${JSON.stringify({ processes })}\n`);
}

export function forgetWithoutServer(home: Home, host: string): void {
  rmSync(fileOf(home, host), { force: true });
}

/** Whether a process that was noted still runs. */
export function runsWithoutServer(home: Home, host: string): boolean {
  return processesIn(fileOf(home, host)).some(isRunning);
}

function processesIn(file: string): number[] {
  try {
    const value = parseBounded(readText(file, { maxBytes: 64 * 1024 }));
    const found = isRecord(value) && Array.isArray(value["processes"]) ? value["processes"] : [];
    return found.filter((one): one is number => Number.isSafeInteger(one) && one > 0);
  } catch {
    return []; // not there, or damaged: then none is known
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false; // it has ended, or its number belongs to someone else's process now
  }
}
