import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Project } from "./types.ts";

/**
 * Finds what a directory belongs to without running git: a hook cannot afford a process, and `.git` is a stable
 * format. All worktrees of a repository share its common directory, so they are one project.
 */
export function findProject(directory: string): Project {
  const start = realOrResolved(directory);
  for (let at = start; ; at = dirname(at)) {
    const common = commonDirOf(at);
    if (common !== undefined) return { id: common, root: at, label: labelOf(common, at) };
    if (dirname(at) === at) return { id: start, root: start, label: basename(start) || start };
  }
}

/** The current branch, or undefined when detached, unborn in a strange way, or outside git. */
export function currentBranch(directory: string): string | undefined {
  for (let at = realOrResolved(directory); ; at = dirname(at)) {
    const gitDir = gitDirOf(at);
    if (gitDir !== undefined)
      return /^ref: refs\/heads\/(.+)$/.exec(readLine(join(gitDir, "HEAD")) ?? "")?.[1];
    if (dirname(at) === at) return undefined;
  }
}

function commonDirOf(directory: string): string | undefined {
  const gitDir = gitDirOf(directory);
  if (gitDir === undefined) return undefined;
  const shared = readLine(join(gitDir, "commondir"));
  return realOrResolved(shared === undefined ? gitDir : resolve(gitDir, shared));
}

function gitDirOf(directory: string): string | undefined {
  const dotGit = join(directory, ".git");
  const kind = kindOf(dotGit);
  if (kind === "directory") return isGitDir(dotGit) ? dotGit : undefined;
  if (kind === "file") {
    const target = /^gitdir: (.+)$/.exec(readLine(dotGit) ?? "")?.[1];
    return target === undefined ? undefined : resolve(directory, target);
  }
  return isGitDir(directory) ? directory : undefined; // a bare repository
}

function isGitDir(path: string): boolean {
  return kindOf(join(path, "HEAD")) === "file" && kindOf(join(path, "objects")) === "directory";
}

function labelOf(common: string, root: string): string {
  // A worktree's own folder often carries a branch name; the repository's folder is what people call the project.
  const name = basename(common);
  if (name === ".git") return basename(dirname(common)) || root;
  return name.endsWith(".git") ? name.slice(0, -".git".length) : basename(root) || root;
}

function kindOf(path: string): "file" | "directory" | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    return stat.isDirectory() ? "directory" : "file";
  } catch {
    return undefined; // a place we may not look into is no repository for us
  }
}

function readLine(path: string): string | undefined {
  if (kindOf(path) !== "file") return undefined;
  return readFileSync(path, "utf8").split(/\r?\n/, 1)[0];
}

function realOrResolved(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path); // the folder is gone (a removed worktree): its name still identifies it
  }
}
