import { type Dirent, opendirSync, realpathSync, type Stats, statSync } from "node:fs";
import { sep } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { isTooLong, type RuleFile, type RuleFolder, refusalOf, type Skipped } from "./folders.ts";
import { type RuleLimits, timer } from "./limits.ts";

export interface Discovered {
  readonly files: readonly RuleFile[];
  readonly skipped: readonly Skipped[];
  /** Every listed folder, and those that do not exist. */
  readonly folders: readonly string[];
  /**
   * Whether the same files will be found as long as none of the folders changes: no links, no failures and enough time.
   */
  readonly isCertain: boolean;
}

/**
 * Finds rule files in the order of the folders: recursively, sorted, without hidden names and without duplicates. Files
 * of a folder come before those of its subfolders, so that a limit keeps the files at the top.
 */
export function discoverRules(
  folders: readonly RuleFolder[],
  limits: RuleLimits,
  clock: () => number,
): Discovered {
  const files: RuleFile[] = [];
  const skipped: Skipped[] = [];
  const listed: string[] = [];
  let isCertain = true;
  const seen = new Set<string>();
  const scopes = { project: scope(), global: scope() };
  for (const folder of folders) {
    const real = realOf(folder.path, true);
    listed.push(folder.path);
    if (real === undefined) continue;
    const refusal = refusalOf(folder, real, "folder");
    if (refusal !== undefined) unreadable(folder.path, refusal);
    // Marked as seen, so that a link back to it is not followed again.
    else if (isNew(real)) files.push(...walk(folder, real, scopes[folder.scope]));
  }
  return { files, skipped, folders: listed, isCertain };

  function scope(): Scope {
    return { left: { ...limits }, isOver: timer(limits.ms, clock) };
  }

  function isNew(real: string): boolean {
    return !seen.has(real) && seen.add(real) !== undefined;
  }

  /** Paths are concatenated, because a system call, or `node:path`, for each would be most of the cost. */
  function walk(folder: RuleFolder, realRoot: string, { left, isOver }: Scope): RuleFile[] {
    const found: RuleFile[] = [];
    const isLinked = realRoot !== folder.path;
    const folders: FolderToList[] = [{ path: folder.path, real: realRoot, name: "", depth: 0, isLinked }];
    let bound = "";
    for (let next = 0; next < folders.length; next++) {
      const parent = folders[next];
      if (parent === undefined || (next >= limits.sureFiles && isOver())) {
        bound ||= `${limits.ms} ms`;
        isCertain = false;
        break;
      }
      if (left.entries <= 0) {
        bound ||= `${limits.entries} names`;
        break;
      }
      if (next > 0) listed.push(parent.path);
      for (const entry of list(parent.path)) {
        if (entry.name.startsWith(".")) continue;
        if (entry.isDirectory() && left.folders <= 0) {
          bound ||= `${limits.folders} folders`;
          continue;
        }
        const linkBound = entry.isSymbolicLink() ? boundOfLinks() : "";
        if (linkBound !== "") {
          bound ||= linkBound;
          continue;
        }
        const one = foundAs(folder, parent, entry);
        if (one === undefined) continue;
        if (!("depth" in one)) {
          if (left.files-- > 0) found.push(one);
          else bound ||= `${limits.files} rule files`;
        } else if (one.depth > limits.depth) bound ||= `${limits.depth} levels of folders`;
        else if (left.folders-- > 0) folders.push(one);
        else bound ||= `${limits.folders} folders`;
      }
    }
    if (bound !== "") {
      const message = `${folder.path} is too large: rules are searched in at most ${bound}, and the rest is left out`;
      skipped.push({ path: folder.path, code: "rules-cut", message });
    }
    return inOrder(found);

    /** The limit that prevents following another link, or "". A link can be made so that following it takes long. */
    function boundOfLinks(): string {
      isCertain = false;
      if (left.links <= 0) return `${limits.links} links`;
      if (limits.links - left.links-- < limits.sureLinks || !isOver()) return "";
      return `${limits.ms} ms`;
    }

    function list(path: string): Dirent[] {
      try {
        const { entries, isCut } = listFolder(path, Math.max(0, left.entries));
        left.entries -= entries.length;
        if (isCut) bound ||= `${limits.entries} names`;
        return entries;
      } catch (error) {
        const code = systemCode(error) ?? "unknown";
        // In a project it may be another tool's file; instead of the user's own folder it is a mistake.
        if (code !== "ENOTDIR") unreadable(path, code);
        else if (folder.scope === "global") unreadable(path, "it is not a folder");
        return [];
      }
    }
  }

  function foundAs(
    folder: RuleFolder,
    parent: FolderToList,
    entry: Dirent,
  ): RuleFile | FolderToList | undefined {
    const isRule = folder.ending.test(entry.name);
    if (entry.isFile() && !isRule) return undefined;
    const path = `${parent.path}${sep}${entry.name}`;
    const isLinked = parent.isLinked || entry.isSymbolicLink();
    const real = entry.isSymbolicLink() ? realOf(path) : `${parent.real}${sep}${entry.name}`;
    if (real === undefined) return undefined;
    const stat = entry.isDirectory() ? undefined : statOf(path);
    const isFolder = entry.isDirectory() || stat?.isDirectory() === true;
    if (!isFolder && !(isRule && stat)) return undefined;
    const refusal = isLinked ? refusalOf(folder, real, isFolder ? "folder" : "file") : undefined;
    if (refusal !== undefined) {
      unreadable(path, refusal);
      return undefined;
    }
    if (isRule && (isFolder || stat?.isFile() === false)) unreadable(path, "it is not a regular file");
    const name = parent.name + entry.name;
    if (isTooLong(name)) {
      tooLong(parent.path);
      return undefined;
    }
    if (isFolder)
      return isNew(real) ? { path, real, name: `${name}/`, depth: parent.depth + 1, isLinked } : undefined;
    return stat?.isFile() && isNew(real) ? ruleFile(folder, path, name, stat) : undefined;
  }

  /** Names the folder and not the file in it, whose path may have thousands of characters. */
  function tooLong(folder: string): void {
    if (skipped.length >= MAX_SKIPPED || skipped.at(-1)?.path === folder) return;
    const message = `something in ${folder} has too long a path for a rule and is left out`;
    skipped.push({ path: folder, code: "rules-cut", message });
  }

  function unreadable(path: string, why: string): void {
    isCertain = false;
    if (skipped.length >= MAX_SKIPPED) return;
    skipped.push({ path, code: "rule-unreadable", message: `${path} cannot be read (${why})` });
  }

  function statOf(path: string): Stats | undefined {
    return orUnreadable(path, () => statSync(path));
  }

  function realOf(path: string, mayBeAbsent = false): string | undefined {
    return orUnreadable(path, () => realpathSync.native(path), mayBeAbsent);
  }

  function orUnreadable<T>(path: string, ask: () => T, mayBeAbsent = false): T | undefined {
    try {
      return ask();
    } catch (error) {
      const code = systemCode(error) ?? "unknown";
      if (!mayBeAbsent || code !== "ENOENT") unreadable(path, code);
      return undefined;
    }
  }
}

interface FolderToList {
  readonly path: string;
  readonly real: string;
  /** Its path below the rules folder, with a trailing slash. */
  readonly name: string;
  readonly depth: number;
  /** Whether it was reached through a link, so it may be anywhere. */
  readonly isLinked: boolean;
}

/** The remaining limits for the folders of one scope. */
interface Scope {
  readonly left: { -readonly [K in keyof RuleLimits]: number };
  isOver(): boolean;
}

/** Enough to see what is wrong. */
const MAX_SKIPPED = 100;

/** Sorted by name, folder by folder. */
function inOrder(files: RuleFile[]): RuleFile[] {
  if (!files.some(({ name }) => name.includes("/"))) return files;
  const byName = files.map((file) => ({ file, name: file.name.replaceAll("/", "\0") }));
  return byName.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ file }) => file);
}

function ruleFile(folder: RuleFolder, path: string, name: string, stat: Stats): RuleFile {
  return {
    path,
    name,
    key: `${folder.label}/${name}`,
    dialect: folder.dialect,
    scope: folder.scope,
    size: stat.size,
    modified: stat.mtimeMs,
    changed: stat.ctimeMs,
    inode: stat.ino,
  };
}

/** The first entries of a folder, sorted by name. Listing a folder of a million names would take seconds. */
function listFolder(path: string, atMost: number): { entries: Dirent[]; isCut: boolean } {
  const folder = opendirSync(path, { bufferSize: 256 });
  try {
    const entries: Dirent[] = [];
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      if (entries.length >= atMost) return { entries: sorted(entries), isCut: true };
      entries.push(entry);
    }
    return { entries: sorted(entries), isCut: false };
  } finally {
    folder.closeSync();
  }
}

function sorted(entries: Dirent[]): Dirent[] {
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
