import { realpathSync } from "node:fs";
import { basename, dirname, join, parse, resolve } from "node:path";
import { fingerprint } from "../../base/fingerprint.ts";
import { isGitDir, pointer, type Repository, repositoryAt } from "../../git/repository.ts";
import type { Project } from "../types.ts";

/** The longest path on this system. Checking every parent of a longer one would take minutes. */
const MAX_PATH = process.platform === "win32" ? 32_767 : 4096;

/**
 * Finds the project of a directory without running git: a hook cannot afford a process, and `.git` is a stable format.
 * All worktrees of a repository share its common directory, so they are one project.
 */
export function findProject(directory: string): Project {
  const start = realOrResolved(directory);
  let bare: string | undefined;
  for (const at of upwards(start)) {
    const found = repositoryAt(at);
    if (found === "foreign") return plain(at);
    if (found !== undefined) return { id: found.common, root: at, label: labelOf(found.common, at) };
    // Inside a clone, a bare repository is part of the clone: anyone can commit one.
    if (bare === undefined && isGitDir(at)) bare = at;
  }
  return bare === undefined ? plain(start) : { id: bare, root: bare, label: labelOf(bare, bare) };
}

/** The current branch; undefined if HEAD is detached or unreadable, or outside git. */
export function currentBranch(directory: string): string | undefined {
  const repository = findRepository(directory);
  if (repository === undefined) return undefined;
  return /^ref: refs\/heads\/(.+)$/.exec(pointer(join(repository.gitDir, "HEAD")) ?? "")?.[1];
}

function findRepository(directory: string): Repository | undefined {
  for (const at of upwards(realOrResolved(directory))) {
    const found = repositoryAt(at);
    if (found !== undefined) return found === "foreign" ? undefined : found;
  }
  return undefined;
}

function* upwards(start: string): Generator<string> {
  for (let at = start; ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}

function plain(folder: string): Project {
  return { id: folder, root: folder, label: basename(folder) || folder };
}

function labelOf(common: string, root: string): string {
  // A worktree's folder is often named after a branch; users call the project by the repository's folder.
  const name = basename(common);
  if (name === ".git") return basename(dirname(common)) || root;
  return name.endsWith(".git") ? name.slice(0, -".git".length) : basename(root) || root;
}

function realOrResolved(path: string): string {
  if (path.length > MAX_PATH) return join(parse(path).root || "/", `too-long-${fingerprint(path)}`);
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path); // the folder was deleted (a removed worktree): its path still identifies it
  }
}
