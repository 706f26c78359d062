import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { pointer, type Repository, repositoryAt } from "../../../git/repository.ts";
import { runGit } from "../../../git/run-git.ts";
import type { Basis } from "../../../store/basis.ts";

const TIMEOUT_MS = 300;

/**
 * Which of these files have uncommitted changes. Undefined if that is unknown: git is missing, slow or would run a
 * program, or none of the files exists.
 */
export async function uncommittedAmong(
  root: string,
  files: readonly string[],
  basis?: Basis,
): Promise<string[] | undefined> {
  const inside = files.filter((path) => !isAbsolute(path) && !path.startsWith(".."));
  const repository = inside.length === 0 ? undefined : repositoryAt(root);
  if (repository === undefined || repository === "foreign") return undefined;
  if (basis !== undefined) watchState(basis, repository, inside);
  const { ok, out } = await runGit(
    [
      ...[
        "status",
        "--porcelain=v1",
        "-z",
        "--no-renames",
        "--untracked-files=all",
        "--ignore-submodules=all",
        "--",
      ],
      ...inside.map((path) => `:(literal)${path}`),
    ],
    { repository, timeoutMs: TIMEOUT_MS },
  );
  if (!ok) {
    basis?.giveUp();
    return undefined;
  }
  const changed = new Set(out.split("\0").map((entry) => entry.slice(3)));
  if (changed.size === 1 && !inside.some((path) => existsSync(join(root, path)))) return undefined;
  return inside.filter((path) => changed.has(path));
}

/** What the result depends on: the commit, the index, the files, and ignore rules. */
function watchState(basis: Basis, { root, gitDir, common }: Repository, files: readonly string[]): void {
  const head = pointer(join(gitDir, "HEAD"));
  const ref = /^ref: (refs\/\S+)$/.exec(head ?? "")?.[1];
  basis.watch(join(gitDir, "HEAD"), join(gitDir, "index"), join(common, "packed-refs"));
  basis.watch(join(common, "config"), join(common, "info", "exclude"));
  if (ref !== undefined) basis.watch(join(common, ref));
  for (const file of files) {
    basis.watch(join(root, file));
    for (let at = dirname(file); ; at = dirname(at)) {
      basis.watch(join(root, at, ".gitignore"));
      if (at === "." || at === "/") break;
    }
  }
}
