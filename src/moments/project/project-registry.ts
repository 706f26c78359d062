import { join } from "node:path";
import { isRecord, parseBounded } from "../../base/json.ts";
import type { Home } from "../../store/home.ts";
import { withLock } from "../../store/lock.ts";
import { readText } from "../../store/read-file.ts";
import { writeFileAtomic } from "../../store/write-file.ts";

/** A project that was seen on this machine. */
export interface SeenProject {
  readonly id: string;
  readonly root: string;
  /** `host/owner/name`, by which clones and former places of a project are recognised. */
  readonly remote: string;
  /** Whether the user was told with which other clone it shares. */
  readonly isTold?: boolean;
}

const VERSION = 1;
const MAX_BYTES = 2_000_000;
/** More than a machine has. The oldest are forgotten first. */
const MAX_PROJECTS = 2_000;
const LOCK_WAIT_MS = 200;

/**
 * The projects with a remote that were seen on this machine. Derived: a damaged file counts as empty and is filled
 * again over time.
 */
export function seenProjects(home: Pick<Home, "root">): readonly SeenProject[] {
  let text: string;
  try {
    text = readText(registryFile(home), { maxBytes: MAX_BYTES });
  } catch {
    return []; // absent, or unreadable: clones are not recognised until it is rewritten
  }
  try {
    const value = parseBounded(text);
    const listed: unknown = isRecord(value) && value["version"] === VERSION ? value["projects"] : undefined;
    return Array.isArray(listed) ? listed.filter(isSeen).slice(-MAX_PROJECTS) : [];
  } catch {
    return []; // damaged
  }
}

/** Remembers projects and returns the new ones; writes nothing if there are none. */
export async function rememberProjects(
  home: Home,
  projects: readonly SeenProject[],
): Promise<readonly SeenProject[]> {
  if (news(seenProjects(home), projects).length === 0) return [];
  return withLock(
    join(home.locks, "projects"),
    () => {
      const known = seenProjects(home);
      const added = news(known, projects);
      if (added.length === 0) return [];
      const ids = new Set(added.map(({ id }) => id));
      const all = [...known.filter(({ id }) => !ids.has(id)), ...added].slice(-MAX_PROJECTS);
      const content = { version: VERSION, projects: all };
      writeFileAtomic(registryFile(home), `${JSON.stringify(content, null, 1)}\n`, { durable: false });
      return added;
    },
    { waitMs: LOCK_WAIT_MS },
  );
}

/** What is new about these projects. `isTold` is never unset. */
function news(known: readonly SeenProject[], projects: readonly SeenProject[]): SeenProject[] {
  const before = new Map(known.map((one) => [one.id, one]));
  const after = new Map(
    projects.map(({ id, root, remote, isTold }) => {
      const isKnown = before.get(id)?.remote === remote;
      const told = isTold === true || (isKnown && before.get(id)?.isTold === true);
      return [id, { id, root, remote, ...(told ? { isTold: true } : {}) }];
    }),
  );
  return [...after.values()].filter(({ id, remote, isTold }) => {
    const one = before.get(id);
    return one?.remote !== remote || one.isTold !== isTold;
  });
}

function isSeen(value: unknown): value is SeenProject {
  return isRecord(value) && ["id", "root", "remote"].every((key) => typeof value[key] === "string");
}

export function registryFile({ root }: Pick<Home, "root">): string {
  return join(root, "projects.json");
}
