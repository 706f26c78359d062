import { fingerprint } from "../../base/fingerprint.ts";
import { type Composition, renderHandover } from "../../compose/compose.ts";
import { opening, openingOf } from "../../compose/render.ts";
import { sizeOf } from "../../compose/room.ts";
import { isMachineMade, stripInjected } from "../../compose/strip.ts";
import { countTokens } from "../../compose/tokens.ts";
import { thisProcess } from "../../store/host-process.ts";
import { redact } from "../../store/redact.ts";
import { composeSnapshot, limitsOf } from "../delivery/compose-snapshot.ts";
import { add, beginEpoch, deliverWaiting } from "../delivery/deliver.ts";
import { deliverFurther } from "../delivery/further-entries.ts";
import { compareSummary } from "../delivery/loss-report.ts";
import { recordUndelivered } from "../delivery/undelivered.ts";
import { lookForUnseen, withReplayed } from "../delivery/unseen.ts";
import type { Delivery, HostEvent } from "../host-event.ts";
import type { Verdict } from "../ports/source.ts";
import { gather, prepareAll } from "../run/gather.ts";
import { createMomentRun, iso, type MomentRun } from "../run/moment-run.ts";
import type { Run } from "../run/run.ts";
import { workAfter } from "../state/activity.ts";
import { afterReplay } from "../state/delivered-items.ts";
import { pruneGivenTexts } from "../state/given-texts.ts";
import type { SessionState } from "../state/session-state.ts";
import { plus, type Spent } from "../state/spent.ts";
import type {
  CompactedMoment,
  CompactingMoment,
  EndMoment,
  Moment,
  MomentName,
  MomentOf,
  PromptMoment,
  ResumeMoment,
  StartMoment,
  ToolMoment,
} from "../types.ts";
import { withMissed } from "../working-set.ts";
import { askGuards } from "./guards.ts";
import { close, stop } from "./stop.ts";

export interface Engine {
  /** Handles an event, and returns what the host has to do. Throws if the state's file cannot be used. */
  handle(event: HostEvent): Promise<Delivery>;
  /** After `idle` or `end`: prepares what the next start of this project needs, as far as time allows. */
  prepare(moment: Moment, limitMs: number): Promise<void>;
  /** What a start would deliver. Writes nothing but indexes. */
  preview(moment: StartMoment): Promise<Composition>;
}

/** The state is read at every moment, so it must stay small. */
const MAX_SUMMARY = 8_000;

export function createEngine(given: Run): Engine {
  const run = createMomentRun(given);
  return {
    async handle(event) {
      const answer = await answerTo(run, event);
      // If the moment wrote nothing, its cost is kept in memory.
      run.meterOf(event.moment).keep();
      const delivery = typeof answer === "string" ? { text: answer } : { text: "", verdict: answer };
      const notices = run.notices.splice(0);
      return notices.length === 0 ? delivery : { ...delivery, notices };
    },
    async prepare(moment, limitMs) {
      const { project, at, name, session } = moment;
      // A subagent's session ends in the middle of its parent's.
      if ((name !== "idle" && name !== "end") || session.parent !== undefined) return;
      const cwd = run.stateOf(moment).read()?.cwd ?? moment.cwd;
      run.attempt("given texts", () => pruneGivenTexts(run.home, at));
      await prepareAll(run, { project, cwd, at }, name, limitMs);
    },
    async preview(moment) {
      const { sections } = await gather(run, moment, undefined, { readOnly: true });
      return composeSnapshot(run, sections).made;
    },
  };
}

/** The text to deliver, or a verdict if the call or the stop is refused or needs a question. */
type Answered = Promise<string | Verdict | undefined>;

/**
 * The only place that decides what to do at an event. Code that a hook seldom needs is imported only in the branch that
 * calls it.
 */
function answerTo(run: MomentRun, event: HostEvent): Answered {
  if (event.kind === "guard") return askGuards(run, event.moment);
  if (event.kind === "summary") return summarised(run, event.moment, event.summary);
  if (event.kind === "further") return deliverFurther(run, event.moment, event.entry);
  const answer = ANSWERS[event.moment.name] as (run: MomentRun, moment: Moment) => Answered;
  return answer(run, event.moment);
}

const ANSWERS: { readonly [N in MomentName]: (run: MomentRun, moment: MomentOf<N>) => Answered } = {
  // Two installations, or a host that fires twice, must not deliver twice.
  start: async (run, moment) =>
    run.stateOf(moment).read()?.snapshot ? deliverWaiting(run, moment) : beginEpoch(run, moment),
  resume,
  prompt,
  tool,
  compacting,
  compacted: async (run, moment) => beginEpoch(run, withMissed(moment, run.stateOf(moment).read())),
  idle: stop,
  end,
};

async function resume(run: MomentRun, moment: ResumeMoment): Promise<string> {
  const state = await lookForUnseen(run, moment);
  const hasKept = moment.kept === true;
  if (!hasKept && state?.owed === true) return beginEpoch(run, { ...moment, name: "compacted" });
  if (!hasKept && !state?.snapshot) return beginEpoch(run, moment);
  const isReplayed = !hasKept && Boolean(state?.snapshot?.text);
  const spent = await markResumed(run, moment, isReplayed);
  if (state !== undefined) run.markParts(moment, state);
  if (hasKept || !state?.snapshot) return "";
  const { text, fingerprint } = state.snapshot;
  // The text was recorded when it was first delivered.
  if (text !== "") run.recordInLedger(moment, state, { kind: "replayed", fingerprint, spent });
  return text;
}

async function prompt(run: MomentRun, moment: PromptMoment): Promise<string> {
  const text = stripInjected(moment.prompt);
  if (isMachineMade(text)) return "";
  const state = await lookForUnseen(run, moment);
  // Continuo was installed in the middle of a session, or the start failed: the first epoch begins now.
  if (state === undefined || state.epoch === 0)
    return beginEpoch(run, { ...moment, name: "start", prompt: text });
  await recordPrompt(run, moment);
  const afterResume = moment.afterResume === true || state.resumed === true;
  const typed = { ...withMissed(moment, state), prompt: text, afterResume };
  if (needsSnapshot(state, moment)) return renew(run, typed, state);
  // Some hosts send the reason for a refused stop as a prompt.
  const isTyped = text.trim() !== "" || moment.prompt.trim() === "";
  return isTyped ? add(run, typed, state) : "";
}

async function tool(run: MomentRun, called: ToolMoment): Promise<string> {
  const state = await lookForUnseen(run, called);
  const moment = withMissed(called, state);
  // The same as at a prompt. A past call only contributes files, so that the next snapshot knows them.
  const isNew = state === undefined || state.epoch === 0;
  if (isNew && moment.isPast !== true) return beginAt(run, moment, "start");
  return needsSnapshot(state, moment) ? renew(run, moment, state) : add(run, moment, state);
}

/** Text for the host's summariser. */
async function compacting(run: MomentRun, moment: CompactingMoment): Promise<string> {
  const file = run.stateOf(moment);
  const state = file.read();
  const gathered = await gather(run, moment, state);
  if (state !== undefined) {
    await file.update(
      (before) =>
        before && {
          ...before,
          // A second compaction within seconds looks the same to further hook entries, so reset this: they then wait
          // for its first entry.
          turn: undefined,
          compacting: true,
          // If this compaction does not happen, a snapshot that was owed before is still owed.
          owed: before.owed === true || moment.endsEpoch === true,
          spent: plus(before.spent, run.meterOf(moment).own()),
        },
    );
    run.markParts(moment, state);
  }
  const hasBlocks = moment.isWithoutBlocks !== true && (state?.snapshot?.text ?? "") !== "";
  const sections = moment.isBrief === true ? [] : gathered.sections;
  // The handover to the host's summariser has a budget too.
  const text = renderHandover(sections, hasBlocks, limitsOf(run, run.config.tokenLimit));
  if (state !== undefined) {
    const handover = text === "" ? {} : { tokens: countTokens(text), fingerprint: fingerprint(text) };
    run.recordInLedger(moment, state, { kind: "compacting", trigger: moment.trigger, ...handover });
    if (text !== "") run.keepText(moment, state, "handover", text);
  }
  return text;
}

async function end(run: MomentRun, moment: EndMoment): Promise<undefined> {
  const before = run.stateOf(moment).read();
  const { state } = await close(run, moment);
  if (state === undefined) return;
  // An end with nothing left to do loads nothing else.
  if (state.waiting !== undefined)
    run.attempt("delivery", () => recordUndelivered(run, moment, before, state));
  const spent = plus(state.spent, run.meterOf(moment).own());
  run.recordInLedger(moment, state, { kind: "ended", why: moment.why, spent });
  run.markParts(moment, state);
}

/** Records the host's summary, and in the ledger what the summary kept. */
async function summarised(run: MomentRun, moment: CompactedMoment, text: string): Promise<undefined> {
  const file = run.stateOf(moment);
  const state = file.read();
  if (state === undefined) return;
  run.recordInLedger(moment, state, { kind: "summarised", ...compareSummary(text, state) });
  const summary = { text: redact(text).slice(0, MAX_SUMMARY), at: iso(moment.at) };
  await file.update((before) => {
    if (before === undefined) return before;
    // Still announced: the host has compacted, and the moment that should have begun the epoch failed. The model
    // no longer has any of Continuo's texts; the next prompt or tool call begins the epoch.
    const owed = before.compacting === true ? { owed: true, compacting: false } : {};
    return { ...before, summary, ...owed };
  });
}

/** Whether a compaction removed Continuo's texts and no `compacted` moment has restored them. */
function needsSnapshot(state: SessionState | undefined, moment: PromptMoment | ToolMoment): boolean {
  if (state === undefined || state.epoch === 0) return false;
  if (state.owed === true || state.snapshot === null) return true;
  if (isComing(state) || state.isNeverShown === true) return false;
  const first = firstOpening(state);
  return first !== undefined && moment.stillHolds?.(first, Date.parse(state.snapshot.at)) === false;
}

/** The host dropped the snapshot without a compaction: it is delivered again at this event. */
function isComing({ waiting = [] }: SessionState): boolean {
  return waiting.some(({ what, times }) => what === "snapshot" && times !== undefined);
}

/** An unannounced compaction that was noticed in the conversation is a new one, however soon it follows the last. */
function goneEpochOf(state: SessionState | undefined): { goneEpoch?: number } {
  return state === undefined || state.owed === true || state.snapshot === null
    ? {}
    : { goneEpoch: state.epoch };
}

/** The opening tag of this epoch's first text; undefined if nothing was delivered in it. */
function firstOpening(state: SessionState): string | undefined {
  if (state.snapshot?.text) return openingOf(state.snapshot.text);
  return Object.keys(state.delivered).length > 0 ? opening("addition") : undefined;
}

/**
 * Begins the epoch after a compaction at an event that may have an addition of its own. Sources are asked for both in
 * parallel: in sequence they could exceed the deadline, and the state would then record a snapshot that was never
 * delivered. For the same reason, a failed addition costs only the addition.
 */
function renew(
  run: MomentRun,
  moment: PromptMoment | ToolMoment,
  state: SessionState | undefined,
): Promise<string> {
  return beginAt(run, { ...moment, ...goneEpochOf(state) }, "compacted");
}

async function beginAt(
  run: MomentRun,
  moment: PromptMoment | ToolMoment,
  name: "start" | "compacted",
): Promise<string> {
  const [snapshot, gathered] = await Promise.all([
    beginEpoch(run, { ...moment, name }),
    gather(run, moment, run.stateOf(moment).read()),
  ]);
  try {
    const { room } = run;
    const used = room === undefined ? 0 : sizeOf(snapshot, room) + 1;
    const addition = await add(run, moment, run.stateOf(moment).read(), { gathered, used });
    return [snapshot, addition].filter((text) => text !== "").join("\n");
  } catch (error) {
    run.onFailure(moment.name, error);
    return snapshot;
  }
}

/** Records that the agent works from now on, even if nothing is delivered. */
async function recordPrompt(run: MomentRun, moment: PromptMoment): Promise<void> {
  const by = run.isAgentsProcess === true ? thisProcess() : undefined;
  try {
    await run.stateOf(moment).update((before) => before && { ...before, ...workAfter(moment, before, by) });
  } catch (error) {
    run.onFailure("session state", error); // the delivery matters more
  }
}

/**
 * News about a resume is delivered at the next prompt: the snapshot must be replayed byte for byte, or a host that kept
 * it would have it twice.
 */
async function markResumed(
  run: MomentRun,
  moment: ResumeMoment,
  isReplayed: boolean,
): Promise<Spent | undefined> {
  let cost: Spent | undefined;
  try {
    await run.stateOf(moment).update((before) => {
      if (before === undefined) return before;
      cost = plus(before.spent, run.meterOf(moment).own());
      // The ledger's line about a replay includes the cost.
      if (!isReplayed) return { ...before, resumed: true, spent: cost };
      const delivered = moment.isInPlace === true ? before.delivered : afterReplay(before);
      return { ...withReplayed(before, moment), spent: undefined, resumed: true, delivered };
    });
  } catch (error) {
    run.onFailure("resume", error); // replaying the snapshot matters more than this mark
  }
  return cost;
}
