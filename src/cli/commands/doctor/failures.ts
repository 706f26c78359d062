import { ago, count } from "../../../base/when.ts";
import { lostParts, undelivered } from "../../../moments/delivery/undelivered.ts";
import { findProject } from "../../../moments/project/project.ts";
import { isOver } from "../../../moments/state/activity.ts";
import { recentDeliveries } from "../../../moments/state/recent-deliveries.ts";
import { peekState } from "../../../moments/state/session-state.ts";
import {
  FAILURE_DAYS,
  type FailureKind,
  failureKinds,
  failuresSince,
  type HealthRecord,
  readHealth,
} from "../../../store/health.ts";
import type { Home } from "../../../store/home.ts";
import type { World } from "../../command.ts";
import { DISK_WAS_FULL, type NamedFinding, ok, warn } from "./check.ts";

/** Past failures, one line for each kind, newest first. Older ones are shown with --verbose. */
export function* checkFailures(
  world: Pick<World, "cwd" | "now">,
  home: Home | undefined,
): Generator<NamedFinding> {
  const { records: recorded, damaged } = readHealth(home?.logs);
  const now = world.now();
  const records =
    home === undefined ? recorded : [...recorded, ...undeliveredSilently(home, now)].sort(byTime);
  const { root } = findProject(world.cwd);
  const since = failuresSince(now);
  // `checkRules` reports the currently refused rules of this project.
  const isReportedElsewhere = (one: HealthRecord) =>
    one.code.startsWith("rule-") && one.message.includes(root);
  const isRecent = (one: HealthRecord) => one.at >= since;
  const recent = failureKinds(records.filter((one) => isRecent(one) && !isReportedElsewhere(one)));
  for (const kind of recent) yield described(kind, now);
  if (damaged > 0) yield warn("health log", `${count(damaged, "line")} could not be read`, DISK_WAS_FULL);
  if (recent.length === 0 && damaged === 0) yield ok("failures", `none in the last ${FAILURE_DAYS} days`);
  for (const kind of failureKinds(records.filter((one) => !isRecent(one))))
    yield { ...described(kind, now), status: "ok" };
}

function described({ last, count: times }: FailureKind, now: number): NamedFinding {
  const often = `${count(times, "time")}, last ${ago(last.at, now)}`;
  const detail = `${last.message} (${last.code}, ${last.where}; ${often})`;
  return { ...warn("failure", detail, last.hint ?? remedyFor(last.code)), at: last.at };
}

/** The last failure of a kind is shown. */
const byTime = (a: HealthRecord, b: HealthRecord) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);

/** What to do about a recorded failure without a hint, by the beginning of its code. */
const REMEDIES: readonly (readonly [codes: RegExp, remedy: string])[] = [
  [/^(ENOSPC|EDQUOT)$/, "free some disk space"],
  [/^(EACCES|EPERM|EROFS)$/, "make that file or folder readable and writable for you"],
  [/^(EMFILE|ENFILE)$/, "too many files were open; close other programs if it happens again"],
  [
    /^(ENOENT|ENOTDIR|EISDIR)$/,
    "a file was missing or replaced; if it happens again, run: continuo doctor --fix",
  ],
  [/^index-rebuilt$/, "nothing is lost; to fill the index again: continuo sessions index"],
  [/^(index-|web-index|web-names)/, "the index catches up by itself; to do it now: continuo sessions index"],
  [/^(notes-sync|semantic|vectors|meaning)/, "to update the index of notes: continuo sync"],
  [/^(record-|transcript-)/, "the session is still found; to read it again: continuo sessions index"],
  [/^projects-not-saved$/, "nothing is lost; the next indexing saves them: continuo sessions index"],
  [/^state-damaged$/, "the session got its rules again; the damaged file is kept beside the new one"],
  [
    /(-late|lock-busy|lock-lost)$/,
    "the machine was busy; a slow disk or large rule folders are usual causes",
  ],
  [/^(mcp-|hook-|server-|payload-|unknown-)/, "set the agent up again if it goes on: continuo install"],
  [/^model-/, "check the model in your settings: continuo config sources.sessions.modelKeys"],
  [/^web-/, "start the page again: continuo web"],
  [/^rule-/, "to see what is wrong with it: continuo rules check"],
];

function remedyFor(code: string): string {
  const known = REMEDIES.find(([codes]) => codes.test(code))?.[1];
  return known ?? "nothing needs to be done now; if it happens again, please report it";
}

const RECENT = 20;

/**
 * Undelivered texts of recent sessions that ended without an event: killed ones, and those of agents that lack such an
 * event. Other sessions have recorded theirs themselves.
 */
function undeliveredSilently(home: Home, now: number): HealthRecord[] {
  return recentDeliveries(home, { most: RECENT }).sessions.flatMap(({ host, session }) => {
    const state = peekState(home, { host, id: session });
    if (state === undefined || state.isEnded === true || !isOver(state, now)) return [];
    const lost = lostParts(state);
    if (lost.length === 0) return [];
    const { code, message, hint = "" } = undelivered(home, state, lost);
    return [{ at: state.seenAt, where: host, code, message, hint }];
  });
}
