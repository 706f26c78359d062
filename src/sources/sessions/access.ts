import { existsSync } from "node:fs";
import { ContinuoError, describeError } from "../../base/errors.ts";
import type { ToolContext } from "../../moments/ports/tool.ts";
import { knownProject } from "../../moments/project/known-project.ts";
import { findProject } from "../../moments/project/project.ts";
import { failure, recordHealth } from "../../store/health.ts";
import { sessionsIndexPath } from "./indexing/index-path.ts";
import { openSessions, type Sessions, type SyncOptions, type SyncResult } from "./library.ts";
import { type Resolution, resolve, type Viewpoint } from "./references/resolve.ts";
import type { Reference } from "./references.ts";
import type { PastSession } from "./session.ts";
import { sessionsSettings } from "./settings.ts";

interface Where extends Pick<ToolContext, "home" | "env" | "history"> {
  readonly now: number | (() => number);
  /** Shows a failure to the user; without it, the failure is recorded. */
  readonly tell?: ((line: string) => void) | undefined;
}

/** Opens the library for one answer, and first indexes what hosts have written since, as far as `sliceMs` allows. */
export async function withSessions<T>(
  { home, env, now, history, tell }: Where,
  sliceMs: number,
  work: (library: Sessions) => T | Promise<T>,
): Promise<T> {
  const clock = typeof now === "number" ? () => now : now;
  const library = openSessions({
    home,
    env,
    history: await history(),
    now: clock,
    keep: sessionsSettings(home, env)["keep"] !== false,
    onFailure(code, message) {
      if (tell !== undefined) tell(`continuo: ${message}`);
      else recordHealth(home.logs, failure("sessions", new ContinuoError(code, message), clock()));
    },
  });
  try {
    if (sliceMs > 0) await catchUp(library, { sliceMs });
    return await work(library);
  } finally {
    library.close();
  }
}

/** Undefined without an index, because looking up a name must not create one. */
export async function ifIndexed<T>(
  where: Where,
  work: (library: Sessions) => T | Promise<T>,
): Promise<T | undefined> {
  return existsSync(sessionsIndexPath(where.home)) ? withSessions(where, 0, work) : undefined;
}

/**
 * Says whether everything is indexed now and what could not be read. If another process is writing the index, the index
 * is used as it is.
 */
export async function catchUp(
  library: Sessions,
  options: SyncOptions,
): Promise<Pick<SyncResult, "isComplete" | "notices">> {
  try {
    return await library.sync(options);
  } catch (error) {
    if (describeError(error).code !== "index-busy") throw error;
    return { isComplete: false, notices: [] };
  }
}

/** As many as `resolve` suggests. */
const MOST_NEAREST = 3;
/** Less likely sessions are not suggested. */
const LEAST_LIKELY = 0.25;

/**
 * Finds the session that a reference means, from the project and session in which it is used. If no name matches, also
 * suggests sessions about the written words, which are never chosen without asking.
 */
export function lookUp(
  library: Sessions,
  reference: Pick<Reference, "name" | "host">,
  viewpoint: Viewpoint,
): Resolution<PastSession> {
  const resolution = resolve(reference, library.list({ children: true }), viewpoint);
  if (resolution.kind !== "unknown" || resolution.nearest.length >= MOST_NEAREST) return resolution;
  const words = reference.name.replace(/[-_]+/g, " ").trim();
  if (words === "") return resolution;
  const { hits } = library.search(words, {
    limit: MOST_NEAREST,
    host: reference.host,
    except: viewpoint.self,
  });
  const known = new Set(resolution.nearest.map(({ id }) => id));
  const about = hits.filter(({ session, score }) => score >= LEAST_LIKELY && !known.has(session.id));
  const nearest = [...resolution.nearest, ...about.map(({ session }) => session)].slice(0, MOST_NEAREST);
  return { kind: "unknown", nearest };
}

export function viewpointOf(call: Pick<ToolContext, "cwd" | "session" | "home" | "env">): Viewpoint {
  return { project: projectIds(call), self: call.session.id };
}

/** The ids of a folder's project: all worktrees share one, other clones of the same remote have others. */
export function projectIds({ cwd, home, env }: Pick<ToolContext, "cwd" | "home" | "env">): readonly string[] {
  return knownProject(findProject(cwd), { home, env, cwd }).ids;
}
