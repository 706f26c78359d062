import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { ContinuoError, systemCode } from "../../../base/errors.ts";
import { findProgram } from "../../../store/find-program.ts";
import { userHome } from "../../../store/home.ts";

/** A program and the arguments before the file. */
export interface Editor {
  /** As the variable names it, for messages. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * The editor of the environment, as git chooses it: VISUAL unless the terminal is dumb, then EDITOR. Undefined if none is
 * set. Its words are split as a shell does it, but no shell runs: names of files are strangers' text.
 */
export function editorOf(env: NodeJS.ProcessEnv, cwd: string): Editor | undefined {
  const variable = env["TERM"] !== "dumb" && env["VISUAL"]?.trim() ? "VISUAL" : "EDITOR";
  const text = env[variable]?.trim();
  if (!text) return undefined;
  const [name = "", ...args] = isFile(text) ? [text] : wordsOf(text);
  const program = programFor(name, env, cwd);
  if (program !== undefined) return { name, program, args };
  throw new ContinuoError("no-editor", `${variable} is ${text}, and there is no program ${name}`, {
    hint: `set it to an installed editor, for example: export ${variable}=nano`,
  });
}

/** A bare name is looked for on the PATH, but not in projects; any other has to be a full path. */
function programFor(name: string, env: NodeJS.ProcessEnv, cwd: string): string | undefined {
  const path = /^~[/\\]/.test(name) ? join(userHome(env), name.slice(2)) : name;
  if (isAbsolute(path)) return isFile(path) ? path : undefined;
  return /[/\\]/.test(path) || path === "" ? undefined : findProgram(path, { env, near: [cwd] });
}

/** `code --wait`, `"/Applications/My Editor/bin/ed" -n`. */
export function wordsOf(text: string, platform: NodeJS.Platform = process.platform): string[] {
  // On Windows a backslash separates folders.
  const word =
    platform === "win32" ? /(?:"[^"]*"|'[^']*'|[^\s"'])+/g : /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/gs;
  const piece = platform === "win32" ? /"([^"]*)"|'([^']*)'/g : /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs;
  return (text.match(word) ?? []).map((one) =>
    one.replace(piece, (_, double?: string, single?: string, escaped?: string) => {
      if (double !== undefined) return platform === "win32" ? double : double.replace(/\\(["\\$`])/g, "$1");
      return single ?? escaped ?? "";
    }),
  );
}

/** Waits until the editor ends; returns its exit code. */
export function edit({ name, program, args }: Editor, path: string, env: NodeJS.ProcessEnv): number {
  // Ctrl-C is for the editor: it must not end this process and leave the terminal to both.
  const ignore = () => undefined;
  process.on("SIGINT", ignore);
  try {
    const { status, error } = spawnSync(program, [...args, path], { env, stdio: "inherit" });
    if (error !== undefined)
      throw new ContinuoError("no-editor", `${name} could not be started (${systemCode(error)})`, {
        hint: `open the file yourself: ${path}`,
        cause: error,
      });
    return status ?? 1;
  } finally {
    process.off("SIGINT", ignore);
  }
}

function isFile(path: string): boolean {
  return isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
