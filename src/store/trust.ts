import { renameSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { ContinuoError, describeError } from "../base/errors.ts";
import { isRecord, parseBounded } from "../base/json.ts";
import type { Home } from "./home.ts";
import { withLock } from "./lock.ts";
import { readTextIfAny } from "./read-file.ts";
import { writeFileAtomic } from "./write-file.ts";

const VERSION = 1;
const MAX_BYTES = 4_000_000;
const LOCK_WAIT_MS = 5_000;

/** Projects whose rules may block a tool call and run commands. Only the user adds one, with a command. */
export interface Trust {
  /** Empty while the file is damaged: what cannot be read is not trusted. */
  readonly projects: readonly string[];
  /** For each project, a fingerprint of the guards that were shown when the user trusted it. */
  readonly shown: Readonly<Record<string, string>>;
  /**
   * For each project, the exact commands that its rules may run: those that were shown when the user trusted it. Absent
   * in files of older versions. Older versions ignore it and run nothing, so the format number is the same.
   */
  readonly runs: Readonly<Record<string, readonly string[]>>;
  readonly damage?: Damage;
}

type Content = Omit<Trust, "damage">;

interface Damage {
  readonly message: string;
  readonly hint: string;
  /** The readable part of a damaged file: not enough to act on, but kept when the file is written again. */
  readonly readable: Content;
  /** Written by a newer version: only that version may change it. */
  readonly isNewer: boolean;
}

const NOTHING: Content = { projects: [], shown: {}, runs: {} };

export function readTrust(home: Pick<Home, "root">): Trust {
  let text: string | undefined;
  try {
    text = readTextIfAny(trustFile(home), { maxBytes: MAX_BYTES });
  } catch (error) {
    return damaged(home, `cannot be read: ${describeError(error).message}`, NOTHING);
  }
  if (text === undefined) return NOTHING;
  let value: unknown;
  try {
    value = parseBounded(text);
  } catch {
    return damaged(home, "is not valid JSON", { ...NOTHING, projects: pathsIn(text) });
  }
  if (!isRecord(value) || !Array.isArray(value["projects"]))
    return damaged(home, "has no list of projects", { ...NOTHING, projects: pathsIn(text) });
  const listed: readonly unknown[] = value["projects"];
  const projects = listed.filter((one) => typeof one === "string");
  const content = { projects, shown: textsOf(value["shown"]), runs: listsOf(value["runs"]) };
  const version = value["version"];
  if (typeof version === "number" && version > VERSION)
    return damaged(home, `is of version ${version}; this Continuo knows ${VERSION}`, content, true);
  if (projects.length < listed.length || version !== VERSION)
    return damaged(home, "contains an entry that is not a project", content);
  return content;
}

/** Where a damaged file was moved to. */
export interface KeptAside {
  readonly path: string;
  readonly projects: number;
}

/**
 * Under a lock, so that concurrent commands lose nothing. `shown` is undefined to revoke trust. `runs` replaces the
 * commands that were accepted before.
 */
export async function setTrust(
  home: Home,
  project: string,
  shown: string | undefined,
  now: number,
  runs: readonly string[] = [],
): Promise<KeptAside | undefined> {
  return withLock(
    join(home.locks, "trust"),
    () => {
      const { damage, ...before } = readTrust(home);
      if (damage?.isNewer) throw new ContinuoError("trust-damaged", damage.message, { hint: damage.hint });
      const known = damage?.readable ?? before;
      const aside = damage && keepAside(home, damage, now);
      const { [project]: _, ...others } = known.shown;
      const { [project]: __, ...otherRuns } = known.runs;
      const projects = known.projects.filter((one) => one !== project);
      const content = {
        version: VERSION,
        projects: shown === undefined ? projects : [...projects, project].sort(),
        shown: shown === undefined ? others : { ...others, [project]: shown },
        runs: shown === undefined || runs.length === 0 ? otherRuns : { ...otherRuns, [project]: runs },
      };
      writeFileAtomic(trustFile(home), `${JSON.stringify(content, null, 2)}\n`);
      return aside;
    },
    { waitMs: LOCK_WAIT_MS },
  );
}

function keepAside(home: Home, { readable }: Damage, now: number): KeptAside {
  const path = `${trustFile(home)}.damaged-${new Date(now).toISOString().replace(/[:.]/g, "-")}`;
  renameSync(trustFile(home), path);
  return { path, projects: readable.projects.length };
}

function damaged(
  home: Pick<Home, "root">,
  why: string,
  readable: Damage["readable"],
  isNewer = false,
): Trust {
  const hint = isNewer
    ? "update Continuo"
    : 'run "continuo rules trust" in each project whose guards you want: it keeps the damaged file and writes a new one';
  const message = `${trustFile(home)} ${why}; until it is repaired, no project's checks can refuse or ask`;
  return { ...NOTHING, damage: { message, hint, readable, isNewer } };
}

/** The projects in a truncated file: every complete string in it that is a path. */
function pathsIn(text: string): string[] {
  const found = new Set<string>();
  for (const [string] of text.matchAll(/"(?:[^"\\\n]|\\.)*"/g)) {
    const path = parsed(string);
    if (typeof path === "string" && isAbsolute(path)) found.add(path);
  }
  return [...found];
}

function parsed(json: string): unknown {
  try {
    return parseBounded(json);
  } catch {
    return undefined; // an invalid escape: not a path that Continuo wrote
  }
}

function textsOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function listsOf(value: unknown): Record<string, string[]> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([project, list]) => [
      project,
      Array.isArray(list) ? list.filter((one): one is string => typeof one === "string") : [],
    ]),
  );
}

function trustFile(home: Pick<Home, "root">): string {
  return join(home.root, "trust.json");
}
