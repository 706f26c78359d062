import { describeError } from "../../moments/errors.ts";
import { findProject } from "../../moments/project.ts";
import type { ToolContext } from "../../moments/tool-port.ts";
import { openSessions, type Sessions, type SyncOptions } from "./library.ts";
import type { Reference } from "./references.ts";
import { type Resolution, resolve, type Viewpoint } from "./resolve.ts";
import type { PastSession } from "./session.ts";
import { sessionsSettings } from "./settings.ts";

/** Opens the library for one answer, and brings it up to what hosts have written since, as far as the time allows. */
export async function withSessions<T>(
  { home, env, now }: Pick<ToolContext, "home" | "env" | "now">,
  sliceMs: number,
  work: (library: Sessions) => T | Promise<T>,
): Promise<T> {
  const keep = sessionsSettings(home, env)["keep"] !== false;
  const library = openSessions({ home, env, now: () => now, keep });
  try {
    if (sliceMs > 0) await catchUp(library, { sliceMs });
    return await work(library);
  } finally {
    library.close();
  }
}

/** What could not be read, if anything. While another process writes the index, what is there answers. */
export async function catchUp(library: Sessions, options: SyncOptions): Promise<readonly string[]> {
  try {
    return (await library.sync(options)).notices;
  } catch (error) {
    if (describeError(error).code !== "index-busy") throw error;
    return [];
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
