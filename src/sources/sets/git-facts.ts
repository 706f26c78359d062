import { repositoryAt } from "../../git/repository.ts";
import { runGit } from "../../git/run-git.ts";

/**
 * What git knows about some files of a project. Everything is optional: git may be missing, slow or locked, and is not
 * run in a repository whose config could start a program.
 */
interface GitFacts {
  /** Uncommitted changes, as `M path`, `A path`, `?? path`. */
  readonly uncommitted: readonly string[];
  /** New names by old names, for files that were renamed in the index or in a commit after `since`. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly ignored: ReadonlySet<string>;
}

const NO_GIT_FACTS: GitFacts = { uncommitted: [], renamed: new Map(), ignored: new Set() };

const TIMEOUT_MS = 500;

/** Read-only: the index is not refreshed and no lock is taken. */
export async function gitFacts(
  root: string,
  paths: readonly string[],
  missing: readonly string[],
  since: string,
  onFailure: (message: string) => void,
): Promise<GitFacts> {
  const inside = paths.filter((path) => !path.startsWith("/") && !/^[A-Za-z]:/.test(path));
  const repository = inside.length === 0 ? undefined : repositoryAt(root);
  if (repository === undefined || repository === "foreign") return NO_GIT_FACTS;
  const git = async (args: readonly string[], input = "") => {
    const { ok, out, err, late } = await runGit(args, { repository, input, timeoutMs: TIMEOUT_MS });
    if (late === true) onFailure(err);
    return ok ? out : ""; // check-ignore also fails if nothing is ignored
  };
  const [status, untracked, ignored, log] = await Promise.all([
    // For the whole project: limited to some paths, git would see half of a rename and report a deletion.
    git(["status", "--porcelain=v1", "-z", "--untracked-files=no", NO_SUBMODULES]),
    git([
      "ls-files",
      "--others",
      "--exclude-standard",
      "-z",
      "--",
      ...inside.map((path) => `:(literal)${path}`),
    ]),
    git(["check-ignore", "-z", "--stdin"], inside.join("\0")),
    missing.length === 0 ? "" : git(["log", `--since=${since}`, ...RENAMES]),
  ]);
  const { changes, renamed } = parseStatus(status);
  const used = new Set([...inside, ...inside.flatMap((path) => renamed.get(path) ?? [])]);
  const list = (output: string) => output.split("\0").filter((path) => path !== "");
  return {
    uncommitted: [
      ...changes.filter(([, path]) => used.has(path)).map(([letters, path]) => `${letters} ${path}`),
      ...list(untracked).map((path) => `?? ${path}`),
    ],
    renamed: new Map([...parseRenames(log), ...renamed]),
    ignored: new Set(list(ignored)),
  };
}

/** Otherwise git would run in each submodule, with that submodule's config. */
const NO_SUBMODULES = "--ignore-submodules=all";

const RENAMES = [
  ...["--diff-filter=R", "-M", "--name-status", "--format=", "-z", "-n", "500"],
  ...[NO_SUBMODULES, "--no-show-signature", "--no-ext-diff", "--no-textconv"],
];

/** Entries are `XY path`; after a rename, the old name follows as a separate field. */
function parseStatus(output: string): {
  changes: [letters: string, path: string][];
  renamed: Map<string, string>;
} {
  const changes: [string, string][] = [];
  const renamed = new Map<string, string>();
  const fields = output.split("\0");
  for (let at = 0; at < fields.length; at++) {
    const [, letters = "", path = ""] = /^(..) (.+)$/s.exec(fields[at] ?? "") ?? [];
    if (path === "") continue;
    changes.push([letters.trim(), path]);
    if (letters.startsWith("R")) {
      at++;
      renamed.set(fields[at] ?? "", path);
    }
  }
  return { changes, renamed };
}

/** The log is newest first, so a file that was renamed twice is followed to its last name. */
function parseRenames(output: string): Map<string, string> {
  const fields = output.split("\0");
  const renamed = new Map<string, string>();
  for (let at = 0; at + 2 < fields.length; at++) {
    if (!/^\n?R\d+$/.test(fields[at] ?? "")) continue;
    const [from = "", to = ""] = [fields[at + 1], fields[at + 2]];
    renamed.set(from, renamed.get(to) ?? to);
    at += 2;
  }
  return renamed;
}
