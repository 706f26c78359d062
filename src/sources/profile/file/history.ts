import { existsSync, lstatSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { clipWithin, collapse } from "../../../base/text.ts";
import { repositoryAt } from "../../../git/repository.ts";
import { type GitAnswer, runGit } from "../../../git/run-git.ts";
import { parseSeed, type SeedRead } from "./load.ts";
import { sidecarPath } from "./sidecar.ts";

const TIMEOUT_MS = 4_000;
const MAX_OUTPUT = 256 * 1024 * 1024;

/** The author of a seed's commits, regardless of the user's git identity and of the program that commits. */
const SEED_AUTHOR = "pai-seed@local";
const SETTINGS = ["core.autocrlf=false", "user.name=pai-seed", `user.email=${SEED_AUTHOR}`];

/**
 * Runs git in the seed's folder, which is, or becomes, a separate repository. Takes the usual precautions although the
 * folder is the user's, because a seed may have been copied from another machine together with its `.git`.
 */
async function git(folder: string, args: readonly string[], input = ""): Promise<GitAnswer> {
  const call = { input, timeoutMs: TIMEOUT_MS, maxOutput: MAX_OUTPUT, settings: SETTINGS };
  if (args[0] === "init") return runGit(args, { ...call, folder });
  const repository = repositoryAt(folder);
  if (repository === undefined || repository === "foreign")
    return { ok: false, out: "", err: `the .git in ${folder} does not belong to this folder` };
  return runGit(args, { ...call, repository });
}

/** The subject of a commit; other programs read these words. */
export type CommitKind = "Init" | "Learn" | "Confirm" | "Reject" | "Update" | "Repair" | "Review" | "Cleanup";

export interface CommitResult {
  readonly committed: boolean;
  /** Why it was not committed. The change itself is written in any case, and becomes part of the next commit. */
  readonly because?: string;
}

const IGNORED = ["*.tmp", "*.db-shm", "*.db-wal", "node_modules/", ""].join("\n");

/** Commits the seed, its sidecar and what was created for them, but nothing else in the folder or the index. */
export async function commitSeed(seedPath: string, kind: CommitKind, what: string): Promise<CommitResult> {
  const folder = dirname(seedPath);
  // For a link git stores only the target's path, so nothing could be restored from the history.
  if (lstatSync(seedPath, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    return {
      committed: false,
      because: `${basename(seedPath)} is a link; the setting path may name its target`,
    };
  const repository = await ensureRepository(folder);
  if (repository.failed !== undefined) return { committed: false, because: repository.failed };
  const own = [basename(seedPath), basename(sidecarPath(seedPath)), ...repository.made];
  const files = own.filter((name) => existsSync(join(folder, name)));
  const added = await git(folder, ["add", "-f", "--", ...files]);
  if (!added.ok) return { committed: false, because: added.err };
  const message = `${kind}: ${subject(what)}\n\nAutomated by continuo\n`;
  const done = await git(
    folder,
    ["commit", "-q", "--no-verify", "--only", "-F", "-", "--", ...files],
    message,
  );
  if (done.ok || /nothing (added )?to commit|no changes added/.test(done.out)) return { committed: true };
  return { committed: false, because: done.err };
}

/** Makes the folder a separate repository, even inside another one. `made`: the files created for it. */
async function ensureRepository(
  folder: string,
): Promise<{ readonly made: readonly string[]; readonly failed?: string }> {
  if (existsSync(join(folder, ".git")))
    return (await isSeedRepository(folder)) ? { made: [] } : { made: [], failed: FOREIGN };
  const done = await git(folder, ["init", "-q", "-b", "main"]);
  if (!done.ok) return { made: [], failed: done.err };
  const ignore = join(folder, ".gitignore");
  if (existsSync(ignore)) return { made: [] };
  writeFileSync(ignore, IGNORED);
  return { made: [".gitignore"] };
}

const FOREIGN =
  "its folder is a repository of yours; to keep a history, set sources.seed.path to a file in a folder of its own";

/** Whether Continuo or pai-seed created it for a seed, which the first commit shows. Continuo leaves others alone. */
async function isSeedRepository(folder: string): Promise<boolean> {
  const first = await git(folder, ["log", "--all", "--max-parents=0", "--format=%ae"]);
  const authors = first.out.split("\n").filter((line) => line !== "");
  return !first.ok || authors.length === 0 || authors.includes(SEED_AUTHOR);
}

function subject(what: string): string {
  return clipWithin(collapse(what), 100);
}

export interface Version {
  readonly commit: string;
  readonly at: string;
  readonly read: Extract<SeedRead, { state: "ready" | "unconfigured" }>;
}

/** How many versions are read per git call. */
const CHUNK = 50;

/**
 * The newest valid version in the whole history, on any branch. Prefers a configured version to a newer one with only
 * defaults, which other programs write over a seed that they cannot read. Read-only.
 */
export async function newestValid(seedPath: string): Promise<Version | undefined> {
  const folder = dirname(seedPath);
  if (!existsSync(join(folder, ".git"))) return undefined;
  const log = await git(folder, ["log", "--all", "--reflog", "--format=%H %cI", "--", basename(seedPath)]);
  const commits = log.out.split("\n").flatMap((line) => {
    const [commit, at] = line.split(" ");
    return commit && at ? [{ commit, at }] : [];
  });
  let plain: Version | undefined;
  for (let from = 0; from < commits.length; from += CHUNK) {
    const chunk = commits.slice(from, from + CHUNK);
    const texts = await contents(
      folder,
      basename(seedPath),
      chunk.map((one) => one.commit),
    );
    for (const [i, text] of texts.entries()) {
      const one = chunk[i];
      const read = text === undefined ? undefined : parseSeed(seedPath, text);
      if (one === undefined || read === undefined) continue;
      if (read.state === "ready") return { ...one, read };
      if (read.state === "unconfigured") plain ??= { ...one, read };
    }
  }
  return plain;
}

/** The file's text in each of the commits, read by one process. */
async function contents(
  folder: string,
  name: string,
  commits: readonly string[],
): Promise<(string | undefined)[]> {
  const input = commits.map((commit) => `${commit}:./${name}\n`).join("");
  const { out } = await git(folder, ["cat-file", "--batch"], input);
  const bytes = Buffer.from(out, "utf8");
  const texts: (string | undefined)[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(bytes.toString("utf8", at, end))?.[1];
    at = end + 1;
    if (size === undefined) texts.push(undefined);
    else {
      texts.push(bytes.toString("utf8", at, at + Number(size)));
      at += Number(size) + 1;
    }
    if (end === -1) break;
  }
  return texts;
}

/** The difference from the last commit; if there is none, the last commit's changes. */
export async function lastDiff(seedPath: string): Promise<{ readonly what: string; readonly diff: string }> {
  const folder = dirname(seedPath);
  const name = basename(seedPath);
  if (!existsSync(join(folder, ".git"))) return { what: "the profile has no history", diff: "" };
  const open = await git(folder, [
    "diff",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "HEAD",
    "--",
    name,
  ]);
  if (open.ok && open.out !== "") return { what: "not committed yet", diff: open.out.trimEnd() };
  const last = await git(folder, [
    "log",
    "-1",
    "--format=%h %s (%cs)",
    "-p",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--",
    name,
  ]);
  if (!last.ok || last.out === "") return { what: last.err || "the profile has no history", diff: "" };
  const [what = "", ...diff] = last.out.split("\n");
  return { what, diff: diff.join("\n").trim() };
}
