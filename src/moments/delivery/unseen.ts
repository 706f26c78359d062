import { ContinuoError } from "../../base/errors.ts";
import { fingerprint } from "../../base/fingerprint.ts";
import { iso, type MomentRun } from "../run/moment-run.ts";
import { listOrNone } from "../state/delivered-items.ts";
import type { SessionState, UnseenPart, WaitingPart } from "../state/session-state.ts";
import type { EndMoment, IdleMoment, Moment, PromptMoment, ResumeMoment, ToolMoment } from "../types.ts";

/**
 * Text handed to the host may not reach the model: a host that stopped waiting for a hook drops its answer. So a text
 * stays unseen until the host's transcript shows it. If the transcript should show it by now and does not, the text
 * goes back to the waiting parts, and the next event delivers it, byte for byte.
 */

/** The most unseen parts of a session. With more, the transcript has probably changed its form. */
const MOST = 20;

/** How often one part is delivered. A transcript that has changed its form would never show it. */
const MOST_TIMES = 6;

/** The parts that this event hands to the host, together with earlier unseen ones. */
export function unseenAfter(
  { unseen = [] }: SessionState,
  moment: Moment,
  shown: readonly WaitingPart[],
): SessionState["unseen"] {
  if (moment.shows === undefined || shown.length === 0) return listOrNone(unseen);
  const given = shown.map((part) => ({ ...part, at: iso(moment.at), times: (part.times ?? 0) + 1 }));
  return [...unseen, ...given].slice(-MOST);
}

/** Looks for unseen parts in the transcript, and returns the session's new state. */
export async function lookForUnseen(
  run: MomentRun,
  moment: PromptMoment | ToolMoment | ResumeMoment | IdleMoment | EndMoment,
): Promise<SessionState | undefined> {
  const file = run.stateOf(moment);
  const state = file.read();
  const { shows } = moment;
  if (shows === undefined || state?.unseen === undefined) return state;
  const over = whatIsOver(moment);
  const looked = state.unseen.map((part) => {
    const isShown = shows({ text: part.text, since: Date.parse(part.at), over });
    return [idOf(part), isShown] as const;
  });
  const answers = new Map(looked.filter(([, isShown]) => isShown !== undefined));
  if (answers.size === 0) return state;
  let after: SessionState | undefined = state;
  let [seen, missing]: [UnseenPart[], UnseenPart[]] = [[], []];
  try {
    await file.update((before) => {
      after = before;
      const left = before?.unseen?.filter((part) => !answers.has(idOf(part)));
      // Another process may have done this meanwhile.
      if (before === undefined || left === undefined || left.length === before.unseen?.length) return before;
      [seen, missing] = [
        before.unseen?.filter((part) => answers.get(idOf(part)) === true) ?? [],
        before.unseen?.filter((part) => answers.get(idOf(part)) === false) ?? [],
      ];
      const again = missing.filter((part) => part.times < MOST_TIMES).map(withoutTime);
      const isGivenUp = missing.some(({ what, times }) => what === "snapshot" && times >= MOST_TIMES);
      after = {
        ...before,
        isNeverShown: isGivenUp || before.isNeverShown,
        unseen: listOrNone(left),
        waiting: listOrNone([...again, ...(before.waiting ?? [])]),
      };
      return after;
    });
  } catch (error) {
    run.onFailure("session state", error); // tried again at the next event
    return state;
  }
  record(run, moment, state, seen, missing);
  return after;
}

/** A resume replays the snapshot, so missing parts of it no longer wait; they count as unseen again. */
export function withReplayed(state: SessionState, moment: ResumeMoment): SessionState {
  const { waiting = [] } = state;
  const replayed = [state.snapshot?.text, ...(state.snapshot?.more ?? [])].join("\n");
  const isAgain = ({ what, text, times }: WaitingPart) =>
    what === "snapshot" && times !== undefined && replayed.includes(text);
  const again = waiting.filter(isAgain);
  if (again.length === 0) return state;
  const left = waiting.filter((part) => !isAgain(part));
  return { ...state, waiting: listOrNone(left), unseen: unseenAfter(state, moment, again) };
}

function record(
  run: MomentRun,
  moment: Moment,
  state: SessionState,
  seen: readonly UnseenPart[],
  missing: readonly UnseenPart[],
): void {
  if (seen.length + missing.length === 0) return;
  const fingerprints = (parts: readonly UnseenPart[]) => parts.map(({ text }) => fingerprint(text));
  run.recordInLedger(moment, state, {
    kind: "looked",
    seen: fingerprints(seen),
    missing: fingerprints(missing),
  });
  if (missing.some(({ times }) => times >= MOST_TIMES))
    run.onFailure(
      "transcript",
      new ContinuoError(
        "never-shown",
        `${MOST_TIMES} times the agent's transcript did not show what it was given`,
        {
          hint: "the agent did not wait for the hook, or keeps its sessions in a new form: see continuo why",
        },
      ),
    );
}

/** What ended before this moment, so that the transcript must contain it completely. */
function whatIsOver(moment: Moment): "request" | "turn" | "process" {
  if (moment.name === "resume" || moment.name === "end") return "process";
  if (moment.name !== "prompt") return "request";
  return moment.afterResume === true ? "process" : "turn";
}

function idOf({ at, text }: UnseenPart): string {
  return `${at} ${fingerprint(text)}`;
}

function withoutTime({ at: _, ...part }: UnseenPart): WaitingPart {
  return part;
}
