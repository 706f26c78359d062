import { accessSync, constants, lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, parse, posix, resolve, sep, win32 } from "node:path";
import { wayInside } from "../base/inside.ts";
import { workingFolder } from "./folder.ts";

/**
 * The only place that looks for a program on the PATH. npx, `npm run`, direnv and virtual environments add a project's
 * folders to the PATH, so whoever wrote that project could replace `git`. A program is therefore used only from a
 * folder that belongs to no project (see `isOfProject`); the system's own search would use the first match.
 */
export function findProgram(
  name: string,
  { env, near = [], endings = [".exe"], also = [] }: Search,
): string | undefined {
  const places = placesOfProject(env, near);
  return candidates(name, env, endings, process.platform, also).find(
    (path) => isProgram(path) && !isOfProject(path, places, env) && !isWritableByOthers(path),
  );
}

/** A program that was found but must not be used. */
export interface PassedOver {
  readonly path: string;
  /** The reason, in words that follow "was found only". */
  readonly where: string;
  readonly isOfProject: boolean;
}

/** The first program that `findProgram` rejected, if it found no other. */
export function passedOver(
  name: string,
  { env, near = [], endings = [".exe"], also = [] }: Search,
): PassedOver | undefined {
  const places = placesOfProject(env, near);
  const path = candidates(name, env, endings, process.platform, also).find(isProgram);
  if (path === undefined) return undefined;
  const isIn = isOfProject(path, places, env);
  const where = isIn
    ? "in a project, and no program is started from there"
    : "where other users may replace it, so it is not started";
  return { path, where, isOfProject: isIn };
}

/** The PATH without folders of projects, for a shell that looks for programs itself. */
export function pathOutsideProjects({ env, near = [] }: Pick<Search, "env" | "near">): string {
  const places = placesOfProject(env, near);
  return (variable(env, "PATH") ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isOfProject(join(folder, "any"), places, env))
    .join(delimiter);
}

function placesOfProject(env: NodeJS.ProcessEnv, near: readonly string[]): string[] {
  return [...near, ...foldersOfSession(env)]
    .flatMap((folder) => [resolve(folder), real(folder) ?? folder])
    .filter((folder) => !isEverybodys(folder, env));
}

export interface Search {
  readonly env: NodeJS.ProcessEnv;
  /** Folders that belong to a project, besides those of the current process. */
  readonly near?: readonly string[];
  /** File name extensions to try on Windows, in this order. */
  readonly endings?: readonly string[];
  /** Folders to look in after those of the PATH, such as `usualPlaces`. */
  readonly also?: readonly string[];
}

/** The absolute paths where the program could be. A relative folder on the PATH would differ from project to project. */
export function candidates(
  name: string,
  env: NodeJS.ProcessEnv,
  endings: readonly string[],
  platform: NodeJS.Platform = process.platform,
  also: readonly string[] = [],
): string[] {
  const isWindows = platform === "win32";
  const path = isWindows ? win32 : posix;
  const onPath = (variable(env, "PATH", platform) ?? "").split(path.delimiter);
  return [...onPath, ...also]
    .map((folder) => (isWindows ? folder.replace(/^"|"$/g, "") : folder))
    .filter((folder) => path.isAbsolute(folder))
    .flatMap((folder) => (isWindows ? endings : [""]).map((ending) => path.join(folder, name + ending)));
}

/** On Windows `Path` and `PATH` are the same variable, but not in a copy of the environment. */
export function variable(
  env: NodeJS.ProcessEnv,
  name: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform !== "win32") return env[name];
  const key = Object.keys(env).find((one) => one.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}

/** Files and folders that show that a folder is the root of a project. */
const MARKS = [".git", ".hg", ".jj", ".envrc", "package.json", "pyproject.toml"];

/** Homebrew's folders are git repositories, but belong to no project. */
const SHARED = ["/usr/local", "/opt/homebrew"];

/**
 * Checks the folder as the PATH names it and its real path. For the file itself it only matters whether it is in the
 * session's project: a program that npm installed globally is a link to a file in some package.
 */
function isOfProject(path: string, places: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const folders = [dirname(path), real(dirname(path)) ?? dirname(path)];
  const files = [path, real(path) ?? path];
  return (
    folders.some((folder) => folder.split(sep).includes("node_modules") || isBelowMark(folder, env)) ||
    [...folders, ...files].some((one) => places.some((place) => wayInside(place, one) !== undefined))
  );
}

function isBelowMark(folder: string, env: NodeJS.ProcessEnv): boolean {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    if (!isEverybodys(at, env) && !isUsersTool(at, env) && MARKS.some((mark) => exists(join(at, mark))))
      return true;
  }
  return false;
}

/** Folders above the programs of several projects, whatever else they contain. */
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

/** The current folder, and the folders that hosts and npm name as the session's or the user's. */
function foldersOfSession(env: NodeJS.ProcessEnv): string[] {
  const named = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "INIT_CWD"].map((name) => env[name] ?? "");
  return [workingFolder(), ...named].filter(isAbsolute);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // absent, or this user may not run it
  }
}

/** Whether any user of the machine could have put it there. Windows has no such permission bits. */
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
    return undefined; // absent or not accessible
  }
}

function real(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined; // it does not exist
  }
}
