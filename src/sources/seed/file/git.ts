import { repositoryAt } from "../../../git/repository.ts";
import { type GitAnswer, runGit } from "../../../git/run-git.ts";

const TIMEOUT_MS = 4_000;
const MAX_OUTPUT = 256 * 1024 * 1024;

/** By whom the commits of a seed are, whoever the user is to git and whichever program makes them. */
export const SEED_AUTHOR = "pai-seed@local";
const SETTINGS = ["core.autocrlf=false", "user.name=pai-seed", `user.email=${SEED_AUTHOR}`];

/**
 * Runs git in the seed's folder, which is a repository of its own or becomes one. The same caution as elsewhere, although
 * the folder is the user's: a seed may come from another machine, with its `.git`.
 */
export async function git(folder: string, args: readonly string[], input = ""): Promise<GitAnswer> {
  const call = { input, timeoutMs: TIMEOUT_MS, maxOutput: MAX_OUTPUT, settings: SETTINGS };
  if (args[0] === "init") return runGit(args, { ...call, folder });
  const repository = repositoryAt(folder);
  if (repository === undefined || repository === "foreign")
    return { ok: false, out: "", err: `the .git in ${folder} does not belong to this folder` };
  return runGit(args, { ...call, repository });
}
