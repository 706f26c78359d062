import { fingerprint } from "../../base/fingerprint.ts";
import { type Composition, compose } from "../../compose/compose.ts";
import { markReported, pendingNote } from "../../store/health.ts";
import { noticeProject } from "../project/project-notice.ts";
import { type Gathered, gather } from "../run/gather.ts";
import { iso, type MomentRun, stateAfter } from "../run/moment-run.ts";
import { correctedBy, hashesOf, keysOf, undelivered } from "../state/delivered-items.ts";
import type { SessionState } from "../state/session-state.ts";
import type {
  CompactedMoment,
  Moment,
  PromptMoment,
  ResumeMoment,
  StartMoment,
  ToolMoment,
} from "../types.ts";
import { hasMissedFiles, touchedAt } from "../working-set.ts";
import { addedLine } from "./added-line.ts";
import { composeSnapshot, keptSections, limitsOf, sectionsToStore } from "./compose-snapshot.ts";
import { recordLoss } from "./loss-report.ts";
import { givenAfter, startLines, tellPerson } from "./start-lines.ts";
import { type Taken, takeFirst, waitingParts, withCost } from "./waiting-parts.ts";

/** Begins an epoch at a start, at a resume without a snapshot, or after a compaction: composes, stores and delivers. */
export async function beginEpoch(
  run: MomentRun,
  moment: StartMoment | ResumeMoment | CompactedMoment,
): Promise<string> {
  const file = run.stateOf(moment);
  const [gathered, ofProject] = await Promise.all([
    gather(run, moment, file.read()),
    projectLines(run, moment),
  ]);
  let begun: { before: SessionState | undefined; made: Composition; taken: Taken } | undefined;
  await file.update((before) => {
    if (isBegun(moment, before)) return before;
    run.signal?.throwIfAborted();
    const compaction = moment.name === "compacted" ? { moment, before } : undefined;
    const again = moment.name === "compacted" ? keptSections(run, moment, before, gathered.failed) : [];
    const { made, parts, ...kept } = composeSnapshot(run, [...gathered.sections, ...again], compaction);
    const fresh: SessionState = {
      ...stateAfter(moment, before, gathered),
      epoch: (before?.epoch ?? 0) + 1,
      begunBy: moment.name,
      compacting: false,
      owed: false,
      shown: 0,
      delivered: hashesOf(made),
      given: givenAfter(undefined, made),
      // Parts of the previous epoch are dropped, and no transcript has to show them.
      waiting: undefined,
      unseen: undefined,
      turn: undefined,
      corrected: undefined,
    };
    const taken = withCost(takeFirst(moment, fresh, parts, run.room), run.meterOf(moment).own());
    const text = textOf({ ...taken, shown: taken.shown.filter((part) => part.what === "snapshot") });
    const sections = sectionsToStore(made, run);
    const snapshot = { text, fingerprint: made.fingerprint, at: iso(moment.at), sections, ...kept };
    begun = { before, made, taken: { ...taken, state: { ...taken.state, snapshot } } };
    return begun.taken.state;
  });
  if (begun === undefined) return deliverWaiting(run, moment);
  const { before, made, taken } = begun;
  if (moment.name === "compacted") recordLoss(run, moment, before, taken.state, made);
  recordSourceEntries(run, moment, gathered, taken.state, made);
  recordShown(run, moment, taken);
  if (moment.session.parent === undefined && !run.config.quiet) {
    const failures = failuresFor(run);
    run.attempt("notice", () => {
      run.notices.push(
        ...startLines(run.home, moment, made, [...ofProject, ...gathered.notices, ...failures]),
      );
    });
    if (failures.length > 0) run.attempt("health", () => markReported(run.home, moment.at));
  }
  return textOf(taken);
}

async function projectLines(run: MomentRun, moment: Moment): Promise<string[]> {
  const { home, env, config, showsNotices = true } = run;
  if (moment.name !== "start" || moment.session.parent !== undefined) return [];
  const options = { home, env, settings: config.projects, isShown: showsNotices && !config.quiet };
  return noticeProject(moment.project, options, (error) => run.onFailure("project", error));
}

/** For an event without a text of its own: delivers the waiting parts that fit. */
export async function deliverWaiting(run: MomentRun, moment: Moment): Promise<string> {
  const file = run.stateOf(moment);
  const isWanted = (state: SessionState | undefined) =>
    state !== undefined && (moment.occurrence !== undefined || (state.waiting ?? []).length > 0);
  if (!isWanted(file.read())) return "";
  let taken: Taken | undefined;
  await file.update((before) => {
    if (before === undefined || !isWanted(before)) return before;
    taken = withCost(takeFirst(moment, before, [], run.room), run.meterOf(moment).own());
    return taken.state;
  });
  if (taken === undefined) return "";
  recordShown(run, moment, taken);
  return textOf(taken);
}

/**
 * Delivers what became relevant inside an epoch and was not yet delivered in it. `now`: the state as read at this
 * moment. `after`: the same output already contains a snapshot, so the sources have answered and `used` of the room is
 * taken.
 */
export async function add(
  run: MomentRun,
  moment: PromptMoment | ToolMoment,
  now: SessionState | undefined,
  after?: { readonly gathered: Gathered; readonly used: number },
): Promise<string> {
  const { config, signal, room } = run;
  const gathered = after?.gathered ?? (await gather(run, moment, now));
  const touched =
    hasMissedFiles(moment) ||
    touchedAt(moment).length > 0 ||
    (moment.name === "prompt" && moment.afterResume === true);
  const isNews = (state: SessionState | undefined) =>
    touched ||
    gathered.remember.size > 0 ||
    (state?.waiting ?? []).length > 0 ||
    undelivered(gathered.sections, state).length > 0;
  if (!isNews(now)) {
    tellPerson(run, moment, gathered.notices);
    return ""; // the usual case: no lock, nothing written
  }
  let added: { made: Composition; taken: Taken } | undefined;
  await run.stateOf(moment).update((before) => {
    if (!isNews(before)) return before;
    signal?.throwIfAborted();
    const state = stateAfter(moment, before, gathered);
    // Before the snapshot only the state changes: what applies now will be in the snapshot.
    if (state.snapshot === null) return withCost({ state, shown: [] }, run.meterOf(moment).own()).state;
    const limits = limitsOf(run, Math.min(config.additionLimit, config.tokenLimit));
    const made = compose("addition", undelivered(gathered.sections, before), limits);
    const known = {
      ...state,
      delivered: { ...state.delivered, ...hashesOf(made) },
      given: givenAfter(state.given, made),
      corrected: correctedBy(made, state),
    };
    const first = takeFirst(moment, known, waitingParts(made, "addition"), room, after?.used);
    // After a snapshot in the same output, this moment is already counted.
    added = { made, taken: withCost(first, after === undefined ? run.meterOf(moment).own() : undefined) };
    return added.taken.state;
  });
  const line = added === undefined ? [] : addedLine(moment, added.made);
  tellPerson(run, moment, [...line, ...gathered.notices]);
  if (added === undefined) return "";
  recordSourceEntries(run, moment, gathered, added.taken.state, added.made);
  recordShown(run, moment, added.taken);
  return textOf(added.taken);
}

/** Writes what sources want to record about their items to the ledger and to the host's file. */
function recordSourceEntries(
  run: MomentRun,
  moment: Moment,
  gathered: Gathered,
  state: SessionState,
  made: Composition,
): void {
  const { onHostNote } = run;
  const delivered = keysOf(made);
  for (const entry of gathered.ledgerEntries(delivered)) run.recordInLedger(moment, state, entry);
  if (onHostNote !== undefined)
    run.attempt("host notes", () => gathered.hostNotes(delivered).forEach(onHostNote));
}

/** Records the parts that this output shows, and marks for further hook entries whether more parts are waiting. */
export function recordShown(run: MomentRun, moment: Moment, { state, shown, spent }: Taken): void {
  shown.forEach(({ what, text, tokens, items, dropped = [] }, i) => {
    run.recordInLedger(moment, state, {
      kind: "delivered",
      what,
      tokens,
      fingerprint: fingerprint(text),
      moment: moment.name,
      tool: "tool" in moment ? moment.tool.name : undefined,
      items,
      dropped,
      spent: i > 0 ? undefined : spent,
    });
    run.keepText(moment, state, what, text);
  });
  run.markParts(moment, state);
}

export function textOf({ shown }: Taken): string {
  return shown.map((part) => part.text).join("\n");
}

/** Two hooks for one event, or two processes at once, count as one start or one compaction. */
const SAME_COMPACTION_MS = 10_000;

function isBegun(
  moment: StartMoment | ResumeMoment | CompactedMoment,
  before: SessionState | undefined,
): boolean {
  if (!before?.snapshot) return false;
  if (moment.name !== "compacted") return true;
  // If several processes notice the same compaction, the first one begins the epoch.
  if (moment.goneEpoch !== undefined) return before.epoch !== moment.goneEpoch;
  if (before.compacting === true || before.owed === true || before.begunBy !== "compacted") return false;
  // No compaction was announced since the last epoch began. Real ones are announced, and rarely follow each other so
  // quickly.
  return Math.abs(moment.at - Date.parse(before.snapshot.at)) < SAME_COMPACTION_MS;
}

/** Failures are shown to the user; if a host shows none of Continuo's lines, `status` and `doctor` do. */
function failuresFor({ home, showsNotices, onFailure }: MomentRun): string[] {
  try {
    const note = showsNotices === true ? pendingNote(home) : undefined;
    return note === undefined ? [] : [note];
  } catch (error) {
    onFailure("health", error);
    return [];
  }
}
