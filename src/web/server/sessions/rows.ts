import { forTerminal, oneLine } from "../../../base/for-terminal.ts";
import { clip } from "../../../base/text.ts";
import { type Activity, isUnobserved as isUnobservedSince } from "../../../moments/state/activity.ts";
import { folderOfUser, metaFile, type SessionMeta } from "../../../moments/state/session-meta.ts";
import { plainLine } from "../../../moments/state/session-name.ts";
import { originOf } from "../../../sources/sessions/indexing/lineage.ts";
import type { DetailedSession, LastAsked } from "../../../sources/sessions/indexing/listing.ts";
import { shownName } from "../../../sources/sessions/labels.ts";
import type { SessionKey } from "../../../sources/sessions/session.ts";
import { redact } from "../../../store/redact.ts";
import type { SessionRow } from "../../api/sessions.ts";
import type { Web } from "../web.ts";
import { activitiesOf } from "./activities.ts";
import { observedSince } from "./observed-since.ts";

const MOST_OF_A_REQUEST = 300;

/** A session as lists show it. */
export function sessionRow(web: Web, session: DetailedSession): SessionRow {
  const activity = activitiesOf(web).of(session);
  const meta = metaOf(web, session);
  const { lastRequest } = session;
  return {
    host: session.host,
    id: session.id,
    name: oneLine(shownName(session)),
    namedBy: session.namedBy,
    project: session.label === undefined ? null : oneLine(session.label),
    projectId: session.project ?? null,
    branch: session.branch === undefined ? null : oneLine(session.branch),
    started: session.started,
    modified: Math.max(session.modified, activity?.idleAt ?? 0),
    turns: session.counts.turns,
    prompts: session.counts.prompts,
    lastRequest: lastRequest === undefined ? null : shortLine(lastRequest.text),
    currentIntent: currentIntent(meta, lastRequest),
    activity: activity?.doing ?? null,
    activeSince: activity?.since ?? null,
    unobserved: unobservedBy(web, activity, meta),
    isChild: session.isChild,
    isGone: session.isGone,
    origin: originOf(session) ?? null,
  };
}

export function isUnobserved(web: Web, key: SessionKey): boolean {
  return unobservedBy(web, activitiesOf(web).of(key), metaOf(web, key));
}

/** Caco stores this in its own file, for sessions in which no hook of Continuo ran. */
function unobservedBy(web: Web, activity: Activity | undefined, meta: SessionMeta | undefined): boolean {
  if (activity === undefined) return meta?.unobserved === true;
  return isUnobservedSince(activity, observedSince(web));
}

/** The last request, unless the agent has said more since: what it said before is about an earlier request. */
export function currentIntent(meta: SessionMeta | undefined, asked: LastAsked | undefined): string | null {
  const said = meta?.currentIntent;
  const saidAt = Date.parse(meta?.currentIntentAt ?? "");
  const isEarlier = asked?.at !== undefined && saidAt < asked.at;
  if (said !== undefined && said !== "" && !isEarlier) return shortLine(redact(said));
  return asked === undefined ? null : shortLine(asked.text);
}

function shortLine(text: string): string {
  return clip(plainLine(forTerminal(text.slice(0, MOST_OF_A_REQUEST * 10))), MOST_OF_A_REQUEST);
}

/** Damaged metadata is reported by requests about that session. */
function metaOf(web: Web, key: SessionKey): SessionMeta | undefined {
  try {
    return metaFile(web.home, folderOfUser(web.env), key, { lockWaitMs: 0 }).read();
  } catch {
    return undefined;
  }
}
