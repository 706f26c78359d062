import { execFile } from "node:child_process";
import { win32 } from "node:path";
import { findProgram, variable } from "../../../store/find-program.ts";
import { usualPlaces } from "../../../store/usual-places.ts";

/** How to start a program without a shell. */
export interface Start {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are already quoted for cmd.exe. */
  readonly verbatim?: true;
}

/** Asks the host's program for its version; undefined when it is not found or gives no version in time. */
export async function askVersion(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<string | undefined> {
  const [name, ...args] = command;
  if (name === undefined) return undefined;
  const file = programOf(command, env, cwd);
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
    // Some programs print their version and fail: what they print counts.
    const child = execFile(start.file, start.args, options, (_, stdout) => resolve(stdout));
    child.stdin?.on("error", () => undefined).end(); // a program that has ended already takes no input
  });
  return /\d+\.\d+\.\d+/.exec(printed)?.[0];
}

/** Where the host's program is: on the PATH or in one of the usual places, never in a project. */
export function programOf(
  [program]: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): string | undefined {
  if (program === undefined) return undefined;
  const also = usualPlaces(env);
  return findProgram(program, { env, near: [cwd], endings: [".exe", ".cmd", ".bat"], also });
}

/**
 * On Windows, npm's programs are .cmd files, which only cmd.exe can run. It gets one quoted path, which was found on the
 * PATH, and constant arguments. A path with characters that cmd.exe interprets even within quotes is not run.
 */
export function startOf(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Start | undefined {
  if (!/\.(cmd|bat)$/i.test(file)) return { file, args };
  if (/["%!^]/.test(file)) return undefined;
  const shell = win32.join(variable(env, "SystemRoot") ?? "C:\\Windows", "System32", "cmd.exe");
  return { file: shell, args: ["/d", "/s", "/c", `"${[`"${file}"`, ...args].join(" ")}"`], verbatim: true };
}
