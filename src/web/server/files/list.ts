import { opendirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { ContinuoError, systemCode } from "../../../base/errors.ts";
import { type Repository, repositoryAt } from "../../../git/repository.ts";
import { runGit } from "../../../git/run-git.ts";
import type { FolderEntry, FolderView } from "../../api/files.ts";
import { gitProcesses } from "../bounded.ts";
import { whyRefused } from "./credentials.ts";
import { holds } from "./holds.ts";
import type { RootsWorld } from "./known-roots.ts";
import { allowedPath } from "./roots.ts";

const MAX_ENTRIES = 1_000;
/** The most entries to look at, including those that are not listed. */
const MAX_SEEN = 20_000;
const GIT_MS = 1_000;

/** The content of a folder, folders first, without files that git ignores or the page does not open. */
export async function listFolder(web: RootsWorld, folder: string): Promise<FolderView> {
  const { real, root } = await allowedPath(web, folder);
  const { entries, isCut } = entriesOf(real);
  const ignored = await ignoredIn(real, root.path, entries, web.env);
  return {
    path: real,
    root: root.path,
    entries: entries
      .filter(({ path }) => !ignored.has(path))
      .sort((a, b) => (a.kind === b.kind ? (a.name < b.name ? -1 : 1) : a.kind === "folder" ? -1 : 1)),
    isCut,
  };
}

/** Links are left out: their targets are resolved only when they are opened. */
function entriesOf(folder: string): { entries: FolderEntry[]; isCut: boolean } {
  const entries: FolderEntry[] = [];
  try {
    const open = opendirSync(folder);
    try {
      for (let seen = 0; ; seen++) {
        const entry = open.readSync();
        if (entry === null) return { entries, isCut: false };
        if (entries.length === MAX_ENTRIES || seen === MAX_SEEN) return { entries, isCut: true };
        const path = join(folder, entry.name);
        const kind = entry.isDirectory() ? "folder" : entry.isFile() ? "file" : undefined;
        if (kind !== undefined && whyRefused(path) === undefined)
          entries.push({ name: entry.name, path, kind });
      }
    } finally {
      open.closeSync();
    }
  } catch (error) {
    if (systemCode(error) === "ENOTDIR")
      throw new ContinuoError("not-a-folder", `${folder} is not a folder`, { cause: error });
    if (systemCode(error) === "EACCES")
      throw new ContinuoError("file-unreadable", `this user may not read ${folder}`, { cause: error });
    throw error;
  }
}

/** Empty if git cannot be run: the list is then just longer. */
async function ignoredIn(
  folder: string,
  root: string,
  entries: readonly FolderEntry[],
  env: NodeJS.ProcessEnv,
): Promise<ReadonlySet<string>> {
  const repository = repositoryAround(folder, root);
  if (repository === undefined || entries.length === 0) return new Set();
  const names = entries.map(({ path, kind }) => {
    const name = relative(repository.root, path).split(sep).join("/");
    return kind === "folder" ? `${name}/` : name;
  });
  const { ok, out } = await gitProcesses(() =>
    runGit(["check-ignore", "-z", "--stdin"], {
      repository,
      input: names.join("\0"),
      timeoutMs: GIT_MS,
      env,
    }),
  );
  if (!ok) return new Set();
  return new Set(
    out.split("\0").flatMap((name) => (name === "" ? [] : [join(repository.root, name.replace(/\/$/, ""))])),
  );
}

/** The repository around a folder, at most up to the root; undefined if there is none. */
export function repositoryAround(folder: string, root: string): Repository | undefined {
  for (let at = folder; at === root || holds(root, at); at = dirname(at)) {
    const found = repositoryAt(at);
    if (found === "foreign") return undefined;
    if (found !== undefined) return found;
    if (dirname(at) === at) return undefined;
  }
  return undefined;
}
