import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { HOST_NAMES } from "../../../base/host-names.ts";
import type { Place } from "../../../moments/ports/action.ts";
import { lookUp, projectIds } from "../access.ts";
import { distinctIds } from "../labels.ts";
import type { Sessions } from "../library.ts";
import { readReference } from "../references.ts";
import type { PastSession } from "../session.ts";

export interface Wanted {
  readonly session: string;
  readonly host?: string | undefined;
}

/** Finds a session by id, beginning of an id, or name; `last` is the newest of this project. */
export function chosen(
  place: Pick<Place, "cwd" | "home" | "env" | "session">,
  library: Sessions,
  { session, host }: Wanted,
): PastSession {
  const written = readReference(session);
  const hostWritten = HOST_NAMES.find((one) => one === written?.host);
  const name = hostWritten === undefined || written === undefined ? session : written.name;
  const isLast = name.toLowerCase() === "last";
  const found = lookUp(
    library,
    { name, host: host ?? hostWritten },
    // Inside an agent, the last session is the one before the current one.
    { project: projectIds(place), ...(isLast && { self: place.session?.id }) },
  );
  if (found.kind === "found") return found.session;
  if (found.kind === "ambiguous")
    throw new ContinuoError("session-ambiguous", `several sessions are named "${session}"`, {
      hint: ["use an id:", ...listed(found.candidates)],
    });
  if (isLast)
    throw new ContinuoError("no-such-session", "there is no past session yet", {
      hint: "list all of them: continuo sessions list",
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
