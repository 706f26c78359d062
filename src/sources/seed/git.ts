import { execFile } from "node:child_process";

export interface GitAnswer {
  readonly ok: boolean;
  readonly out: string;
  /** What git said went wrong, in one line. */
  readonly err: string;
}

export interface GitOptions {
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly env?: NodeJS.ProcessEnv;
}

const TIMEOUT_MS = 4_000;
const MAX_OUTPUT = 256 * 1024 * 1024;

/**
 * Whatever the user's or the repository's config says, no other program is started: no hook, no editor, no signing, no
 * collecting of garbage behind our back.
 */
const ALONE = [
  ...["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.pager=cat", "core.editor=true"],
  ...["commit.gpgSign=false", "gc.auto=0", "maintenance.auto=false", "core.autocrlf=false"],
  "init.templateDir=",
].flatMap((setting) => ["-c", setting]);

/** Whose commits these are, whoever the user is to git. */
/** By whom the commits of a seed are, whichever program makes them. */
export const SEED_AUTHOR = "pai-seed@local";
const AUTHOR = ["-c", "user.name=pai-seed", "-c", `user.email=${SEED_AUTHOR}`];

/** Runs git in the seed's folder. It never throws and never waits for a person: git may be missing, locked or slow. */
export function git(
  folder: string,
  args: readonly string[],
  { input = "", timeoutMs = TIMEOUT_MS, env = process.env }: GitOptions = {},
): Promise<GitAnswer> {
  const author = args[0] === "commit" ? AUTHOR : [];
  const options = { env: clean(env), timeout: timeoutMs, maxBuffer: MAX_OUTPUT, encoding: "utf8" } as const;
  return new Promise((resolve) => {
    const child = execFile(
      "git",
      ["-C", folder, ...ALONE, ...author, ...args],
      options,
      (error, out, err) => {
        const why =
          error === null
            ? ""
            : error.killed === true
              ? `git ${args[0]} took longer than ${timeoutMs} ms`
              : (error as NodeJS.ErrnoException).code === "ENOENT"
                ? "git is not installed"
                : err.trim().split("\n")[0] || error.message;
        resolve({ ok: error === null, out, err: why });
      },
    );
    child.stdin?.on("error", () => undefined); // git was faster, or is missing: the callback tells
    child.stdin?.end(input);
  });
}

/** Variables such as GIT_DIR, set where a git hook started the agent, would point git at another repository. */
function clean(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  return { ...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
}
