import { findProject } from "../../moments/project.ts";
import type { ToolContext } from "../../moments/tool-port.ts";
import { openSessions, type Sessions } from "./library.ts";
import type { Reference } from "./references.ts";
import { type Resolution, resolve, type Viewpoint } from "./resolve.ts";
import type { PastSession } from "./session.ts";

/** Opens the library for one answer, brings it up to what hosts have written since, as far as the time allows. */
export async function withSessions<T>(
  { home, env, now }: Pick<ToolContext, "home" | "env" | "now">,
  sliceMs: number,
  work: (library: Sessions) => T | Promise<T>,
): Promise<T> {
  const library = openSessions({ home, env, now: () => now });
  try {
    if (sliceMs > 0) await library.sync({ sliceMs });
    return await work(library);
  } finally {
    library.close();
  }
}

/** Which session is meant, as seen from where somebody is. */
export function lookUp(
  library: Sessions,
  reference: Pick<Reference, "name" | "host">,
  viewpoint: Viewpoint,
): Resolution<PastSession> {
  return resolve(reference, library.list(), viewpoint);
}

export function viewpointOf({ cwd, session }: Pick<ToolContext, "cwd" | "session">): Viewpoint {
  return { project: findProject(cwd).id, self: session.id };
}
