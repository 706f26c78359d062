import { statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import type { Repository } from "../../../git/repository.ts";
import { type GitAnswer, runGit } from "../../../git/run-git.ts";
import { whyUnsafe } from "../../../git/unsafe.ts";
import { currentBranch } from "../../../moments/project/project.ts";
import type { DiffAgainst, DiffFile, DiffView } from "../../api/files.ts";
import { gitProcesses } from "../bounded.ts";
import type { Shown } from "../follow/watch-shown.ts";
import { whyRefused } from "./credentials.ts";
import { followedBy } from "./diff-follow.ts";
import { MAX_DIFF_BYTES, textOf } from "./diff-text.ts";
import type { RootsWorld } from "./known-roots.ts";
import { repositoryAround } from "./list.ts";
import { allowedPath } from "./roots.ts";

const GIT_MS = 5_000;
const MAX_FILES = 300;

/** Runs no program of the repository's choice: no external diff, no textconv, no submodule. */
const SAFE_DIFF = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all", "-M"];

/** What changed in a repository, a folder or a file. */
export async function viewDiff(
  web: RootsWorld,
  asked: { path: string; against: DiffAgainst },
  /** Called before anything is compared, so that no change is missed. */
  onShown: (shown: Shown) => void = () => undefined,
): Promise<DiffView> {
  const { real, root } = await allowedPath(web, asked.path);
  const isFolder = statSync(real, { throwIfNoEntry: false })?.isDirectory() === true;
  const folder = isFolder ? real : dirname(real);
  const repository = repositoryAround(folder, root.path);
  if (repository === undefined)
    throw new ContinuoError("no-repository", `${folder} is in no git repository`, {
      hint: "choose a folder of a repository",
    });
  const unsafe = whyUnsafe(repository);
  if (unsafe !== undefined) throw new ContinuoError("git-refused", unsafe);
  const git = gitIn(repository, web.env);
  const place = relative(repository.root, real).split(sep).join("/");
  const paths = place === "" ? [] : [`:(literal)${place}`];
  const listed = isFolder ? await filesIn(paths, git) : [];
  onShown(followedBy(repository, { real, isFolder, names: listed }));
  const compared = await comparison(asked.against, git);
  const numbers = git(["diff", "--numstat", "-z", ...SAFE_DIFF, ...compared, "--", ...paths]);
  const untracked = asked.against === "staged" ? [] : await untrackedIn(repository.root, paths, git);
  const all = parseNumstat(outOf(await numbers), repository.root);
  const allowed = all.filter(({ path, from = path }) =>
    [path, from].every((one) => whyRefused(one) === undefined),
  );
  const files = allowed.slice(0, MAX_FILES);
  const { text, isCut } = await textOf(files, async (some) => {
    const answer = await git(["diff", ...SAFE_DIFF, ...compared, "--", ...specs(some)]);
    return { out: outOf(answer), isFull: isFull(answer) };
  });
  const branch = currentBranch(repository.root);
  return {
    repository: repository.root,
    branch,
    against: asked.against,
    files,
    untracked: untracked.slice(0, MAX_FILES),
    text,
    isCut: isCut || allowed.length > MAX_FILES || untracked.length > MAX_FILES,
    hidden: all.length - allowed.length,
  };
}

type Git = (args: readonly string[]) => Promise<GitAnswer>;

function gitIn(repository: Repository, env: NodeJS.ProcessEnv): Git {
  return (args) =>
    gitProcesses(() => runGit(args, { repository, timeoutMs: GIT_MS, maxOutput: MAX_DIFF_BYTES, env }));
}

/** The arguments for `git diff`. A repository without a commit has no HEAD: then everything staged is new. */
async function comparison(against: DiffAgainst, git: Git): Promise<readonly string[]> {
  if (against === "staged") return ["--cached"];
  const { ok } = await git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${against}^{commit}`]);
  if (ok) return [against];
  if (against === "HEAD") return ["--cached"];
  throw new ContinuoError("no-such-commit", `this repository has no commit ${against}`);
}

/** Files known to git and new ones; only the first if there are very many. */
async function filesIn(paths: readonly string[], git: Git): Promise<string[]> {
  const listed = await git(["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", ...paths]);
  return listed.out.split("\0").filter((name) => name !== "");
}

async function untrackedIn(root: string, paths: readonly string[], git: Git): Promise<string[]> {
  const listed = await git(["ls-files", "--others", "--exclude-standard", "-z", "--", ...paths]);
  return outOf(listed)
    .split("\0")
    .flatMap((name) => (name === "" ? [] : [join(root, name)]))
    .filter((path) => whyRefused(path) === undefined);
}

/**
 * `added<TAB>removed<TAB>path`. For a rename the path is empty, and the old and the new one follow as separate fields.
 */
function parseNumstat(output: string, root: string): DiffFile[] {
  const fields = output.split("\0");
  const files: DiffFile[] = [];
  for (let at = 0; at < fields.length; at++) {
    const [, added = "", removed = "", path = ""] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(fields[at] ?? "") ?? [];
    if (added === "") continue;
    const isRename = path === "";
    const [from, name] = isRename ? [fields[at + 1] ?? "", fields[at + 2] ?? ""] : [undefined, path];
    if (isRename) at += 2;
    if (name === "") continue;
    files.push({
      path: join(root, name),
      name,
      from,
      ...(added === "-" ? {} : { added: Number(added), removed: Number(removed) }),
    });
  }
  return files;
}

function specs(files: readonly DiffFile[]): string[] {
  return files
    .flatMap(({ name, from }) => [name, ...(from === undefined ? [] : [from])])
    .map((name) => `:(literal)${name}`);
}

function outOf(answer: GitAnswer): string {
  if (answer.ok || isFull(answer)) return answer.out;
  throw new ContinuoError(answer.late === true ? "git-late" : "git-failed", answer.err, {
    hint: "try a smaller folder, or a file",
  });
}

/** Whether git was stopped because it wrote more than is shown. */
function isFull({ ok, out }: GitAnswer): boolean {
  return !ok && Buffer.byteLength(out) >= MAX_DIFF_BYTES - 4;
}
