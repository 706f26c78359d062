import { isAbsolute, join, resolve } from "node:path";
import { fingerprint } from "../compose/fingerprint.ts";
import { ContinuoError } from "../moments/errors.ts";

/** Where everything of ours lives. */
export interface Home {
  readonly root: string;
  readonly config: string;
  readonly state: string;
  readonly ledger: string;
  readonly logs: string;
  readonly locks: string;
  readonly index: string;
  readonly backups: string;
}

export function homeAt(root: string): Home {
  return {
    root,
    config: join(root, "config.json"),
    state: join(root, "state"),
    ledger: join(root, "ledger"),
    logs: join(root, "logs"),
    locks: join(root, "locks"),
    index: join(root, "index.db"),
    backups: join(root, "backups"),
  };
}

/** `CONTINUO_HOME`, else `~/.continuo`. Without either we refuse rather than guess a place for people's data. */
export function findHome(env: NodeJS.ProcessEnv): Home {
  const own = env["CONTINUO_HOME"];
  if (own) return homeAt(resolve(own));
  return homeAt(join(userHome(env), ".continuo"));
}

export function userHome(env: NodeJS.ProcessEnv): string {
  const home = env["HOME"] || env["USERPROFILE"];
  if (home && isAbsolute(home)) return home;
  throw new ContinuoError("home-missing", "neither CONTINUO_HOME nor HOME names a folder", {
    hint: "set CONTINUO_HOME to an absolute path, for example /home/you/.continuo",
  });
}

/** Ids come from hosts and may hold anything: what is not plainly a file name is replaced by its hash. */
export function fileNameFor(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id) && !/^(con|prn|aux|nul|com\d|lpt\d)$/i.test(id)) return id;
  return `x-${fingerprint(id)}${fingerprint(`again ${id}`)}`;
}
