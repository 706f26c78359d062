import { ContinuoError } from "../../base/errors.ts";
import { fingerprint } from "../../base/fingerprint.ts";
import { count, grouped } from "../../base/when.ts";
import type { Home } from "../../store/home.ts";
import type { MomentRun } from "../run/moment-run.ts";
import { sessionLedger } from "../state/ledger.ts";
import type { SessionState, WaitingPart } from "../state/session-state.ts";
import type { EndMoment } from "../types.ts";

/**
 * What was handed to an agent, did not reach it, and was to be given again (unseen.ts) when the session ended. It is one
 * failure of the session, however many texts these are.
 */

/** The line of the ledger is among the last ones. */
const LEDGER_FILES = 2;
const NAMED = 3;

/** `before`: the state before this moment looked into the transcript. `state`: after that. */
export function recordUndelivered(
  run: MomentRun,
  moment: EndMoment,
  before: SessionState | undefined,
  state: SessionState,
): void {
  if (state.isEnded === true) return; // the host said so twice
  // A session that ends before the model answers does not need what it was given last.
  const isUnanswered = ({ text }: WaitingPart) =>
    before?.unseen?.some(
      (one) =>
        one.text === text && moment.shows?.({ text, since: Date.parse(one.at), over: "turn" }) !== false,
    ) === true;
  const lost = lostParts(state).filter((part) => !isUnanswered(part));
  if (lost.length > 0) run.onFailure("delivery", undelivered(run.home, state, lost));
}

/** Those that were never handed over had no room: that is no failure. */
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

/** The longest time that the host had waited; undefined if other moments are counted with it. */
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
