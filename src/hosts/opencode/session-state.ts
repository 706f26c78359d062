/**
 * What is known in this process about one OpenCode session, and how each event changes it. All of it can be lost: what
 * matters is on disk. Two things change independently of each other, the phase and the snapshot.
 *
 * The phase says whose the requests are, and whether the snapshot of a new epoch is owed:
 *
 *                     summariserStarted                    textCompleted
 *     conversing --------------------------> summarising ----------------> owing <----+
 *       ^     ^                                   |                          |        |
 *       |     |     stopped (it failed), unless   |          renewalStarted  |        | renewalEnded with
 *       |     |     an epoch was owed before it   |                          |        | no new snapshot
 *       |     +-----------------------------------+                          v        |
 *       +---------------------------------------------------------------- renewing ---+
 *                      renewalEnded with a new snapshot
 *
 * - `compacted`, the host's word that a compaction is done, leads to `owing` unless a request has begun the epoch already.
 * - `renewalStarted` leads to `renewing` from `conversing` too: another process may have left an epoch owed on disk.
 * - `summariserStarted` is possible in every phase. `summarising` remembers what was owed before, so a compaction that
 *   fails loses nothing. A renewal that starts or ends meanwhile changes only that.
 * - `opened` pays what is owed if the snapshot that it finds is new enough.
 *
 * The snapshot is `untried` until this process tries to open the session, `none` if that gave no snapshot, and `frozen`
 * otherwise. A frozen one also says where the model has it: in the system prompt, in a message of its own, or nowhere.
 */
import type { LastRequest } from "../../moments/types.ts";

/** The bytes of an epoch's snapshot, and when the epoch began. */
export interface Frozen {
  readonly text: string;
  readonly at: number;
  /** What was new at the compaction that began the epoch; shown after the summary. */
  readonly tail?: string;
}

export type Snapshot =
  | { readonly status: "untried" | "none" }
  | (Frozen & {
      readonly status: "frozen";
      /** Set once the system prompt contains it: it must then stay there, or the prompt cache would be lost. */
      readonly inSystemPrompt: boolean;
      readonly inOwnMessage: boolean;
    });

/**
 * `owedSince`: the time of the compaction whose epoch is owed; 0 if only the disk or a summary shows that there was
 * one.
 */
type SessionPhase =
  | { readonly name: "conversing" }
  | { readonly name: "summarising"; readonly owedSince: number | undefined }
  | { readonly name: "owing" | "renewing"; readonly owedSince: number };

export interface SessionState {
  readonly phase: SessionPhase;
  readonly snapshot: Snapshot;
  /** null: no parent; undefined: not known yet. */
  readonly parent: string | null | undefined;
  /** When the host created the session: an older message was copied from the session that this one is a fork of. */
  readonly createdAt: number | undefined;
  /** Whether the host was asked about the session since the last prompt. */
  readonly isHostAsked: boolean;
  readonly model: string | undefined;
  readonly agent: string | undefined;
  /** The user's last request. */
  readonly request: LastRequest | undefined;
  /** When the summariser last started. */
  readonly compactingAt: number;
  readonly isAutomatic: boolean;
  /** The summariser's answer, until the next epoch begins. */
  readonly summary: string;
  /** The summary after which a request began an epoch because no event had; tried once. */
  readonly caughtUpWith: string | undefined;
  /** Additions that did not fit into a tool's output; they go with the next prompt. */
  readonly held: readonly string[];
  /** The agent's last message, unless a tool call or a prompt followed. */
  readonly answer: string | undefined;
}

export const NEW_SESSION: SessionState = {
  phase: { name: "conversing" },
  snapshot: { status: "untried" },
  parent: undefined,
  createdAt: undefined,
  isHostAsked: false,
  model: undefined,
  agent: undefined,
  request: undefined,
  compactingAt: 0,
  isAutomatic: false,
  summary: "",
  caughtUpWith: undefined,
  held: [],
  answer: undefined,
};

export type SessionEvent =
  /** The host is asked about the session, and answers. */
  | { readonly type: "hostAsked" }
  | {
      readonly type: "described";
      readonly parent: SessionState["parent"];
      readonly createdAt: number | undefined;
    }
  /** The user sends a prompt; later it is known what they ask for. */
  | { readonly type: "prompted"; readonly agent: string | undefined; readonly model: string | undefined }
  | { readonly type: "requested"; readonly request: LastRequest | undefined }
  /** This process tries to open the session, and the result. */
  | { readonly type: "opening" }
  | { readonly type: "opened"; readonly frozen: Frozen | undefined }
  /** Where the model has the snapshot of the epoch that began at that time. */
  | { readonly type: "saidInSystemPrompt"; readonly at: number }
  | { readonly type: "foundInOwnMessage"; readonly at: number; readonly isThere: boolean }
  | { readonly type: "toolCalled" }
  | { readonly type: "held"; readonly texts: readonly string[] }
  | { readonly type: "heldTaken" }
  /** A compaction, from its announcement to the new epoch. */
  | { readonly type: "compactionRequested"; readonly isAutomatic: boolean }
  | { readonly type: "summariserStarted"; readonly at: number }
  | { readonly type: "textCompleted"; readonly text: string }
  | { readonly type: "compacted" }
  | { readonly type: "summarySeen"; readonly id: string }
  | { readonly type: "renewalStarted" }
  | { readonly type: "renewalEnded"; readonly frozen: Frozen | undefined }
  /** The session is idle, or stopped by an error. */
  | { readonly type: "stopped" };

export function next(state: SessionState, event: SessionEvent): SessionState {
  const { phase, snapshot } = state;
  switch (event.type) {
    case "hostAsked":
      return { ...state, isHostAsked: true };
    case "described":
      return { ...state, parent: event.parent, createdAt: event.createdAt };
    case "prompted":
      return { ...state, isHostAsked: false, agent: event.agent, model: event.model, answer: undefined };
    case "requested":
      return { ...state, request: event.request };
    case "opening":
      return snapshot.status === "untried" ? { ...state, snapshot: { status: "none" } } : state;
    case "opened":
      return {
        ...state,
        snapshot: event.frozen === undefined ? { status: "none" } : freeze(snapshot, event.frozen),
        phase: paid(phase, snapshot, event.frozen),
      };
    case "saidInSystemPrompt":
      return isFrozenAt(snapshot, event.at)
        ? { ...state, snapshot: { ...snapshot, inSystemPrompt: true } }
        : state;
    case "foundInOwnMessage":
      return isFrozenAt(snapshot, event.at)
        ? { ...state, snapshot: { ...snapshot, inOwnMessage: event.isThere } }
        : state;
    case "toolCalled":
      return { ...answered(state, false), answer: undefined };
    case "held":
      return { ...state, held: [...state.held, ...event.texts] };
    case "heldTaken":
      return { ...state, held: [] };
    case "compactionRequested":
      return { ...state, isAutomatic: event.isAutomatic };
    case "summariserStarted":
      return {
        ...state,
        compactingAt: event.at,
        phase: { name: "summarising", owedSince: owedSince(phase) },
      };
    case "textCompleted":
      // Text counts as the answer until a tool call follows it.
      if (phase.name !== "summarising") return { ...answered(state, true), answer: event.text };
      return { ...state, summary: event.text, phase: { name: "owing", owedSince: state.compactingAt } };
    case "compacted":
      if (phase.name === "owing" || phase.name === "renewing") {
        // A renewal in progress may have begun before this compaction: then its snapshot does not settle this one.
        const since = needsEpoch(state) ? Math.max(phase.owedSince, state.compactingAt) : phase.owedSince;
        return { ...state, phase: { ...phase, owedSince: since } };
      }
      if (!needsEpoch(state)) return { ...state, phase: { name: "conversing" } };
      return { ...state, phase: { name: "owing", owedSince: state.compactingAt } };
    case "summarySeen":
      return { ...state, caughtUpWith: event.id };
    case "renewalStarted": {
      const name = phase.name === "summarising" ? "summarising" : "renewing";
      // The new snapshot contains everything that was held.
      return { ...state, summary: "", held: [], phase: { name, owedSince: owedSince(phase) ?? 0 } };
    }
    case "renewalEnded": {
      const after = paid(phase, snapshot, event.frozen);
      return {
        ...state,
        snapshot: event.frozen === undefined ? snapshot : freeze(snapshot, event.frozen),
        phase: after.name === "renewing" ? { ...after, name: "owing" } : after,
      };
    }
    case "stopped":
      return { ...state, phase: withoutSummariser(phase) };
  }
}

/** Whether the last compaction came after the snapshot. A request can arrive before the host's event. */
export function needsEpoch({ snapshot, compactingAt }: SessionState): boolean {
  return snapshot.status !== "frozen" || snapshot.at < compactingAt;
}

/** Whether the frozen snapshot was composed after the summary, and so repeats what the summary dropped. */
export function isOfThisEpoch({ snapshot }: SessionState, summaryAt: number): boolean {
  return snapshot.status === "frozen" && snapshot.at >= summaryAt;
}

/** The frozen snapshot; undefined if there is none. */
export function frozenIn({ snapshot }: SessionState) {
  return snapshot.status === "frozen" ? snapshot : undefined;
}

function owedSince(phase: SessionPhase): number | undefined {
  return phase.name === "conversing" ? undefined : phase.owedSince;
}

/** The phase once this snapshot exists: nothing is owed any more if it was made after the compaction. */
function paid(phase: SessionPhase, before: Snapshot, frozen: Frozen | undefined): SessionPhase {
  const since = owedSince(phase);
  if (since === undefined || frozen === undefined) return phase;
  if (isFrozenAt(before, frozen.at) || frozen.at < since) return phase;
  return phase.name === "summarising" ? { ...phase, owedSince: undefined } : { name: "conversing" };
}

/** After a failed compaction, requests are conversations again. */
function withoutSummariser(phase: SessionPhase): SessionPhase {
  if (phase.name !== "summarising") return phase;
  const { owedSince } = phase;
  return owedSince === undefined ? { name: "conversing" } : { name: "owing", owedSince };
}

function isFrozenAt(snapshot: Snapshot, at: number): snapshot is Snapshot & { readonly status: "frozen" } {
  return snapshot.status === "frozen" && snapshot.at === at;
}

/** An epoch that is read again keeps its places in the conversation; a new one has none yet. */
function freeze(before: Snapshot, frozen: Frozen): Snapshot {
  if (isFrozenAt(before, frozen.at)) return { ...before, ...frozen };
  return { status: "frozen", ...frozen, inSystemPrompt: false, inOwnMessage: false };
}

function answered(state: SessionState, isAnswered: boolean): SessionState {
  const { request } = state;
  return request === undefined ? state : { ...state, request: { ...request, answered: isAnswered } };
}
