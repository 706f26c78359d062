import { accessSync, constants, lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, parse, posix, relative, resolve, sep, win32 } from "node:path";
import { workingFolder } from "./folder.ts";

/**
 * The only place that looks for a program on the PATH. npx, `npm run`, direnv and virtual environments put folders of a
 * project there, and whoever wrote that project decides what `git` is in them. So a program is taken only from a folder
 * that no project has: see `isOfProject`. The system's own search would take the first, whosever it is.
 */
export function findProgram(
  name: string,
  { env, near = [], endings = [".exe"] }: Search,
): string | undefined {
  const own = [...near, ...foldersOfSession(env)].flatMap((folder) => [
    resolve(folder),
    real(folder) ?? folder,
  ]);
  const places = own.filter((folder) => !isEverybodys(folder, env));
  return candidates(name, env, endings).find(
    (path) => isProgram(path) && !isOfProject(path, places, env) && !isWritableByOthers(path),
  );
}

export interface Search {
  readonly env: NodeJS.ProcessEnv;
  /** Folders that belong to a project, besides those that the process is in. */
  readonly near?: readonly string[];
  /** On Windows, in this order. */
  readonly endings?: readonly string[];
}

/** Where the program could be, by absolute paths: a relative folder on the PATH is another one in each project. */
export function candidates(
  name: string,
  env: NodeJS.ProcessEnv,
  endings: readonly string[],
  platform: NodeJS.Platform = process.platform,
): string[] {
  const isWindows = platform === "win32";
  const path = isWindows ? win32 : posix;
  return (variable(env, "PATH", platform) ?? "")
    .split(path.delimiter)
    .map((folder) => (isWindows ? folder.replace(/^"|"$/g, "") : folder))
    .filter((folder) => path.isAbsolute(folder))
    .flatMap((folder) => (isWindows ? endings : [""]).map((ending) => path.join(folder, name + ending)));
}

/** Windows does not tell `Path` from `PATH`, but a copy of its environment does. */
export function variable(
  env: NodeJS.ProcessEnv,
  name: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform !== "win32") return env[name];
  const key = Object.keys(env).find((one) => one.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}

/** What a folder of a project holds, if it is the topmost. */
const MARKS = [".git", ".hg", ".jj", ".envrc", "package.json", "pyproject.toml"];

/** Homebrew's folders are repositories, and everybody's. */
const SHARED = ["/usr/local", "/opt/homebrew"];

/**
 * By the folder as the PATH names it and as it really is. Of the file itself only that it does not lie in the session's
 * project: what npm installed for all projects is a link to a file in some package.
 */
function isOfProject(path: string, places: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const folders = [dirname(path), real(dirname(path)) ?? dirname(path)];
  const files = [path, real(path) ?? path];
  return (
    folders.some((folder) => folder.split(sep).includes("node_modules") || isBelowMark(folder, env)) ||
    [...folders, ...files].some((one) => places.some((place) => isInside(one, place)))
  );
}

function isBelowMark(folder: string, env: NodeJS.ProcessEnv): boolean {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    if (!isEverybodys(at, env) && !isUsersTool(at, env) && MARKS.some((mark) => exists(join(at, mark))))
      return true;
  }
  return false;
}

/** Folders with programs of more than one project below them, whatever else they hold. */
function isEverybodys(folder: string, env: NodeJS.ProcessEnv): boolean {
  return parse(folder).root === folder || SHARED.includes(folder) || homes(env).includes(folder);
}

/** nvm, asdf and pyenv are clones in a hidden folder of the home, or in `~/.config`. */
function isUsersTool(folder: string, env: NodeJS.ProcessEnv): boolean {
  return homes(env).some(
    (home) =>
      (dirname(folder) === home && basename(folder).startsWith(".")) ||
      dirname(folder) === join(home, ".config"),
  );
}

function homes(env: NodeJS.ProcessEnv): string[] {
  const home = variable(env, "HOME") || variable(env, "USERPROFILE");
  return home === undefined || !isAbsolute(home) ? [] : [resolve(home), real(home) ?? resolve(home)];
}

/** Where the process is, and where hosts and npm say that the session or the user is. */
function foldersOfSession(env: NodeJS.ProcessEnv): string[] {
  const named = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "INIT_CWD"].map((name) => env[name] ?? "");
  return [workingFolder(), ...named].filter(isAbsolute);
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Any user of the machine could have put it there. Windows has no such bits. */
function isWritableByOthers(path: string): boolean {
  if (process.platform === "win32") return false;
  return [path, dirname(path)].some((one) => ((look(() => statSync(one))?.mode ?? 0) & 0o002) !== 0);
}

function exists(path: string): boolean {
  return look(() => lstatSync(path)) !== undefined;
}

function look(ask: () => Stats): Stats | undefined {
  try {
    return ask();
  } catch {
    return undefined; // absent, or a place where we may not look
  }
}

function real(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined; // it does not exist
  }
}
