import { join } from "node:path";
import { isRecord } from "../../../base/json.ts";
import { readTimes } from "../../../moments/state/activity.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import type { PastSession, SessionKey } from "../../../sources/sessions/session.ts";
import { fileNameFor } from "../../../store/home.ts";
import type { ActiveSession, RecentSession } from "../../api/overview.ts";
import { activitiesOf } from "../sessions/activities.ts";
import { sessionRow } from "../sessions/rows.ts";
import type { Web } from "../web.ts";

const MOST_ACTIVE = 20;
const RECENT = 10;
/** The user still thinks about a session that went idle this recently. */
const WAITING_MS = 20 * 60_000;

/** Sessions in which an agent works, or that recently began to wait for the user; and the latest ones. */
export async function sessionsNow(
  web: Web,
): Promise<{ readonly active: readonly ActiveSession[]; readonly recent: readonly RecentSession[] }> {
  const sessions = await web.sessions();
  const activities = activitiesOf(web);
  const working = (await activities.working()).slice(0, MOST_ACTIVE);
  const last = sessions.list({ spoken: true, limit: RECENT });
  const isIn = (keys: readonly SessionKey[], key: SessionKey) =>
    keys.some(({ host, id }) => host === key.host && id === key.id);
  for (const one of last) await activities.isHeadless(one);
  const waiting = last.filter((one) => {
    const activity = activities.of(one);
    if (activity?.isHeadless === true) return false;
    return activity?.doing === "idle" && web.now() - activity.since < WAITING_MS && !isIn(working, one);
  });
  const active = [...working, ...waiting].map((key): ActiveSession => {
    const row = rowFor(web, sessions, key);
    const activity = activities.of(key);
    return activity?.doing === "working" ? { ...row, workingSince: activity.since } : row;
  });
  return {
    active: active.sort(
      (a, b) => Number(a.workingSince === undefined) - Number(b.workingSince === undefined),
    ),
    recent: last.map((one) => rowFor(web, sessions, one)),
  };
}

function rowFor(web: Web, sessions: Sessions, key: SessionKey): RecentSession {
  const found = sessions.get(key);
  return found === undefined ? rowOfState(web, key) : rowOf(web, sessions, found);
}

function rowOf(web: Web, sessions: Sessions, session: PastSession): RecentSession {
  const lastRequest = sessions.lastAsked(session);
  const row = sessionRow(web, { ...session, row: 0, ...(lastRequest && { lastRequest }) });
  return {
    host: row.host,
    id: row.id,
    name: row.name,
    ...(row.project === null ? {} : { project: row.project }),
    ...(row.branch === null ? {} : { branch: row.branch }),
    modified: row.modified,
    ...(row.currentIntent === null ? {} : { lastRequest: row.currentIntent }),
    unobserved: row.unobserved,
  };
}

/** A session that is not indexed yet: only its hooks reported it. */
function rowOfState(web: Web, { host, id }: SessionKey): RecentSession {
  const state: unknown = readTimes(join(web.home.state, host, `${fileNameFor(id)}.json`));
  const project = isRecord(state) ? state["project"] : undefined;
  const label = isRecord(project) ? project["label"] : undefined;
  return {
    host,
    id,
    name: "New session",
    ...(typeof label === "string" ? { project: label.slice(0, 200) } : {}),
    modified: web.now(),
  };
}
