import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readText } from "../store/read-file.ts";

/** A working tree and the git directories that really belong to it. */
export interface Repository {
  readonly root: string;
  readonly gitDir: string;
  /** The common directory, which all worktrees of a repository share. */
  readonly common: string;
}

/** Git's pointer files have one short line. */
const MAX_POINTER_BYTES = 8192;
export const MAX_CONFIG_BYTES = 256 * 1024;

/**
 * The repository of a working tree, read without running git. A `.git` that points elsewhere is accepted only if the
 * repository names this folder too, because anybody can write a pointer to another user's repository; otherwise the result
 * is "foreign". undefined means that there is no repository here. A folder that only looks like a bare repository does not
 * count.
 */
export function repositoryAt(folder: string): Repository | "foreign" | undefined {
  const dotGit = join(folder, ".git");
  const found = statOrNone(() => lstatSync(dotGit));
  if (found === undefined) return undefined;
  if (found.isDirectory()) {
    const common = real(dotGit);
    return common !== undefined && isGitDir(dotGit) ? { root: folder, gitDir: common, common } : undefined;
  }
  if (found.isSymbolicLink()) return linkedTo(folder, dotGit);
  return found.isFile() ? pointedTo(folder, dotGit) : undefined;
}

/** HEAD and objects exist in every git directory: git creates them first. */
export function isGitDir(path: string): boolean {
  return (
    statOrNone(() => statSync(join(path, "HEAD")))?.isFile() === true &&
    statOrNone(() => statSync(join(path, "objects")))?.isDirectory() === true
  );
}

/** The first line of one of git's files; undefined if it cannot be read. */
export function pointer(path: string): string | undefined {
  try {
    const line = readText(path, { maxBytes: MAX_POINTER_BYTES, cut: true }).split(/\r?\n/, 1)[0];
    return line?.trim() === "" ? undefined : line;
  } catch {
    return undefined; // absent, or not written by git
  }
}

/** `.git` as a symbolic link: accepted only if it leads to a folder inside. */
function linkedTo(folder: string, dotGit: string): Repository | "foreign" | undefined {
  const gitDir = real(dotGit);
  if (gitDir === undefined || statOrNone(() => statSync(gitDir))?.isDirectory() !== true) return undefined;
  return isGitDir(gitDir) && dirname(gitDir) === real(folder)
    ? { root: folder, gitDir, common: gitDir }
    : "foreign";
}

/** `.git` as a file: a linked worktree, a submodule or a separate git directory. */
function pointedTo(folder: string, dotGit: string): Repository | "foreign" | undefined {
  const target = /^gitdir: (.+)$/.exec(pointer(dotGit) ?? "")?.[1];
  if (target === undefined) return undefined;
  if (isRemote(target) && !isRemote(folder)) return "foreign";
  const gitDir = real(resolve(folder, target));
  if (gitDir === undefined) return "foreign"; // the repository does not exist
  const common = commonOfWorktree(gitDir, dotGit);
  if (common !== undefined) return { root: folder, gitDir, common };
  const isOwn = isGitDir(gitDir) && (dirname(gitDir) === real(folder) || worktreeOf(gitDir) === real(folder));
  return isOwn ? { root: folder, gitDir, common: gitDir } : "foreign";
}

/** `<common>/worktrees/<name>` names a worktree by the path of its `.git`. */
function commonOfWorktree(gitDir: string, dotGit: string): string | undefined {
  if (basename(dirname(gitDir)) !== "worktrees") return undefined;
  const common = dirname(dirname(gitDir));
  const shared = pointer(join(gitDir, "commondir"));
  const listed = pointer(join(gitDir, "gitdir"));
  if (shared === undefined || listed === undefined || isRemote(shared) || isRemote(listed)) return undefined;
  const isListed = real(resolve(gitDir, listed)) === real(dotGit) && real(resolve(gitDir, shared)) === common;
  return isListed && isGitDir(common) ? common : undefined;
}

/** A submodule's git directory names its working tree in its config. */
function worktreeOf(gitDir: string): string | undefined {
  try {
    const entries = configEntries(readText(join(gitDir, "config"), { maxBytes: MAX_CONFIG_BYTES }));
    const named = entries?.findLast(({ key }) => key === "core.worktree")?.value;
    return named === undefined || isRemote(named) ? undefined : real(resolve(gitDir, named));
  } catch {
    return undefined; // no config, or not written by git
  }
}

/** On Windows, accessing `\\server\share` already sends the user's credentials there. */
function isRemote(path: string): boolean {
  return process.platform === "win32" && /^[\\/]{2}/.test(path);
}

function statOrNone(stat: () => Stats): Stats | undefined {
  try {
    return stat();
  } catch {
    return undefined; // absent or not accessible
  }
}

function real(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined; // absent or not accessible
  }
}

interface ConfigEntry {
  /** As git lists it: section and name in lower case, a subsection between them as it is written. */
  readonly key: string;
  readonly value: string;
}

const SECTION = /^[ \t]*\[([A-Za-z0-9-]+)(?:[ \t]+"([^"\\]*)")?\][ \t\r]*$/;
const ENTRY = /^[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=(.*))?$/;
const NOTHING = /^[ \t\r]*(?:[#;].*)?$/;

/**
 * The entries of a git config file with one section or entry per line. Returns undefined for a file with any other syntax:
 * what is parsed differently from git could hide a command. Includes are ordinary entries.
 */
export function configEntries(text: string): readonly ConfigEntry[] | undefined {
  const entries: ConfigEntry[] = [];
  let section: string | undefined;
  for (const line of text.split("\n")) {
    if (line.includes("\0")) return undefined;
    if (NOTHING.test(line)) continue;
    const [isSection, name = "", sub] = SECTION.exec(line) ?? [];
    if (isSection !== undefined) {
      section = sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${sub}`;
      continue;
    }
    const [isEntry, key = "", value = ""] = ENTRY.exec(line) ?? [];
    // A value that ends in a backslash continues on the next line.
    if (isEntry === undefined || section === undefined || /\\[ \t\r]*$/.test(value)) return undefined;
    entries.push({ key: `${section}.${key.toLowerCase()}`, value: plainValue(value) });
  }
  return entries;
}

/** Sufficient for a path. No safety check depends on a value. */
function plainValue(value: string): string {
  const bare = value.trim();
  return /^"[^"]*"$/.test(bare) ? bare.slice(1, -1).replace(/\\(.)/g, "$1") : bare;
}
