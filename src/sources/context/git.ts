import { execFile } from "node:child_process";

/** What git knows about some files of a project. All of it is optional: git may be missing, slow or locked. */
export interface GitFacts {
  /** Uncommitted changes, as `M path`, `A path`, `?? path`. */
  readonly uncommitted: readonly string[];
  /** New name by old name, for files that were renamed in the index or in a commit since `since`. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly ignored: ReadonlySet<string>;
}

export const NO_GIT_FACTS: GitFacts = { uncommitted: [], renamed: new Map(), ignored: new Set() };

const TIMEOUT_MS = 500;
const MAX_OUTPUT = 1024 * 1024;

/** Reads only: no index refresh is written, no lock is taken. */
export async function gitFacts(
  root: string,
  paths: readonly string[],
  missing: readonly string[],
  since: string,
  onTrouble: (message: string) => void,
): Promise<GitFacts> {
  const git = (args: readonly string[], input = "") => runGit(root, args, input, onTrouble);
  const inside = paths.filter((path) => !path.startsWith("/") && !/^[A-Za-z]:/.test(path));
  if (inside.length === 0) return NO_GIT_FACTS;
  const [status, untracked, ignored, log] = await Promise.all([
    // The whole project: with some paths only, git sees half of a rename and calls it a deletion.
    git(["status", "--porcelain=v1", "-z", "--untracked-files=no"]),
    git(["ls-files", "--others", "--exclude-standard", "-z", "--", ...inside]),
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

const RENAMES = ["--diff-filter=R", "-M", "--name-status", "--format=", "-z", "-n", "500"];

/** `XY path`, and for a rename the old name as a field of its own. */
export function parseStatus(output: string): {
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

/** Newest first in the log, so a file that was renamed twice is followed to its last name. */
export function parseRenames(output: string): Map<string, string> {
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

/** Whatever a repository's own config says, asking must start no other program. */
const HARMLESS = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat"];

function runGit(
  root: string,
  args: readonly string[],
  input: string,
  onTrouble: (message: string) => void,
): Promise<string> {
  const options = { env: cleanEnv(), timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT, encoding: "utf8" } as const;
  return new Promise((resolve) => {
    const child = execFile("git", ["-C", root, ...HARMLESS, ...args], options, (error, out) => {
      // Code 1 is check-ignore's "none", 128 a folder without git, ENOENT a machine without it.
      if (error?.killed === true) onTrouble(`git ${args[0]} took longer than ${TIMEOUT_MS} ms`);
      resolve(error === null ? out : "");
    });
    child.stdin?.on("error", () => undefined); // git is missing or was faster: the callback above tells
    child.stdin?.end(input);
  });
}

/** Variables such as GIT_DIR, set where a git hook started the agent, would point git elsewhere. */
function cleanEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: "0" };
}
