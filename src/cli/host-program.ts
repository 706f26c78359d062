import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { win32 } from "node:path";

/** How to start a program without a shell. */
export interface Start {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already, in the way that cmd.exe reads. */
  readonly verbatim?: true;
}

/** Asks the host's program; undefined when it is not on the PATH or says nothing of use in time. */
export function askVersion(command: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const start = process.platform === "win32" ? startOnWindows(command, env, existsSync) : startOf(command);
  if (start === undefined) return undefined;
  const { stdout } = spawnSync(start.file, start.args, {
    env,
    encoding: "utf8",
    timeout: 5000,
    windowsHide: true,
    windowsVerbatimArguments: start.verbatim === true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return /\d+\.\d+\.\d+/.exec(stdout ?? "")?.[0];
}

function startOf([file = "", ...args]: readonly string[]): Start {
  return { file, args };
}

/**
 * npm's programs are .cmd files on Windows, which only cmd.exe can run. It is given one path that we found on the PATH
 * ourselves, between quotes, and our own constant arguments; a path that means something to cmd.exe even there is left.
 */
export function startOnWindows(
  [program = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  exists: (path: string) => boolean,
): Start | undefined {
  const folders = (variable(env, "PATH") ?? "")
    .split(";")
    .map((folder) => folder.replace(/^"|"$/g, ""))
    // A relative folder would mean one in the project, where anybody may have put a program.
    .filter((folder) => win32.isAbsolute(folder));
  const paths = folders.flatMap((folder) =>
    [".exe", ".cmd", ".bat"].map((ending) => win32.join(folder, program + ending)),
  );
  const found = paths.find(exists);
  if (found === undefined) return undefined;
  if (found.endsWith(".exe")) return { file: found, args };
  if (/["%!^]/.test(found)) return undefined;
  const shell = win32.join(variable(env, "SystemRoot") ?? "C:\\Windows", "System32", "cmd.exe");
  return { file: shell, args: ["/d", "/s", "/c", `"${[`"${found}"`, ...args].join(" ")}"`], verbatim: true };
}

/** Windows does not tell `Path` from `PATH`, but a copy of its environment does. */
function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const key = Object.keys(env).find((one) => one.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}
