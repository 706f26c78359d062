import { devNull } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { ContinuoError, describeError } from "../base/errors.ts";
import { fingerprint } from "../base/fingerprint.ts";
import type { Problem } from "../base/settings.ts";
import { spareFolder } from "./folder.ts";

/** Continuo's folder and the paths in it. */
export interface Home {
  readonly root: string;
  readonly config: string;
  readonly state: string;
  readonly ledger: string;
  readonly given: string;
  readonly logs: string;
  readonly locks: string;
  readonly backups: string;
  /** Files that the user deleted and can restore. */
  readonly trash: string;
}

export function homeAt(root: string): Home {
  return {
    root,
    config: join(root, "config.json"),
    state: join(root, "state"),
    ledger: join(root, "ledger"),
    given: join(root, "given"),
    logs: join(root, "logs"),
    locks: join(root, "locks"),
    backups: join(root, "backups"),
    trash: join(root, "trash"),
  };
}

/**
 * `CONTINUO_HOME`, else `~/.continuo`. Throws if neither is known, rather than guess where to put the user's data. A
 * relative `CONTINUO_HOME` is ignored: it would be a different folder in each project, inside that project.
 */
export function findHome(env: NodeJS.ProcessEnv): Home {
  const own = env["CONTINUO_HOME"];
  if (own && isAbsolute(own)) return homeAt(resolve(own));
  if (own && isBelowUser(own)) return homeAt(join(userHome(env), own.slice(2)));
  return homeAt(join(userHome(env), ".continuo"));
}

/** What is wrong with `CONTINUO_HOME`; undefined if nothing is. */
export function homeProblem(env: NodeJS.ProcessEnv): Problem | undefined {
  const own = env["CONTINUO_HOME"];
  if (!own || isAbsolute(own) || isBelowUser(own)) return undefined;
  return {
    key: "CONTINUO_HOME",
    message: `CONTINUO_HOME is relative (${own.slice(0, 100)}) and is ignored; ~/.continuo is used`,
    hint: "set it to an absolute path, for example /home/you/.continuo",
  };
}

/**
 * For hosts: their sessions get rules even if there is no home. The state of a session is then kept in the temporary
 * folder, if possible.
 */
export function homeForHost(env: NodeJS.ProcessEnv): { home: Home; problem?: Problem } {
  try {
    const problem = homeProblem(env);
    return { home: findHome(env), problem };
  } catch (error) {
    const { message, hint = "" } = describeError(error);
    return {
      home: homeAt(join(spareFolder() ?? devNull, "home")),
      problem: { key: "HOME", message, hint },
    };
  }
}

/** A settings file is not read by a shell, so a tilde is not expanded. */
function isBelowUser(path: string): boolean {
  return /^~[\\/]/.test(path);
}

export function userHome(env: NodeJS.ProcessEnv): string {
  const home = env["HOME"] || env["USERPROFILE"];
  if (home && isAbsolute(home)) return home;
  throw new ContinuoError("home-missing", "neither CONTINUO_HOME nor HOME names a folder", {
    hint: "set CONTINUO_HOME to an absolute path, for example /home/you/.continuo",
  });
}

/**
 * Turns an id from a host, which may contain anything, into a file name: an id that is not clearly safe is replaced by
 * its hash.
 */
export function fileNameFor(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id) && !/^(con|prn|aux|nul|com\d|lpt\d)$/i.test(id)) return id;
  return `x-${fingerprint(id)}${fingerprint(`again ${id}`)}`;
}
