import { readdirSync } from "node:fs";
import { posix, win32 } from "node:path";
import { variable } from "./find-program.ts";
import { readText } from "./read-file.ts";

interface Machine {
  readonly platform?: NodeJS.Platform;
  /** The names in a folder; none if it does not exist. */
  readonly list?: (folder: string) => readonly string[];
  /** A small file's text; empty if there is none. */
  readonly read?: (file: string) => string;
  /** The runtime of this process: npm installs global programs beside it. */
  readonly runtime?: string;
}

/**
 * Folders in which people's programs usually are, in case the PATH lacks them: a program started from a desktop or by
 * another program often has a shorter PATH than the user's shell. Absolute folders of the system and of the user's
 * home, never of the current folder.
 */
export function usualPlaces(env: NodeJS.ProcessEnv, machine: Machine = {}): string[] {
  const { platform = process.platform, runtime = process.execPath } = machine;
  const isWindows = platform === "win32";
  const path = isWindows ? win32 : posix;
  const home = variable(env, "HOME", platform) || variable(env, "USERPROFILE", platform);
  const isKnown = (folder: string | undefined): folder is string =>
    folder !== undefined && path.isAbsolute(folder);
  const inHome = (...names: string[]) => (isKnown(home) ? [path.join(home, ...names)] : []);
  const folders = [
    ...inHome(".local", "bin"),
    ...inHome(".claude", "local"),
    ...inHome(".opencode", "bin"),
    ...inHome(".npm-global", isWindows ? "" : "bin"),
    ...inHome(".bun", "bin"),
    ...inHome(".deno", "bin"),
    ...inHome(".volta", "bin"),
    ...inHome(".cargo", "bin"),
    ...(isWindows ? ofWindows(env) : ofUnix(env, inHome, platform)),
    ...npmPrefix(env, home, machine, isWindows, path),
    path.dirname(runtime),
    ...(isWindows ? [] : versionFolders(env, inHome, machine)),
  ];
  return [...new Set(folders.filter(isKnown))];
}

type InHome = (...names: string[]) => string[];

function ofUnix(env: NodeJS.ProcessEnv, inHome: InHome, platform: NodeJS.Platform): string[] {
  return [
    ...inHome("bin"),
    ...inHome(".asdf", "shims"),
    ...inHome(".local", "share", "mise", "shims"),
    ...inHome(".yarn", "bin"),
    env["PNPM_HOME"] ?? "",
    ...(platform === "darwin" ? inHome("Library", "pnpm") : inHome(".local", "share", "pnpm")),
    "/usr/local/bin",
    "/opt/homebrew/bin",
    "/home/linuxbrew/.linuxbrew/bin",
    "/opt/local/bin",
    "/snap/bin",
    "/usr/bin",
  ];
}

function ofWindows(env: NodeJS.ProcessEnv): string[] {
  const below = (name: string, ...names: string[]) => {
    const folder = variable(env, name, "win32");
    return folder === undefined ? [] : [win32.join(folder, ...names)];
  };
  return [
    ...below("APPDATA", "npm"),
    ...below("LOCALAPPDATA", "Programs"),
    ...below("LOCALAPPDATA", "Programs", "claude"),
    ...below("LOCALAPPDATA", "Microsoft", "WinGet", "Links"),
    ...below("LOCALAPPDATA", "pnpm"),
    ...below("LOCALAPPDATA", "Volta", "bin"),
    ...below("USERPROFILE", "scoop", "shims"),
    ...below("ProgramFiles", "nodejs"),
    ...below("ChocolateyInstall", "bin"),
  ];
}

/** Where `npm install -g` puts programs, according to the user's npm settings. */
function npmPrefix(
  env: NodeJS.ProcessEnv,
  home: string | undefined,
  { read = smallFile }: Machine,
  isWindows: boolean,
  path: typeof posix,
): string[] {
  const text = home === undefined || !path.isAbsolute(home) ? "" : read(path.join(home, ".npmrc"));
  const written = /^\s*prefix\s*=\s*["']?(.+?)["']?\s*$/m.exec(text)?.[1];
  const prefixes = [
    env["npm_config_prefix"],
    env["NPM_CONFIG_PREFIX"],
    written?.replace(/^~(?=[\\/])|\$\{HOME\}/, home ?? ""),
  ];
  return prefixes.flatMap((prefix) => (prefix ? [isWindows ? prefix : path.join(prefix, "bin")] : []));
}

/** Each version of Node has its own programs: the newest first. */
function versionFolders(env: NodeJS.ProcessEnv, inHome: InHome, { list = namesIn }: Machine): string[] {
  const nvm = env["NVM_DIR"] ? [env["NVM_DIR"]] : inHome(".nvm");
  const places: [string, ...string[]][] = [
    ...nvm.map((folder): [string, string] => [posix.join(folder, "versions", "node"), "bin"]),
    ...[...inHome(".local", "share", "fnm"), ...inHome("Library", "Application Support", "fnm")].map(
      (folder): [string, string, string] => [posix.join(folder, "node-versions"), "installation", "bin"],
    ),
    ...inHome(".asdf", "installs", "nodejs").map((folder): [string, string] => [folder, "bin"]),
  ];
  return places.flatMap(([folder, ...below]) =>
    (posix.isAbsolute(folder) ? [...list(folder)] : [])
      .filter((name) => /^v?\d/.test(name))
      .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
      .slice(0, MOST_VERSIONS)
      .map((name) => posix.join(folder, name, ...below)),
  );
}

const MOST_VERSIONS = 20;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no such folder
  }
}

function smallFile(path: string): string {
  try {
    return readText(path, { maxBytes: 64 * 1024 });
  } catch {
    return ""; // no such file, or not a settings file
  }
}
