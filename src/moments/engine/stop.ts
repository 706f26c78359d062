import { quote } from "../../compose/escape.ts";
import { closing, opening } from "../../compose/render.ts";
import { tellPerson } from "../delivery/start-lines.ts";
import { lookForUnseen } from "../delivery/unseen.ts";
import type { Verdict } from "../ports/source.ts";
import { gather, stricter } from "../run/gather.ts";
import { type MomentRun, stateAfter } from "../run/moment-run.ts";
import type { SessionState } from "../state/session-state.ts";
import type { EndMoment, IdleMoment } from "../types.ts";
import { hasMissedFiles, withMissed } from "../working-set.ts";

/** Longer than any model's message. */
const MAX_ANSWER = 1_000_000;

/** Handles the agent going idle. Returns a verdict if a source refuses the stop. */
export async function stop(run: MomentRun, given: IdleMoment): Promise<Verdict | undefined> {
  const { answer, isAfterRefusal } = given;
  const file = run.stateOf(given);
  const mayRefuse =
    run.canRefuseStop === true &&
    given.session.parent === undefined &&
    !(isAfterRefusal ?? file.read()?.isStopRefused === true);
  const moment: IdleMoment = {
    ...given,
    answer: answer?.slice(0, MAX_ANSWER),
    isAfterRefusal: mayRefuse ? undefined : true,
    isYoung: isYoung(file.read(), given.at) || undefined,
  };
  const refusalOf = ({ state, verdict }: Closed): Verdict | undefined => {
    if (!mayRefuse || state === undefined || verdict?.action !== "deny") return undefined;
    // Wrapped in Continuo's block, because hosts put the message where a user's words would be. Short, because some
    // hosts show it.
    const message = `${opening("addition")}${quote(verdict.message)}${closing("addition")}`;
    return { action: "deny", message };
  };
  const { onStopDecided, signal } = run;
  const decided = (closed: Closed) =>
    onStopDecided?.({ text: "", verdict: refusalOf(closed), notices: [...run.notices] });
  const refusal = refusalOf(await close(run, moment, decided));
  if (refusal === undefined) return undefined;
  signal?.throwIfAborted();
  // Saved first, because the agent must be able to stop the next time.
  try {
    await file.update((before) => before && { ...before, isStopRefused: true });
  } catch (error) {
    if (isAfterRefusal === undefined) throw error;
    run.onFailure("session state", error); // at the next stop the host itself says that the last one was refused
  }
  return refusal;
}

/** Programs that answer one prompt are usually done by then. */
const YOUNG_MS = 60_000;

function isYoung(state: SessionState | undefined, at: number): boolean {
  return state !== undefined && at - Date.parse(state.startedAt) < YOUNG_MS;
}

interface Closed {
  /** The state before. */
  readonly state: SessionState | undefined;
  /** The verdict of sources that guard: only these may refuse. */
  readonly verdict: Verdict | undefined;
}

/** For moments that deliver nothing: sources update their memos, write to the ledger, and send lines to the user. */
export async function close(
  run: MomentRun,
  ended: IdleMoment | EndMoment,
  onDecided: (closed: Closed) => void = () => undefined,
): Promise<Closed> {
  const file = run.stateOf(ended);
  const now = await lookForUnseen(run, ended);
  const moment = withMissed(ended, now);
  let isSaved = hasMissedFiles(moment);
  if (isSaved) await file.update((before) => before && stateAfter(moment, before, NOTHING_GATHERED));
  let verdict: Verdict | undefined;
  const notices: string[] = [];
  const lastToDecide = run.sources.findLast(({ guard }) => guard !== undefined);
  // In sequence, so that a quick source's memo is saved before a slow one begins: the host may exit meanwhile.
  for (const source of run.sources) {
    // In a long-running process, let the host's own work run in between.
    if (run.isOwnProcess !== true) await new Promise((resolve) => setImmediate(resolve));
    const gathered = await gather(run, moment, now, { sources: [source] });
    if (source.guard !== undefined) verdict = stricter(verdict, gathered.verdict);
    notices.push(...gathered.notices);
    if (source === lastToDecide) {
      tellPerson(run, moment, notices.splice(0));
      onDecided({ state: now, verdict });
    }
    if (now === undefined) continue;
    if (gathered.remember.size > 0) {
      // A memo that cannot be saved is reported, and does not keep the verdict from the host.
      await file
        .update((before) => before && stateAfter(ended, before, gathered))
        .catch((error: unknown) => run.onFailure("session state", error));
      isSaved = true;
    }
    for (const entry of gathered.ledgerEntries(NOTHING_DELIVERED)) run.recordInLedger(moment, now, entry);
  }
  tellPerson(run, moment, notices);
  if (now === undefined || ended.session.parent !== undefined) return { state: now, verdict };
  // The idle time is usually saved together with the sources' memos.
  if (!isSaved) await file.update((before) => before && stateAfter(ended, before, NOTHING_GATHERED));
  return { state: now, verdict };
}

const NOTHING_GATHERED = { remember: new Map<string, (memo: unknown) => unknown>(), complete: false };
const NOTHING_DELIVERED: ReadonlySet<string> = new Set();
