import { readdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { pointer } from "./repository.ts";

/** More worktrees than anyone uses. */
const MOST = 100;

/**
 * The working folders of a repository, by its common directory: the main one and all linked worktrees. Only for finding
 * sessions: which project a folder belongs to is decided by `repositoryAt`, which trusts no pointer.
 */
export function worktreesOf(common: string): string[] {
  const main = common.endsWith(".git") ? dirname(common) : common;
  return [main, ...linkedNames(common).flatMap((name) => linkedRoot(join(common, "worktrees", name)))];
}

function linkedNames(common: string): string[] {
  try {
    return readdirSync(join(common, "worktrees")).slice(0, MOST);
  } catch {
    return []; // no worktrees, or no repository
  }
}

/** A worktree's `gitdir` file contains the path of its `.git`. */
function linkedRoot(folder: string): string[] {
  const listed = pointer(join(folder, "gitdir"));
  return listed !== undefined && isAbsolute(listed) ? [dirname(listed)] : [];
}
