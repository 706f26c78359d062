import type { Composition } from "../compose/compose.ts";
import { renderHandover } from "../compose/handover.ts";
import { opening, openingOf } from "../compose/render.ts";
import { sizeOf } from "../compose/room.ts";
import { isMachineMade, stripInjected } from "../compose/strip.ts";
import { redact } from "../store/redact.ts";
import { add, beginEpoch, composeSnapshot, giveWaiting, handoverLimits, healthNote } from "./delivery.ts";
import { giveFurther } from "./further-entry.ts";
import { judge } from "./judge.ts";
import { createKeeper, type EngineOptions, iso, type Keeper, seen } from "./keeper.ts";
import type { Verdict } from "./ports/source.ts";
import type { SessionState } from "./state/session-state.ts";
import { whatWasKept } from "./summary.ts";
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
} from "./types.ts";

export type { EngineOptions } from "./keeper.ts";

/** One function per moment. What they return is the exact text to deliver; empty means that there is none. */
export interface Engine {
  start(moment: StartMoment): Promise<string>;
  resume(moment: ResumeMoment): Promise<string>;
  prompt(moment: PromptMoment): Promise<string>;
  tool(moment: ToolMoment): Promise<string>;
  /** Text for the host's summariser. */
  compacting(moment: CompactingMoment): Promise<string>;
  compacted(moment: CompactedMoment): Promise<string>;
  idle(moment: IdleMoment): Promise<void>;
  end(moment: EndMoment): Promise<void>;
  /** What the host's summariser wrote, once it is known: the ledger then says what it kept. */
  summarised(moment: CompactedMoment, summary: string): Promise<void>;
  /** Before a tool call: may it go ahead? undefined when nobody objects. */
  guard(moment: ToolMoment): Promise<Verdict | undefined>;
  /** For a further hook entry of the same event: the next part that waits. */
  further(moment: Moment, entry: number): Promise<string>;
  /** What `start` would deliver, without writing anything. */
  preview(moment: StartMoment): Promise<Composition>;
}

/** A state is read at every moment: what is in it must stay small. */
const LONGEST_SUMMARY = 8_000;

export function createEngine(options: EngineOptions): Engine {
  const keeper = createKeeper(options);
  return {
    async start(moment) {
      // Two installations, or a host that fires twice, must not deliver twice.
      return keeper.stateOf(moment).read()?.snapshot
        ? giveWaiting(keeper, moment)
        : beginEpoch(keeper, moment);
    },
    async resume(moment) {
      const state = keeper.stateOf(moment).read();
      if (moment.kept !== true && state?.owed === true)
        return beginEpoch(keeper, { ...moment, name: "compacted" });
      if (moment.kept !== true && !state?.snapshot) return beginEpoch(keeper, moment);
      await markResumed(keeper, moment);
      if (state !== undefined) keeper.markParts(moment, state);
      if (moment.kept === true || !state?.snapshot) return "";
      if (state.snapshot.text !== "") {
        keeper.note(moment, state, { kind: "replayed", fingerprint: state.snapshot.fingerprint });
      }
      return state.snapshot.text;
    },
    async prompt(moment) {
      const prompt = stripInjected(moment.prompt);
      if (isMachineMade(prompt)) return "";
      const state = keeper.stateOf(moment).read();
      // We were installed in mid-session, or the start failed: the thread begins now.
      if (state === undefined || state.epoch === 0)
        return beginEpoch(keeper, { ...moment, name: "start", prompt });
      const said = { ...moment, prompt, afterResume: moment.afterResume === true || state.resumed === true };
      return isOwed(state, moment) ? renew(keeper, said, state) : add(keeper, said);
    },
    async tool(moment) {
      const state = keeper.stateOf(moment).read();
      return isOwed(state, moment) ? renew(keeper, moment, state) : add(keeper, moment);
    },
    async compacting(moment) {
      const state = keeper.stateOf(moment).read();
      const gathered = await keeper.ask(moment, state);
      if (state !== undefined) {
        // One that was owed before is owed still, should this compaction not come about.
        const owed = (before: SessionState) => before.owed === true || moment.endsEpoch === true;
        await keeper.stateOf(moment).update((before) => {
          if (before === undefined) return before;
          // A second compaction within seconds looks the same to hook entries: they wait for its own first one.
          const { turn: _, ...rest } = before;
          return { ...rest, compacting: true, owed: owed(before) };
        });
        keeper.note(moment, state, { kind: "compacting", trigger: moment.trigger });
        keeper.markParts(moment, state);
      }
      const limits = handoverLimits(keeper);
      return renderHandover(gathered.sections, (state?.snapshot?.text ?? "") !== "", limits);
    },
    compacted: (moment) => beginEpoch(keeper, moment),
    async idle(moment) {
      await close(keeper, moment);
    },
    async end(moment) {
      const state = await close(keeper, moment);
      if (state === undefined) return;
      keeper.note(moment, state, { kind: "ended", why: moment.why });
      keeper.markParts(moment, state);
    },
    async summarised(moment, summary) {
      const file = keeper.stateOf(moment);
      const state = file.read();
      if (state === undefined) return;
      keeper.note(moment, state, { kind: "summarised", ...whatWasKept(summary, state) });
      const kept = { text: redact(summary).slice(0, LONGEST_SUMMARY), at: iso(moment.at) };
      await file.update((before) => {
        if (before === undefined) return before;
        // Still announced: the host has compacted, and the moment that should have begun the epoch failed. Nothing of
        // ours is left in front of the model; the next prompt or tool call begins it.
        const owed = before.compacting === true ? { owed: true, compacting: false } : {};
        return { ...before, summary: kept, ...owed };
      });
    },
    guard: (moment) => judge(keeper, moment),
    further: (moment, entry) => giveFurther(keeper, moment, entry),
    async preview(moment) {
      const { sections } = await keeper.ask(moment, undefined, true);
      return composeSnapshot(keeper, sections, healthNote(keeper));
    },
  };
}

/** A compaction took our texts away, and no moment of its own put them back. */
function isOwed(state: SessionState | undefined, moment: PromptMoment | ToolMoment): boolean {
  if (state === undefined || state.epoch === 0) return false;
  if (state.owed === true || state.snapshot === null) return true;
  const first = firstOpening(state);
  return first !== undefined && moment.stillHolds?.(first, Date.parse(state.snapshot.at)) === false;
}

/** Seen in the conversation, not announced: however soon after the last one, it is a compaction of its own. */
function seenGone(state: SessionState | undefined): { goneEpoch?: number } {
  return state === undefined || state.owed === true || state.snapshot === null
    ? {}
    : { goneEpoch: state.epoch };
}

/** With what the texts of this epoch begin; undefined when nothing was delivered in it. */
function firstOpening(state: SessionState): string | undefined {
  if (state.snapshot?.text) return openingOf(state.snapshot.text);
  return Object.keys(state.delivered).length > 0 ? opening("addition") : undefined;
}

/**
 * The compaction's epoch begins with an event that may have something to add of its own. Sources are asked for both at
 * once: one after the other could last past the deadline, and the state would say that a snapshot was delivered which
 * nobody got. For the same reason a failure to add costs only the addition.
 */
async function renew(
  keeper: Keeper,
  moment: PromptMoment | ToolMoment,
  state: SessionState | undefined,
): Promise<string> {
  const [snapshot, gathered] = await Promise.all([
    beginEpoch(keeper, { ...moment, name: "compacted", ...seenGone(state) }),
    keeper.ask(moment, keeper.stateOf(moment).read()),
  ]);
  try {
    const { room } = keeper.options;
    const used = room === undefined ? 0 : sizeOf(snapshot, room) + 1;
    const addition = await add(keeper, moment, { gathered, used });
    return [snapshot, addition].filter((text) => text !== "").join("\n");
  } catch (error) {
    keeper.options.onTrouble(moment.name, error);
    return snapshot;
  }
}

/**
 * What there is to say about a resume is said at the next prompt: the snapshot's bytes must come back unchanged, or a
 * host that keeps them would have them twice.
 */
async function markResumed(keeper: Keeper, moment: ResumeMoment): Promise<void> {
  try {
    await keeper.stateOf(moment).update((before) => before && { ...before, resumed: true });
  } catch (error) {
    keeper.options.onTrouble("resume", error); // the replay is worth more than the mark
  }
}

/** For moments after which nothing is delivered: sources may only remember. */
async function close(keeper: Keeper, moment: IdleMoment | EndMoment): Promise<SessionState | undefined> {
  const file = keeper.stateOf(moment);
  const now = file.read();
  // One after the other: what a quick source remembers is kept before a slow one begins. The host may leave meanwhile.
  for (const source of keeper.options.sources) {
    const gathered = await keeper.ask(moment, now, false, [source]);
    if (now !== undefined && gathered.remember.size > 0)
      await file.update((before) => before && seen(moment, before, gathered));
  }
  return now;
}
