import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isRecord, parseBounded } from "../../../base/json.ts";
import type { Home } from "../../../store/home.ts";
import { readAt, readText, withFile } from "../../../store/read-file.ts";
import { isRunning } from "../../../store/running.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";

/**
 * A file beside the installation's receipt. It says that Continuo itself turned this host's hooks into commands because
 * its MCP server was disabled, which a later session undoes. It lists processes of the host that run without the
 * server.
 */
const fileOf = (home: Home, host: string) => join(home.backups, host, "without-server.json");

/** Far more processes than run at once. */
const MOST = 50;

export function isWithoutServer(home: Home, host: string): boolean {
  return existsSync(fileOf(home, host));
}

/**
 * `process`: the process that will never have the server, if only that one lacks it. `isTold`: the user has seen that
 * hooks are commands now.
 */
export function noteWithoutServer(
  home: Home,
  host: string,
  { process, isTold = false }: { readonly process?: number | undefined; readonly isTold?: boolean },
): void {
  const before = noted(home, host);
  const others = before.processes.filter((one) => one !== process);
  const processes = [...others, ...(process === undefined ? [] : [process])].slice(-MOST);
  const told = isTold || before.isTold;
  writeFileAtomic(fileOf(home, host), `${JSON.stringify({ processes, told })}\n`);
}

/** Whether the user still has to be told; marks the user as told. */
export function isToBeTold(home: Home, host: string): boolean {
  if (noted(home, host).isTold) return false;
  noteWithoutServer(home, host, { isTold: true });
  return true;
}

export function forgetWithoutServer(home: Home, host: string): void {
  rmSync(fileOf(home, host), { force: true });
}

/** Whether a listed process still runs. */
export function runsWithoutServer(home: Home, host: string): boolean {
  return noted(home, host).processes.some(isRunning);
}

function noted(home: Home, host: string): { processes: number[]; isTold: boolean } {
  try {
    const value = parseBounded(readText(fileOf(home, host), { maxBytes: 64 * 1024 }));
    const { processes, told } = isRecord(value) ? value : {};
    const found = Array.isArray(processes) ? processes : [];
    return {
      processes: found.filter((one): one is number => Number.isSafeInteger(one) && one > 0),
      isTold: told === true,
    };
  } catch {
    return { processes: [], isTold: false }; // absent or damaged: nothing is known
  }
}

/**
 * Whether the process with this id was started without the MCP servers in its settings. Only on Linux is this cheap to
 * find out.
 */
export function isStrict(host: string | undefined): boolean {
  if (process.platform !== "linux" || host === undefined || !/^\d{1,10}$/.test(host)) return false;
  try {
    const bytes = withFile(`/proc/${host}/cmdline`, ({ descriptor }) =>
      readAt(descriptor, 0, MOST_ARGUMENTS),
    );
    return bytes.toString("latin1").split("\0").includes("--strict-mcp-config");
  } catch {
    return false; // ended, or belongs to another user
  }
}

/** The process that runs this hook, if it was started that way. */
export function strictProcess(env: NodeJS.ProcessEnv): number | undefined {
  return isStrict(env["CLAUDE_PID"]) ? Number(env["CLAUDE_PID"]) : undefined;
}

/** The arguments may include a prompt; anything after a very long one is not read. */
const MOST_ARGUMENTS = 128 * 1024;
