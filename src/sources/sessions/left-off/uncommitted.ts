import { isAbsolute } from "node:path";
import { repositoryAt } from "../../../git/repository.ts";
import { runGit } from "../../../git/run-git.ts";

const TIMEOUT_MS = 300;
/** Which of these few files of a project have uncommitted changes; none if git is missing, slow, or would run a program. */
export async function uncommittedAmong(root: string, files: readonly string[]): Promise<string[]> {
  const inside = files.filter((path) => !isAbsolute(path) && !path.startsWith(".."));
  const repository = inside.length === 0 ? undefined : repositoryAt(root);
  if (repository === undefined || repository === "foreign") return [];
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
  const changed = new Set(ok ? out.split("\0").map((entry) => entry.slice(3)) : []);
  return inside.filter((path) => changed.has(path));
}
