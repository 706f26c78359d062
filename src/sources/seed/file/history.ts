import { existsSync, lstatSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { clipWithin, collapse } from "../../../base/text.ts";
import { git, SEED_AUTHOR } from "./git.ts";
import { judgeSeed, type SeedRead } from "./load.ts";
import { sidecarPath } from "./sidecar.ts";

/** What a commit is about; other programs read these words. */
export type CommitKind = "Init" | "Learn" | "Confirm" | "Reject" | "Update" | "Repair" | "Review" | "Cleanup";

export interface CommitResult {
  readonly committed: boolean;
  /** Why not. The change itself stands in any case, and is part of the next commit. */
  readonly because?: string;
}

const IGNORED = ["*.tmp", "*.db-shm", "*.db-wal", "node_modules/", ""].join("\n");

/** One commit of what is ours in the seed's folder, and of nothing else that lies or is staged there. */
export async function commitSeed(seedPath: string, kind: CommitKind, what: string): Promise<CommitResult> {
  const folder = dirname(seedPath);
  // Of a link git keeps where it leads, and not a word of the seed: a history of that could bring nothing back.
  if (lstatSync(seedPath, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    return {
      committed: false,
      because: `${basename(seedPath)} is a link; the setting path may name its target`,
    };
  const repository = await ensureRepository(folder);
  if (repository.failed !== undefined) return { committed: false, because: repository.failed };
  const ours = [basename(seedPath), basename(sidecarPath(seedPath)), ...repository.made];
  const files = ours.filter((name) => existsSync(join(folder, name)));
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

/** The folder is a repository of its own, also inside of another one. What was made for it is ours to commit. */
async function ensureRepository(
  folder: string,
): Promise<{ readonly made: readonly string[]; readonly failed?: string }> {
  if (existsSync(join(folder, ".git")))
    return (await isSeedRepository(folder)) ? { made: [] } : { made: [], failed: NOT_OURS };
  const done = await git(folder, ["init", "-q", "-b", "main"]);
  if (!done.ok) return { made: [], failed: done.err };
  const ignore = join(folder, ".gitignore");
  if (existsSync(ignore)) return { made: [] };
  writeFileSync(ignore, IGNORED);
  return { made: [".gitignore"] };
}

const NOT_OURS =
  "its folder is a repository of yours; name a folder of the seed's own in sources.seed.path, and its history is kept there";

/** Made for a seed, by us or by pai-seed: its first commit says so. In anybody else's we have no business. */
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

/** How many versions are read at once. */
const CHUNK = 50;

/**
 * The newest version in all of the history that can be read, on whatever branch. One that somebody set up is worth more
 * than a newer one with nothing but defaults, which other programs write over a seed that they cannot read. Reads only.
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
      const read = text === undefined ? undefined : judgeSeed(seedPath, text);
      if (one === undefined || read === undefined) continue;
      if (read.state === "ready") return { ...one, read };
      if (read.state === "unconfigured") plain ??= { ...one, read };
    }
  }
  return plain;
}

/** The file in each of the commits, by one process. */
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

/** What differs from the last commit; after a commit, what that one changed. */
export async function lastDiff(seedPath: string): Promise<{ readonly what: string; readonly diff: string }> {
  const folder = dirname(seedPath);
  const name = basename(seedPath);
  if (!existsSync(join(folder, ".git"))) return { what: "the seed has no history", diff: "" };
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
  if (!last.ok || last.out === "") return { what: last.err || "the seed has no history", diff: "" };
  const [what = "", ...diff] = last.out.split("\n");
  return { what, diff: diff.join("\n").trim() };
}
