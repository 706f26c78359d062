import { type ChildProcess, execFile } from "node:child_process";
import { describeError } from "../base/errors.ts";
import { findProgram } from "../store/find-program.ts";
import type { Repository } from "./repository.ts";
import { whyUnsafe } from "./unsafe.ts";

export interface GitAnswer {
  readonly ok: boolean;
  readonly out: string;
  /** The error in one line. */
  readonly err: string;
  /** Git was stopped because it took too long. */
  readonly late?: boolean;
}

interface GitCall {
  /** The repository to use. Without it git runs in `folder`, to create a repository there. */
  readonly repository?: Repository;
  readonly folder?: string;
  /** Read only the user's own config, for their name and address. */
  readonly asUser?: boolean;
  /** Further settings, as `name=value`. */
  readonly settings?: readonly string[];
  readonly input?: string;
  readonly timeoutMs: number;
  readonly maxOutput?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Git must not start any other program: no hook, monitor, editor, pager, signing, transport, submodule or garbage
 * collection. These settings override a repository's config. Entries that cannot be overridden, such as filters, are not
 * on the list in unsafe.ts, and the configs of the user and the system are not read.
 */
const SAFE_SETTINGS = [
  ...["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.useBuiltinFSMonitor=false"],
  ...["core.attributesFile=/dev/null", "core.excludesFile=", "core.pager=cat", "core.editor=true"],
  ...["core.sshCommand=false", "protocol.allow=never", "log.showSignature=false"],
  ...["commit.gpgSign=false", "tag.gpgSign=false", "gc.auto=0", "maintenance.auto=false"],
  ...["submodule.recurse=false", "status.submoduleSummary=false", "diff.ignoreSubmodules=all"],
  ...["safe.bareRepository=explicit", "init.templateDir=", "color.ui=false"],
];

const MAX_OUTPUT = 1024 * 1024;

/** A hook exits as soon as it has answered, and must not leave processes behind. */
const running = new Set<ChildProcess>();
const endAll = () => {
  for (const child of running) child.kill("SIGKILL");
};

/** The only function that runs git. It never throws and never waits for input: git may be missing, locked or slow. */
export function runGit(args: readonly string[], call: GitCall): Promise<GitAnswer> {
  const { repository, input = "", timeoutMs, env = process.env } = call;
  const failed = (err: string): Promise<GitAnswer> => Promise.resolve({ ok: false, out: "", err });
  const unsafe = repository === undefined ? undefined : whyUnsafe(repository);
  if (unsafe !== undefined) return failed(unsafe);
  const folder = repository?.root ?? call.folder ?? "/";
  const program = findProgram("git", { env, near: repository === undefined ? [] : [folder] });
  if (program === undefined) return failed("git is not installed");
  const options = {
    cwd: folder,
    env: environment(env, repository, call.asUser === true),
    timeout: timeoutMs,
    // A process that waits for a disk or a pipe may not respect SIGTERM.
    killSignal: "SIGKILL",
    maxBuffer: call.maxOutput ?? MAX_OUTPUT,
    encoding: "utf8",
    windowsHide: true,
  } as const;
  const settings = [...SAFE_SETTINGS, ...(call.settings ?? [])].flatMap((setting) => ["-c", setting]);
  return new Promise<GitAnswer>((resolve) => {
    const child = execFile(program, ["--no-pager", ...settings, ...args], options, (error, out, err) => {
      running.delete(child);
      if (running.size === 0) process.off("exit", endAll);
      if (error === null) return resolve({ ok: true, out, err: "" });
      const late = error.killed === true;
      const why = late ? `git ${args[0]} took longer than ${timeoutMs} ms` : err.trim().split("\n")[0];
      resolve({ ok: false, out, err: why || error.message, late });
    });
    if (running.size === 0) process.on("exit", endAll);
    running.add(child);
    child.stdin?.on("error", () => undefined); // git exited before reading it: the callback reports that
    child.stdin?.end(input);
  }).catch((error: unknown) => failed(describeError(error).message)); // execFile throws for an invalid argument
}

/**
 * Removes git's variables: GIT_DIR, which is set if a git hook started the agent, points to another repository, and others
 * start programs. The directories are given explicitly, so that git does not search for them.
 */
function environment(
  env: NodeJS.ProcessEnv,
  repository: Repository | undefined,
  asUser: boolean,
): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/^GIT_/i.test(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    // An object can claim any size. Files that git maps into memory are limited in unsafe.ts.
    GIT_ALLOC_LIMIT: "256m",
    // Before git 2.32, only HOME determines where the user's config is.
    ...(asUser ? {} : { GIT_CONFIG_GLOBAL: "/dev/null", HOME: "/dev/null", XDG_CONFIG_HOME: "/dev/null" }),
    ...(repository === undefined
      ? {}
      : { GIT_DIR: repository.gitDir, GIT_COMMON_DIR: repository.common, GIT_WORK_TREE: repository.root }),
  };
}
