import type { ListedResource } from "../../../moments/ports/resource.ts";
import type { ToolContext } from "../../../moments/ports/tool.ts";
import { viewpointOf, withSessions } from "../access.ts";
import { day, oneLine } from "../labels.ts";
import { handoff } from "../records/handoff.ts";
import { namesLike } from "../references/known-names.ts";

const SYNC_MS = 500;
/** What a person picks from; all others are found by completion. */
const LISTED = 30;

export async function readSession(host: string, id: string, call: ToolContext): Promise<string | undefined> {
  return withSessions(call, SYNC_MS, (library) => {
    const found = library.list({ children: true }).find((one) => one.host === host && one.id === id);
    return found === undefined ? undefined : handoff(library, found);
  });
}

/** The latest of the project. */
export async function listSessions(call: ToolContext): Promise<readonly ListedResource[]> {
  return withSessions(call, SYNC_MS, (library) => {
    const { project, self } = viewpointOf(call);
    return library
      .list({ ...(project !== undefined && { project }), limit: LISTED })
      .filter(({ id }) => id !== self)
      .map(({ host, id, name, modified }) => ({
        uri: `session://${host}/${encodeURIComponent(id)}`,
        name: oneLine(name, 100),
        description: `${host}, ${day(modified)}`,
      }));
  });
}

export async function completeSession(
  variable: string,
  typed: string,
  call: ToolContext,
): Promise<readonly string[]> {
  if (variable === "host")
    return [...(await call.history()).keys()].filter((host) => host.startsWith(typed.toLowerCase()));
  return withSessions(call, 0, (library) =>
    namesLike(typed, library.list(), viewpointOf(call)).map(({ session }) => session.id),
  );
}
