import type { PastSession } from "../session.ts";
import { slug, type Viewpoint } from "./resolve.ts";

const MOST = 20;

export interface NamedSession {
  /** What to write after `@@` so that this session is meant, and no other. */
  readonly name: string;
  readonly session: PastSession;
}

/** Sessions that what was typed so far could become: those of the project first, the latest first. */
export function namesLike(
  typed: string,
  sessions: readonly PastSession[],
  { project, self }: Viewpoint,
): NamedSession[] {
  const wanted = slug(typed);
  const others = sessions.filter((one) => one.id !== self);
  const times = new Map<string, number>();
  for (const { name } of others) times.set(slug(name), (times.get(slug(name)) ?? 0) + 1);
  const isHere = (one: PastSession) => project !== undefined && one.project === project;
  return others
    .filter((one) => slug(one.name).includes(wanted) || one.id.toLowerCase().startsWith(typed.toLowerCase()))
    .sort((a, b) => Number(isHere(b)) - Number(isHere(a)) || b.modified - a.modified)
    .slice(0, MOST)
    .map((session) => ({ name: nameOf(session, times), session }));
}

/** The name where it is short and belongs to one session, else the id. */
function nameOf({ name, id }: PastSession, times: ReadonlyMap<string, number>): string {
  const short = slug(name);
  return short === "" || short === "last" || short.length > 60 || (times.get(short) ?? 0) > 1 ? id : short;
}
