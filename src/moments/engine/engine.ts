import { fingerprint } from "../../base/fingerprint.ts";
import { type Composition, renderHandover } from "../../compose/compose.ts";
import { opening, openingOf } from "../../compose/render.ts";
import { sizeOf } from "../../compose/room.ts";
import { isMachineMade, stripInjected } from "../../compose/strip.ts";
import { countTokens } from "../../compose/tokens.ts";
import { thisProcess } from "../../store/host-process.ts";
import { redact } from "../../store/redact.ts";
import { composeSnapshot } from "../delivery/compose-snapshot.ts";
import { add, beginEpoch, deliverWaiting } from "../delivery/deliver.ts";
import { afterReplay } from "../delivery/delivered-items.ts";
import { deliverFurther } from "../delivery/further-entries.ts";
import { handoverLimits } from "../delivery/limits.ts";
import { compareSummary } from "../delivery/loss-report.ts";
import { recordUndelivered } from "../delivery/undelivered.ts";
import { lookForUnseen, withReplayed } from "../delivery/unseen.ts";
import type { Verdict } from "../ports/source.ts";
import { workAfter } from "../state/activity.ts";
import { pruneGivenTexts } from "../state/given-texts.ts";
import type { SessionState } from "../state/session-state.ts";
import { plus, type Spent } from "../state/spent.ts";
import type {
  CompactedMoment,
  CompactingMoment,
  EndMoment,
  IdleMoment,
  Moment,
  PromptMoment,
  ResumeMoment,
  StartMoment,
  ToolMoment,
} from "../types.ts";
import { askGuards } from "./guards.ts";
import { withMissed } from "./missed.ts";
import { createMomentRun, type EngineOptions, iso, type MomentRun } from "./moment-run.ts";
import { close, stop } from "./stop.ts";

export type { EngineOptions } from "./moment-run.ts";

/** One function per moment. Each returns the exact text to deliver; empty if there is none. */
export interface Engine {
  start(moment: StartMoment): Promise<string>;
  resume(moment: ResumeMoment): Promise<string>;
  prompt(moment: PromptMoment): Promise<string>;
  tool(moment: ToolMoment): Promise<string>;
  /** Text for the host's summariser. */
  compacting(moment: CompactingMoment): Promise<string>;
  compacted(moment: CompactedMoment): Promise<string>;
  /** A verdict if the agent's stop is refused: its message is for the model. */
  idle(moment: IdleMoment): Promise<Verdict | undefined>;
  end(moment: EndMoment): Promise<void>;
  /** After `idle` or `end`: makes what the next start of this project needs, as far as this time allows. */
  prepare(moment: IdleMoment | EndMoment, limitMs: number): Promise<void>;
  /** Takes the host's summary once it is known, and records in the ledger what it kept. */
  summarised(moment: CompactedMoment, summary: string): Promise<void>;
  /** Asked before a tool call. undefined if no guard objects. */
  guard(moment: ToolMoment): Promise<Verdict | undefined>;
  /** For a further hook entry of the same event: the next waiting part. */
  further(moment: Moment, entry: number): Promise<string>;
  /** Called when a moment is answered: what it cost is kept in memory if the moment wrote nothing. */
  finished(moment: Moment): void;
  /** What `start` would deliver. Only indexes of files are written. */
  preview(moment: StartMoment): Promise<Composition>;
}

/** The state is read at every moment, so it must stay small. */
const MAX_SUMMARY = 8_000;

export function createEngine(options: EngineOptions): Engine {
  const run = createMomentRun(options);
  return {
    async start(moment) {
      // Two installations, or a host that fires twice, must not deliver twice.
      return run.stateOf(moment).read()?.snapshot ? deliverWaiting(run, moment) : beginEpoch(run, moment);
    },
    async resume(moment) {
      const state = await lookForUnseen(run, moment);
      if (moment.kept !== true && state?.owed === true)
        return beginEpoch(run, { ...moment, name: "compacted" });
      if (moment.kept !== true && !state?.snapshot) return beginEpoch(run, moment);
      const isReplayed = moment.kept !== true && Boolean(state?.snapshot?.text);
      const spent = await markResumed(run, moment, isReplayed);
      if (state !== undefined) run.markParts(moment, state);
      if (moment.kept === true || !state?.snapshot) return "";
      const { text } = state.snapshot;
      // Its text is kept since it was first given.
      if (text !== "")
        run.recordInLedger(moment, state, {
          kind: "replayed",
          fingerprint: state.snapshot.fingerprint,
          ...(spent === undefined ? {} : { spent }),
        });
      return text;
    },
    async prompt(moment) {
      const prompt = stripInjected(moment.prompt);
      if (isMachineMade(prompt)) return "";
      const state = await lookForUnseen(run, moment);
      // Continuo was installed in the middle of a session, or the start failed: the first epoch begins now.
      if (state === undefined || state.epoch === 0)
        return beginEpoch(run, { ...moment, name: "start", prompt });
      await recordPrompt(run, moment);
      const afterResume = moment.afterResume === true || state.resumed === true;
      const typed = { ...withMissed(moment, state), prompt, afterResume };
      if (needsSnapshot(state, moment)) return renew(run, typed, state);
      // Some hosts send the reason for a refused stop as a prompt.
      const isTyped = prompt.trim() !== "" || moment.prompt.trim() === "";
      return isTyped ? add(run, typed, state) : "";
    },
    async tool(called) {
      const state = await lookForUnseen(run, called);
      const moment = withMissed(called, state);
      // As at a prompt. A call from the past has files only: the snapshot that follows is to know them.
      const isNew = state === undefined || state.epoch === 0;
      if (isNew && moment.isPast !== true) return beginAt(run, moment, "start");
      return needsSnapshot(state, moment) ? renew(run, moment, state) : add(run, moment, state);
    },
    async compacting(moment) {
      const state = run.stateOf(moment).read();
      const gathered = await run.ask(moment, state);
      if (state !== undefined) {
        // If this compaction does not happen, a snapshot that was owed before is still owed.
        const owed = (before: SessionState) => before.owed === true || moment.endsEpoch === true;
        await run.stateOf(moment).update((before) => {
          if (before === undefined) return before;
          // A second compaction within seconds looks the same to further hook entries: they wait for its first entry.
          const { turn: _, ...rest } = before;
          const spent = plus(before.spent, run.meterOf(moment).own());
          const cost = spent === undefined ? {} : { spent };
          return { ...rest, compacting: true, owed: owed(before), ...cost };
        });
        run.markParts(moment, state);
      }
      const hasBlocks = moment.isWithoutBlocks !== true && (state?.snapshot?.text ?? "") !== "";
      const sections = moment.isBrief === true ? [] : gathered.sections;
      const text = renderHandover(sections, hasBlocks, handoverLimits(run));
      if (state !== undefined) {
        const handover = text === "" ? {} : { tokens: countTokens(text), fingerprint: fingerprint(text) };
        run.recordInLedger(moment, state, { kind: "compacting", trigger: moment.trigger, ...handover });
        if (text !== "") run.keepText(moment, state, "handover", text);
      }
      return text;
    },
    compacted: (moment) => beginEpoch(run, withMissed(moment, run.stateOf(moment).read())),
    idle: (moment) => stop(run, moment),
    async end(moment) {
      const before = run.stateOf(moment).read();
      const { state } = await close(run, moment);
      if (state === undefined) return;
      // Nothing else is loaded at an end that left nothing.
      if (state.waiting !== undefined)
        run.attempt("delivery", () => recordUndelivered(run, moment, before, state));
      const spent = plus(state.spent, run.meterOf(moment).own());
      run.recordInLedger(moment, state, {
        kind: "ended",
        why: moment.why,
        ...(spent === undefined ? {} : { spent }),
      });
      run.markParts(moment, state);
    },
    async prepare(moment, limitMs) {
      // A subagent's session ends in the middle of its parent's.
      if (moment.session.parent !== undefined) return;
      const { project, at, name } = moment;
      const cwd = run.stateOf(moment).read()?.cwd ?? moment.cwd;
      run.attempt("given texts", () => pruneGivenTexts(run.options.home, at));
      await run.prepare({ project, cwd, at }, name, limitMs);
    },
    async summarised(moment, summary) {
      const file = run.stateOf(moment);
      const state = file.read();
      if (state === undefined) return;
      run.recordInLedger(moment, state, { kind: "summarised", ...compareSummary(summary, state) });
      const kept = { text: redact(summary).slice(0, MAX_SUMMARY), at: iso(moment.at) };
      await file.update((before) => {
        if (before === undefined) return before;
        // Still announced: the host has compacted, and the moment that should have begun the epoch failed. The model
        // no longer has any of Continuo's texts; the next prompt or tool call begins the epoch.
        const owed = before.compacting === true ? { owed: true, compacting: false } : {};
        return { ...before, summary: kept, ...owed };
      });
    },
    guard: (moment) => askGuards(run, moment),
    further: (moment, entry) => deliverFurther(run, moment, entry),
    finished: (moment) => run.meterOf(moment).keep(),
    async preview(moment) {
      const { sections } = await run.ask(moment, undefined, true);
      return composeSnapshot(run, sections).made;
    },
  };
}

/** Whether a compaction removed Continuo's texts and no `compacted` moment has restored them. */
function needsSnapshot(state: SessionState | undefined, moment: PromptMoment | ToolMoment): boolean {
  if (state === undefined || state.epoch === 0) return false;
  if (state.owed === true || state.snapshot === null) return true;
  if (isComing(state) || state.isNeverShown === true) return false;
  const first = firstOpening(state);
  return first !== undefined && moment.stillHolds?.(first, Date.parse(state.snapshot.at)) === false;
}

/** The conversation lacks the snapshot because the host dropped it, not because of a compaction: it comes with this event. */
function isComing({ waiting = [] }: SessionState): boolean {
  return waiting.some(({ what, times }) => what === "snapshot" && times !== undefined);
}

/** A compaction that was noticed in the conversation, not announced, is a new one however soon it follows the last. */
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
 * Begins the epoch after a compaction at an event that may have an addition of its own. Sources are asked for both at
 * once: one after the other could exceed the deadline, and the state would then record a snapshot that was never
 * delivered. For the same reason a failed addition costs only the addition.
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
    run.ask(moment, run.stateOf(moment).read()),
  ]);
  try {
    const { room } = run.options;
    const used = room === undefined ? 0 : sizeOf(snapshot, room) + 1;
    const addition = await add(run, moment, run.stateOf(moment).read(), { gathered, used });
    return [snapshot, addition].filter((text) => text !== "").join("\n");
  } catch (error) {
    run.options.onFailure(moment.name, error);
    return snapshot;
  }
}

/** From now on the agent works, also if nothing is delivered. */
async function recordPrompt(run: MomentRun, moment: PromptMoment): Promise<void> {
  const by = run.options.isAgentsProcess === true ? thisProcess() : undefined;
  try {
    await run.stateOf(moment).update((before) => before && { ...before, ...workAfter(moment, before, by) });
  } catch (error) {
    run.options.onFailure("session state", error); // what is delivered matters more
  }
}

/**
 * Anything about a resume is delivered at the next prompt: the snapshot must be replayed byte for byte, or a host that
 * kept it would have it twice.
 */
async function markResumed(
  run: MomentRun,
  moment: ResumeMoment,
  isReplayed: boolean,
): Promise<Spent | undefined> {
  let cost: Spent | undefined;
  try {
    const file = run.stateOf(moment);
    await file.update((before) => {
      if (before === undefined) return before;
      const { spent, ...rest } = before;
      cost = plus(spent, run.meterOf(moment).own());
      const isBehind = isReplayed && moment.isInPlace !== true;
      if (isReplayed)
        return {
          ...withReplayed(rest, moment),
          resumed: true,
          ...(isBehind ? { delivered: afterReplay(before) } : {}),
        };
      return { ...rest, resumed: true, ...(cost === undefined ? {} : { spent: cost }) };
    });
  } catch (error) {
    run.options.onFailure("resume", error); // replaying the snapshot matters more than this mark
  }
  return cost;
}
