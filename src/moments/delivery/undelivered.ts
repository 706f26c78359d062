import { ContinuoError } from "../../base/errors.ts";
import { fingerprint } from "../../base/fingerprint.ts";
import { count, grouped } from "../../base/when.ts";
import type { Home } from "../../store/home.ts";
import type { MomentRun } from "../run/moment-run.ts";
import { sessionLedger } from "../state/ledger.ts";
import type { SessionState, WaitingPart } from "../state/session-state.ts";
import type { EndMoment } from "../types.ts";

/**
 * Reports texts that were handed to an agent, did not reach it, and still had to be delivered again (unseen.ts) when
 * the session ended. That is one failure of the session, however many texts there are.
 */

/** The delivery's line is in the newest files of the ledger. */
const LEDGER_FILES = 2;
const NAMED = 3;

/** `before`: the state before this moment checked the transcript. `state`: the state after that. */
export function recordUndelivered(
  run: MomentRun,
  moment: EndMoment,
  before: SessionState | undefined,
  state: SessionState,
): void {
  if (state.isEnded === true) return; // the host reported the end twice
  // A session that ends before the model answers no longer needs its last texts.
  const isUnanswered = ({ text }: WaitingPart) =>
    before?.unseen?.some(
      (one) =>
        one.text === text && moment.shows?.({ text, since: Date.parse(one.at), over: "turn" }) !== false,
    ) === true;
  const lost = lostParts(state).filter((part) => !isUnanswered(part));
  if (lost.length > 0) run.onFailure("delivery", undelivered(run.home, state, lost));
}

/** Parts that were never handed over only lacked room, which is not a failure. */
export const lostParts = ({ waiting = [] }: SessionState) =>
  waiting.filter(({ times }) => times !== undefined);

export function undelivered(
  home: Home,
  { session }: SessionState,
  lost: readonly WaitingPart[],
): ContinuoError {
  const titles = [...new Set(lost.flatMap(({ items }) => items.map(({ title }) => title)))];
  const more = titles.length > NAMED ? ` and ${titles.length - NAMED} more` : "";
  const what = titles.length === 0 ? count(lost.length, "text") : titles.slice(0, NAMED).join(", ") + more;
  const ms = answeredAfter(home, session, lost);
  const when = ms === undefined ? "" : `; the hook had its answer after ${grouped(ms)} ms`;
  return new ContinuoError(
    "not-delivered",
    `a session is over, and its agent did not get what the hook answered: ${what}${when}`,
    {
      hint: `the agent did not wait, mostly because the machine was busy; to see what it lacks: continuo why ${session.id}`,
    },
  );
}

/** The host's longest wait; undefined if it includes other moments. */
function answeredAfter(
  home: Home,
  session: SessionState["session"],
  lost: readonly WaitingPart[],
): number | undefined {
  const wanted = new Set(lost.map(({ text }) => fingerprint(text)));
  const times = sessionLedger(home, session, LEDGER_FILES).flatMap((line) =>
    line.kind === "delivered" && wanted.has(line.fingerprint) && line.spent?.moments === 1
      ? [line.spent.ms]
      : [],
  );
  return times.length === 0 ? undefined : Math.max(...times);
}
