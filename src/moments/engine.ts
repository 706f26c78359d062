import { type Composition, compose, itemHash } from "../compose/compose.ts";
import { renderHandover } from "../compose/handover.ts";
import { isMachineMade, stripInjected } from "../compose/strip.ts";
import type { Config } from "../store/config.ts";
import type { Home } from "../store/home.ts";
import { appendLedger, type LedgerEntry, ledgerItem } from "../store/ledger.ts";
import { type SessionState, stateFile } from "../store/session-state.ts";
import { ContinuoError } from "./errors.ts";
import { type Gathered, gather } from "./gather.ts";
import type { Source } from "./source.ts";
import type {
  CompactedMoment,
  CompactingMoment,
  EndMoment,
  IdleMoment,
  Moment,
  PromptMoment,
  ResumeMoment,
  Section,
  StartMoment,
  ToolMoment,
} from "./types.ts";

export interface EngineOptions {
  readonly sources: readonly Source[];
  readonly config: Config;
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  /** The host's bound on characters of one delivery. */
  readonly maxChars?: number;
  /** Once this fires nothing is written any more: the host has gone on without us. */
  readonly signal?: AbortSignal;
  /** One line for the next snapshot when something failed unseen. */
  readonly health?: { note(): string | undefined; told(): void };
  onTrouble(where: string, error: unknown): void;
}

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
  /** What `start` would deliver, without writing anything. */
  preview(moment: StartMoment): Promise<Composition>;
}

export function createEngine(options: EngineOptions): Engine {
  const { home, config } = options;

  const fileOf = (moment: Moment) =>
    stateFile(home, moment.session, {
      lockWaitMs: config.momentDeadlineMs,
      onDamaged: (path, movedTo) =>
        options.onTrouble(
          "session state",
          new ContinuoError("state-damaged", `${path} was damaged and is kept as ${movedTo}`, {
            hint: "the session starts from a new snapshot; the damaged file may be deleted",
          }),
        ),
    });

  const ask = (moment: Moment, state: SessionState | undefined, readOnly = false) =>
    gather(options.sources, moment, {
      config,
      env: options.env,
      home: home.root,
      memos: state?.memos ?? {},
      readOnly,
      onTrouble: options.onTrouble,
    });

  const note = (moment: Moment, state: SessionState, entry: EntryBody) =>
    unlessItFails("ledger", () =>
      appendLedger(home, moment.at, {
        host: moment.session.host,
        session: moment.session.id,
        project: moment.project.id,
        epoch: state.epoch,
        ...entry,
      } as LedgerEntry),
    );

  /** Once the state says that a text was delivered, nothing may keep it from being delivered. */
  const unlessItFails = (where: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      options.onTrouble(where, error);
    }
  };

  const snapshotOf = (sections: readonly Section[], health: string | undefined) => {
    const limits = { limit: config.tokenLimit, aim: config.snapshotAim, ...maxChars(options) };
    return compose("snapshot", sections, limits, health === undefined ? [] : [health]);
  };

  /** A start, a resume into nothing, or a compaction: compose, freeze, deliver. */
  async function beginEpoch(moment: StartMoment | ResumeMoment | CompactedMoment): Promise<string> {
    const file = fileOf(moment);
    const gathered = await ask(moment, file.read());
    const health = moment.session.parent === undefined ? options.health?.note() : undefined;
    let begun: { state: SessionState; composition: Composition; lost: string[] } | undefined;
    await file.update((state) => {
      if (moment.name !== "compacted" && state?.snapshot) return state; // another process was faster
      options.signal?.throwIfAborted();
      const composition = snapshotOf(gathered.sections, health);
      const delivered = hashesOf(composition);
      const next: SessionState = {
        ...fresh(moment, state),
        epoch: (state?.epoch ?? 0) + 1,
        snapshot: { text: composition.text, sha256: composition.sha256, at: iso(moment.at) },
        delivered,
        memos: remembered(state, gathered),
      };
      const lost = Object.keys(state?.delivered ?? {}).filter((key) => !(key in delivered));
      begun = { state: next, composition, lost };
      return next;
    });
    if (begun === undefined) return "";
    if (moment.name === "compacted") note(moment, begun.state, { kind: "compacted", lost: begun.lost });
    noteDelivery(moment, begun.state, "snapshot", begun.composition);
    if (health !== undefined) unlessItFails("health", () => options.health?.told());
    return begun.composition.text;
  }

  /** Delivers what became relevant inside an epoch and was not delivered in it before. */
  async function add(moment: PromptMoment | ToolMoment): Promise<string> {
    const file = fileOf(moment);
    const before = file.read();
    const gathered = await ask(moment, before);
    const isNews = (state: SessionState | undefined) =>
      gathered.remember.size > 0 || (state !== undefined && undelivered(gathered.sections, state).length > 0);
    if (!isNews(before)) return ""; // the usual case: no lock, nothing written
    let added: { state: SessionState; composition: Composition } | undefined;
    await file.update((state) => {
      if (state === undefined || !isNews(state)) return state;
      options.signal?.throwIfAborted();
      const news = undelivered(gathered.sections, state);
      const limit = Math.min(config.additionLimit, config.tokenLimit);
      const composition = compose("addition", news, { limit, aim: limit, ...maxChars(options) });
      const next: SessionState = {
        ...state,
        seenAt: iso(moment.at),
        delivered: { ...state.delivered, ...hashesOf(composition) },
        memos: remembered(state, gathered),
      };
      added = { state: next, composition };
      return next;
    });
    if (added === undefined) return "";
    noteDelivery(moment, added.state, "addition", added.composition);
    return added.composition.text;
  }

  function noteDelivery(
    moment: Moment,
    state: SessionState,
    what: "snapshot" | "addition",
    made: Composition,
  ): void {
    if (made.text === "") return;
    note(moment, state, {
      kind: "delivered",
      what,
      tokens: made.tokens,
      sha256: made.sha256,
      items: made.items.map(ledgerItem),
      dropped: made.dropped.map(ledgerItem),
    });
  }

  /** For moments after which nothing is delivered: sources may only remember. */
  async function close(moment: IdleMoment | EndMoment): Promise<SessionState | undefined> {
    const file = fileOf(moment);
    const before = file.read();
    const gathered = await ask(moment, before);
    if (before === undefined || gathered.remember.size === 0) return before;
    await file.update(
      (state) => state && { ...state, seenAt: iso(moment.at), memos: remembered(state, gathered) },
    );
    return before;
  }

  return {
    async start(moment) {
      // Two installations, or a host that fires twice, must not deliver twice.
      return fileOf(moment).read()?.snapshot ? "" : beginEpoch(moment);
    },
    async resume(moment) {
      const state = fileOf(moment).read();
      if (!state?.snapshot) return beginEpoch(moment);
      if (state.snapshot.text !== "")
        note(moment, state, { kind: "replayed", sha256: state.snapshot.sha256 });
      return state.snapshot.text;
    },
    async prompt(moment) {
      const prompt = stripInjected(moment.prompt);
      if (isMachineMade(prompt)) return "";
      // We were installed in mid-session, or the start failed: the thread begins now.
      if (!fileOf(moment).read()?.snapshot) return beginEpoch({ ...moment, name: "start", prompt });
      return add({ ...moment, prompt });
    },
    async tool(moment) {
      return fileOf(moment).read()?.snapshot ? add(moment) : "";
    },
    async compacting(moment) {
      const state = fileOf(moment).read();
      const gathered = await ask(moment, state);
      if (state !== undefined) note(moment, state, { kind: "compacting", trigger: moment.trigger });
      return renderHandover(gathered.sections, (state?.snapshot?.text ?? "") !== "");
    },
    async compacted(moment) {
      return beginEpoch(moment);
    },
    async idle(moment) {
      await close(moment);
    },
    async end(moment) {
      const state = await close(moment);
      if (state !== undefined) note(moment, state, { kind: "ended", why: moment.why });
    },
    async preview(moment) {
      return snapshotOf((await ask(moment, undefined, true)).sections, options.health?.note());
    },
  };
}

type EntryBody = LedgerEntry extends infer E
  ? E extends LedgerEntry
    ? Omit<E, "host" | "session" | "project" | "epoch">
    : never
  : never;

function fresh(
  moment: Moment,
  state: SessionState | undefined,
): Omit<SessionState, "epoch" | "snapshot" | "delivered" | "memos"> {
  return {
    version: 1,
    session: moment.session,
    project: moment.project,
    startedAt: state?.startedAt ?? iso(moment.at),
    seenAt: iso(moment.at),
  };
}

function remembered(state: SessionState | undefined, gathered: Gathered): Record<string, unknown> {
  const memos: Record<string, unknown> = { ...state?.memos };
  for (const [source, remember] of gathered.remember) memos[source] = remember(memos[source]);
  return memos;
}

/** Dropped items count as dealt with: what had no room in the snapshot must not come back at every prompt. */
function hashesOf(composition: Composition): Record<string, string> {
  const all = [...composition.items, ...composition.dropped];
  return Object.fromEntries(all.map((item) => [`${item.source}/${item.key}`, item.hash]));
}

function undelivered(sections: readonly Section[], state: SessionState): Section[] {
  return sections
    .map((section) => ({
      ...section,
      items: section.items.filter(
        (item) => state.delivered[`${section.source}/${item.key}`] !== itemHash(item.text),
      ),
    }))
    .filter((section) => section.items.length > 0);
}

function maxChars(options: EngineOptions): { maxChars?: number } {
  return options.maxChars === undefined ? {} : { maxChars: options.maxChars };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
