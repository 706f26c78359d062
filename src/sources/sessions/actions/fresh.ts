import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { HOST_NAMES } from "../../../base/host-names.ts";
import { count } from "../../../base/when.ts";
import type { Place } from "../../../moments/ports/action.ts";
import { catchUp, projectIds, withSessions } from "../access.ts";
import { distinctIds } from "../labels.ts";
import type { Sessions } from "../library.ts";
import { readReference } from "../references.ts";
import type { PastSession } from "../session.ts";

/** How long an action may index new sessions before it answers. An empty index finds nothing, so filling it may take longer. */
export interface SyncTime {
  readonly emptyMs: number;
  readonly usualMs: number;
}

const FOR_PEOPLE: SyncTime = { emptyMs: 30_000, usualMs: 1500 };

/** Opens the library for one action, and indexes what is new. */
export function withFresh<T>(
  place: Pick<Place, "home" | "env" | "now" | "history" | "tell" | "progress" | "signal">,
  work: (library: Sessions) => T | Promise<T>,
  time?: SyncTime,
): Promise<T> {
  return withSessions(place, 0, async (library) => {
    await syncFirst(place, library, time);
    return work(library);
  });
}

/** Indexes sessions that changed on disk, within the given time. Says if some are left. */
export async function syncFirst(
  { tell, progress, signal }: Pick<Place, "tell" | "progress" | "signal">,
  library: Sessions,
  { emptyMs, usualMs } = FOR_PEOPLE,
): Promise<void> {
  const show = progress?.();
  const { isComplete } = await catchUp(library, {
    sliceMs: library.size().sessions === 0 ? emptyMs : usualMs,
    ...(signal && { signal }),
    onProgress({ doneSessions, sessions, doneBytes, bytes }) {
      // Most find nothing new, and showing that would load more code.
      if (doneSessions + doneBytes > 0)
        show?.(() => ({
          ...(bytes > 0 && { share: doneBytes / bytes }),
          label: `${doneSessions} of ${count(sessions, "session")} read`,
        }));
    },
  });
  if (!isComplete) tell?.("continuo: not all sessions are indexed yet; to finish: continuo sessions index");
}

export interface Wanted {
  readonly session: string;
  readonly host?: string | undefined;
}

/** Finds a session by id, beginning of an id, or name; `last` is the newest of this project. */
export function chosen(place: Place, library: Sessions, { session, host }: Wanted): PastSession {
  const written = readReference(session);
  const hostWritten = HOST_NAMES.find((one) => one === written?.host);
  const name = hostWritten === undefined || written === undefined ? session : written.name;
  const isLast = name === "last";
  const found = library.find(name, {
    project: projectIds(place),
    host: host ?? hostWritten,
    // Inside an agent, nobody means the session that is open by it.
    ...(isLast && { self: place.session?.id }),
  });
  if (found.kind === "found") return found.session;
  if (found.kind === "ambiguous")
    throw new ContinuoError("session-ambiguous", `several sessions are named "${session}"`, {
      hint: ["use an id:", ...listed(found.candidates)],
    });
  if (session === "last")
    throw new ContinuoError("no-such-session", "this project has no past sessions", {
      hint: "list those of all projects: continuo sessions list",
    });
  throw new ContinuoError("no-such-session", `unknown session "${session}"`, {
    hint:
      found.nearest.length === 0
        ? "list the indexed sessions: continuo sessions list"
        : ["similar names:", ...listed(found.nearest)],
  });
}

/** One session per line, because ids and names are long. */
function listed(sessions: readonly PastSession[]): string[] {
  const ids = distinctIds(sessions);
  return sessions.map(({ host, id, name }, at) => `  ${oneLine(ids[at] ?? id)}  ${oneLine(name)} (${host})`);
}

/** Without a name: the session in which it is called, or the newest. */
export function namedOrOwn({ session, host }: Partial<Wanted>, place: Place): Wanted {
  const own = place.session && `${place.session.host}:${place.session.id}`;
  return { session: session ?? own ?? place.env["CLAUDE_CODE_SESSION_ID"] ?? "last", host };
}
