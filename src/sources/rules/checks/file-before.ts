import { existsSync, readlinkSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import { wayInside } from "../../../base/inside.ts";
import type { Edit } from "../../../moments/tool-use.ts";
import { readText, readTextIfAny } from "../../../store/read-file.ts";
import { realPath } from "../../../store/real-path.ts";
import type { Breach } from "./breach.ts";

/** As much of a file as checks search. */
const MAX_BYTES = 2_000_000;

/** The most files of one call to ask git about. */
const MAX_FILES = 5;
/**
 * The share of the remaining time for git, so that the breach is reported in time even if git is slow. With less time
 * git is not asked.
 */
const GIT_SHARE = 0.4;
const LEAST_GIT_MS = 20;

/**
 * Before the call: the current contents of the files. Judging reads them only if it found something in a whole file.
 */
export function withFilesNow(edits: readonly Edit[], root: string): readonly Edit[] {
  return edits.map((edit) => {
    if (edit.kind !== "whole" || edit.before !== undefined) return edit;
    const isNew = edit.isNew ?? !existsSync(isAbsolute(edit.path) ? edit.path : join(root, edit.path));
    return { ...edit, isNew, before: () => currentText(edit.path, root) };
  });
}

/**
 * After the call, for edits that contain a whole file without its previous content: the last committed version. A file
 * is new if git does not know it. If git cannot be asked, or there is no time, no file counts as new, and all lines
 * that were found are reported.
 */
export async function withCommittedFiles(
  edits: readonly Edit[],
  breaches: readonly Breach[],
  place: GitPlace,
): Promise<readonly Edit[]> {
  const paths = new Set(breaches.flatMap((one) => (one.mayBeOld === true ? (one.path ?? []) : [])));
  const asked = [...paths].filter((path) => !isAbsolute(path)).slice(0, MAX_FILES);
  const { committed, unknown } = await askGit(asked, place);
  return edits.map((edit) => {
    if (edit.kind !== "whole" || !paths.has(edit.path)) return edit;
    const text = committed.get(edit.path);
    const isNew = edit.isNew ?? unknown.has(edit.path);
    return text === undefined || edit.before?.() !== undefined
      ? { ...edit, isNew }
      : { ...edit, isNew, before: () => text };
  });
}

interface GitPlace {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeLeft: () => number;
}

/** The last committed contents, and the files that git does not know. Both are empty if git is not run here. */
async function askGit(
  paths: readonly string[],
  { root, env, timeLeft }: GitPlace,
): Promise<{ readonly committed: ReadonlyMap<string, string>; readonly unknown: ReadonlySet<string> }> {
  const committed = new Map<string, string>();
  const nothing = { committed, unknown: new Set<string>() };
  if (paths.length === 0) return nothing;
  const [{ repositoryAt }, { runGit }] = await Promise.all([
    import("../../../git/repository.ts"),
    import("../../../git/run-git.ts"),
  ]);
  const repository = repositoryAt(root);
  const timeoutMs = Math.floor(timeLeft() * GIT_SHARE);
  if (repository === undefined || repository === "foreign" || timeoutMs < LEAST_GIT_MS) return nothing;
  const call = { repository, timeoutMs, maxOutput: MAX_BYTES, env };
  // The index, because a repository without a commit has no HEAD.
  const [listed] = await Promise.all([
    runGit(["--literal-pathspecs", "ls-files", "-z", "--", ...paths], call),
    ...paths.map(async (path) => {
      const { ok, out } = await runGit(["cat-file", "blob", `HEAD:${path}`], call);
      if (ok) committed.set(path, out);
    }),
  ]);
  const tracked = new Set(listed.out.split("\0"));
  const isUnknown = (path: string) => !tracked.has(path) && !committed.has(path);
  return { committed, unknown: new Set(listed.ok ? paths.filter(isUnknown) : []) };
}

/** After the call: the line's number, if exactly one line of the file has this text. */
export function withLineNumbers(breaches: readonly Breach[], root: string): readonly Breach[] {
  const files = new Map<string, ReadonlyMap<string, number>>();
  const linesOf = (path: string) => {
    const known = files.get(path);
    if (known !== undefined) return known;
    const read = numbersOf(files.size < MAX_FILES ? (currentText(path, root)?.split(/\r?\n/) ?? []) : []);
    files.set(path, read);
    return read;
  };
  return breaches.map((breach) => {
    const { path, line, text } = breach;
    if (path === undefined || line !== undefined || text.trim() === "") return breach;
    const number = linesOf(path).get(text.replace(/\r$/, "")) ?? 0;
    return number === 0 ? breach : { ...breach, line: number };
  });
}

/** The number of each line; 0 for a line that occurs twice. */
function numbersOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const [i, line] of lines.entries()) numbers.set(line, numbers.has(line) ? 0 : i + 1);
  return numbers;
}

/** undefined if it is absent, too large or not a plain file. */
function currentText(path: string, root: string): string | undefined {
  try {
    return isAbsolute(path)
      ? readTextIfAny(path, { maxBytes: MAX_BYTES })
      : readText(join(root, path), { maxBytes: MAX_BYTES, root });
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/**
 * Adds to each edit the file's real path, if its path contains a link. Otherwise a repository could use a link so that
 * no pattern of the user's rules matches the file.
 */
export function withRealPaths(edits: readonly Edit[], root: string): readonly Edit[] {
  const folders = new Map<string, string>();
  const realFolder = (folder: string): string => {
    const known = folders.get(folder) ?? realPath(folder);
    folders.set(folder, known);
    return known;
  };
  const realRoot = realFolder(root);
  return edits.map((edit) => {
    const path = resolve(root, edit.path);
    const folder = realFolder(dirname(path));
    const file = join(folder, basename(path));
    const real = isLink(file) ? realPath(file) : file;
    const realName = (wayInside(realRoot, real) ?? real).replaceAll("\\", "/");
    return realName === edit.path ? edit : { ...edit, realPath: realName };
  });
}

/** Cheaper than resolving the real path of every file. */
function isLink(path: string): boolean {
  try {
    readlinkSync(path);
    return true;
  } catch {
    return false; // an ordinary file, or no file
  }
}
