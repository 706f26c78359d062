import { ContinuoError, describeError } from "../../base/errors.ts";
import type { ToolContext } from "../../moments/ports/tool.ts";
import { findProject } from "../../moments/project.ts";
import { failure, recordHealth } from "../../store/health.ts";
import { openSessions, type Sessions, type SyncOptions, type SyncResult } from "./library.ts";
import type { Reference } from "./references.ts";
import { type Resolution, resolve, type Viewpoint } from "./resolve.ts";
import type { PastSession } from "./session.ts";
import { sessionsSettings } from "./settings.ts";

/** Opens the library for one answer, and brings it up to what hosts have written since, as far as the time allows. */
export async function withSessions<T>(
  { home, env, now, history }: Pick<ToolContext, "home" | "env" | "now" | "history">,
  sliceMs: number,
  work: (library: Sessions) => T | Promise<T>,
): Promise<T> {
  const keep = sessionsSettings(home, env).keep;
  const onTrouble = (code: string, message: string): void =>
    void recordHealth(home.logs, failure("sessions", new ContinuoError(code, message), now));
  const library = openSessions({
    home,
    env,
    history: await history(),
    now: () => now,
    keep,
    onTrouble,
  });
  try {
    if (sliceMs > 0) await catchUp(library, { sliceMs });
    return await work(library);
  } finally {
    library.close();
  }
}

/** Whether all is read now, and what could not be. While another process writes the index, what is there answers. */
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

/** Which session is meant, as seen from where somebody is. */
export function lookUp(
  library: Sessions,
  reference: Pick<Reference, "name" | "host">,
  viewpoint: Viewpoint,
): Resolution<PastSession> {
  return resolve(reference, library.list({ children: true }), viewpoint);
}

export function viewpointOf({ cwd, session }: Pick<ToolContext, "cwd" | "session">): Viewpoint {
  return { project: findProject(cwd).id, self: session.id };
}
