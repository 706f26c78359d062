import { spawnSync } from "node:child_process";
import { win32 } from "node:path";
import { findProgram, variable } from "../../../store/find-program.ts";

/** How to start a program without a shell. */
export interface Start {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are already quoted for cmd.exe. */
  readonly verbatim?: true;
}

/** Asks the host's program for its version; undefined when it is not on the PATH or gives no version in time. */
export function askVersion(
  [program = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): string | undefined {
  const file = findProgram(program, { env, near: [cwd], endings: [".exe", ".cmd", ".bat"] });
  const start = file === undefined ? undefined : startOf(file, args, env);
  if (start === undefined) return undefined;
  const { stdout } = spawnSync(start.file, start.args, {
    env,
    encoding: "utf8",
    timeout: 5000,
    killSignal: "SIGKILL",
    windowsHide: true,
    windowsVerbatimArguments: start.verbatim === true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return /\d+\.\d+\.\d+/.exec(stdout ?? "")?.[0];
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
