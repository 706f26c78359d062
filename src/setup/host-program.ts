import { execFile, execFileSync } from "node:child_process";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, win32 } from "node:path";
import { systemCode } from "../base/errors.ts";
import { isRecord, parseBounded } from "../base/json.ts";
import { type Installer, partsOf } from "../hosts/port/installer.ts";
import { findProgram, type PassedOver, passedOver, type Search, variable } from "../store/find-program.ts";
import { readText } from "../store/read-file.ts";
import { usualPlaces } from "../store/usual-places.ts";

/** How to start a program without a shell. */
interface Start {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are already quoted for cmd.exe. */
  readonly verbatim?: true;
}

/**
 * The version of the host's program; undefined if it is not found or does not print one in time. If a package manager's
 * manifest has the version, the program is not started: some change the user's settings at every start (Gemini CLI
 * 0.61).
 */
export async function askVersion(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<string | undefined> {
  const [name, ...args] = command;
  if (name === undefined) return undefined;
  const file = programOf(command, env, cwd);
  const packaged = file === undefined ? undefined : packagedVersion(file);
  if (packaged !== undefined) return packaged;
  const start = file === undefined ? undefined : startOf(file, args, env);
  if (start === undefined) return undefined;
  const printed = await new Promise<string>((resolve) => {
    const options = {
      env,
      encoding: "utf8" as const,
      timeout: 5000,
      killSignal: "SIGKILL" as const,
      windowsHide: true,
      windowsVerbatimArguments: start.verbatim === true,
    };
    // Some programs print their version and then fail, so their output counts.
    const child = execFile(start.file, start.args, options, (_, stdout) => resolve(stdout));
    child.stdin?.on("error", () => undefined).end(); // writing to a program that has already ended fails
  });
  return VERSION.exec(printed)?.[0];
}

const VERSION = /\d+\.\d+\.\d+/;

/** The version of a program in an npm package, from the package's manifest. */
export function packagedVersion(file: string): string | undefined {
  try {
    const [, folder] = IN_PACKAGE.exec(targetOf(file)) ?? [];
    if (folder === undefined) return undefined;
    const manifest = parseBounded(readText(join(folder, "package.json"), { maxBytes: 1024 * 1024 }));
    return isRecord(manifest) ? VERSION.exec(String(manifest["version"]))?.[0] : undefined;
  } catch {
    return undefined; // then the program itself is asked
  }
}

/** The folder of the innermost package. */
const IN_PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/** The target of npm's link; on Windows npm creates a .cmd file that names it. */
function targetOf(file: string): string {
  if (!/\.cmd$/i.test(file)) return realpathSync(file);
  const named = /%~?dp0%?\\([^"]*node_modules[^"]*)"/i.exec(readText(file, { maxBytes: 64 * 1024 }))?.[1];
  return named === undefined ? file : join(dirname(file), ...named.split("\\"));
}

/** Where the host's program is: on the PATH or in one of the usual places, but never in a project. */
export function programOf(
  [program]: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): string | undefined {
  if (program === undefined) return undefined;
  return findProgram(program, searchFor(env, cwd));
}

function searchFor(env: NodeJS.ProcessEnv, cwd: string): Search {
  return { env, near: [cwd], endings: [".exe", ".cmd", ".bat"], also: usualPlaces(env) };
}

/** Why the version of a host's program is not known, in a few words. */
export function whyNoVersion(command: readonly string[], env: NodeJS.ProcessEnv, cwd: string): string {
  const [name] = command;
  if (name === undefined) return "not asked";
  if (programOf(command, env, cwd) !== undefined) return "gave no version";
  const skipped = skippedProgram(command, env, cwd);
  if (skipped === undefined) return "not on the PATH";
  return skipped.isOfProject ? "only in a project" : "replaceable by others";
}

/** A program of this name that was found but must not be used. */
export function skippedProgram(
  [program]: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): PassedOver | undefined {
  return program === undefined ? undefined : passedOver(program, searchFor(env, cwd));
}

/**
 * On Windows, npm's programs are .cmd files, which only cmd.exe can run. It gets one quoted path, which was found on
 * the PATH, and constant arguments. A path with characters that cmd.exe interprets even inside quotes is not run.
 */
export function startOf(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Start | undefined {
  if (!/\.(cmd|bat)$/i.test(file)) return { file, args };
  if (/["%!^]/.test(file)) return undefined;
  const shell = win32.join(variable(env, "SystemRoot") ?? "C:\\Windows", "System32", "cmd.exe");
  return { file: shell, args: ["/d", "/s", "/c", `"${[`"${file}"`, ...args].join(" ")}"`], verbatim: true };
}

/**
 * Whether a program of this agent is running with the settings that `env` leads to. False on Windows, where this cannot
 * be determined. If the environment of a process cannot be read, as on macOS, every such program of this user counts.
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
    if (program === "") return false; // a zombie: ended, but not collected by its parent
    const names = [basename(program), readFileSync(`/proc/${id}/comm`, "utf8").trim()];
    if (!names.some((name) => installer.programs?.includes(name))) return false;
    const its = environmentOf(id);
    return its === undefined || hasSameSettings(installer, its, env);
  } catch {
    return false; // it has ended
  }
}

/**
 * Compares the agent's own variables, such as HOME and CLAUDE_CONFIG_DIR: a process with another home needs no restart.
 */
function hasSameSettings(installer: Installer, its: NodeJS.ProcessEnv, env: NodeJS.ProcessEnv): boolean {
  return partsOf(installer).some(
    (part) => resolve(part.settingsFile(its)) === resolve(part.settingsFile(env)),
  );
}

/** The environment that a process was started with; undefined if it does not say which home the process has. */
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
