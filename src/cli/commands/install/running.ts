import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, isAbsolute, resolve } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { type Installer, partsOf } from "../../../hosts/port/installer.ts";

/**
 * Whether a program of this agent runs now and reads the settings that `env` leads to. False where it cannot be found out: on
 * Windows. Where the environment of a process cannot be read, as on macOS, every program of this user counts.
 */
export function runningNow(installer: Installer, env: NodeJS.ProcessEnv): boolean {
  const { programs = [] } = installer;
  if (programs.length === 0 || process.platform === "win32") return false;
  try {
    if (process.platform !== "linux") return otherNames().some((name) => programs.includes(name));
    return readdirSync("/proc").some((id) => /^\d+$/.test(id) && isItsProcess(id, installer, env));
  } catch {
    return false; // only a hint is lost
  }
}

function isItsProcess(id: string, installer: Installer, env: NodeJS.ProcessEnv): boolean {
  try {
    if (statSync(`/proc/${id}`).uid !== process.getuid?.()) return false;
    const [program = ""] = readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0");
    if (program === "") return false; // it has ended, and its parent has not asked how
    const names = [basename(program), readFileSync(`/proc/${id}/comm`, "utf8").trim()];
    if (!names.some((name) => installer.programs?.includes(name))) return false;
    const its = environmentOf(id);
    return its === undefined || hasSameSettings(installer, its, env);
  } catch {
    return false; // it has ended
  }
}

/** By the agent's own variables, such as HOME and CLAUDE_CONFIG_DIR: a process of another home needs no restart. */
function hasSameSettings(installer: Installer, its: NodeJS.ProcessEnv, env: NodeJS.ProcessEnv): boolean {
  return partsOf(installer).some(
    (part) => resolve(part.settingsFile(its)) === resolve(part.settingsFile(env)),
  );
}

/** The environment that a process was started with; undefined if that does not say which home it has. */
function environmentOf(id: string): NodeJS.ProcessEnv | undefined {
  try {
    const entries = readFileSync(`/proc/${id}/environ`, "utf8").split("\0");
    const env = Object.fromEntries(
      entries.map((entry) => /^([^=]+)=(.*)$/s.exec(entry)?.slice(1) ?? ["", ""]),
    );
    return isAbsolute(env["HOME"] ?? "") ? env : undefined;
  } catch (error) {
    if (systemCode(error) === "EACCES" || systemCode(error) === "EPERM") return undefined;
    throw error;
  }
}

function otherNames(): string[] {
  const listed = execFileSync("/bin/ps", ["-xo", "comm="], { encoding: "utf8", timeout: 2_000 });
  return listed.split("\n").map((line) => basename(line.trim()));
}
