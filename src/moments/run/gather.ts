import { withDeadline } from "../../base/deadline.ts";
import { ContinuoError } from "../../base/errors.ts";
import { once } from "../../base/once.ts";
import { count } from "../../base/when.ts";
import type { Section } from "../../compose/section.ts";
import type { Config } from "../../store/config.ts";
import type {
  Answer,
  Answerer,
  Heard,
  PrepareContext,
  Source,
  SourceContext,
  Verdict,
} from "../ports/source.ts";
import type { HostNote } from "../ports/tool.ts";
import { type KnownProject, knownProject } from "../project/known-project.ts";
import { isDropped } from "../state/delivered-items.ts";
import type { EntryBody } from "../state/ledger.ts";
import type { Muted } from "../state/muted.ts";
import type { SessionState } from "../state/session-state.ts";
import type { ExpectedStart, Moment } from "../types.ts";
import type { FileUse } from "../working-set.ts";
import { type MomentRun, workingSetAfter } from "./moment-run.ts";
import type { Run } from "./run.ts";

export interface Gathered {
  readonly sections: readonly Section[];
  /** Lines for the user. */
  readonly notices: readonly string[];
  /** What each source wants to remember, by the source's name. */
  readonly remember: ReadonlyMap<string, (memo: unknown) => unknown>;
  /** Entries for the ledger, given the keys of the delivered items. */
  ledgerEntries(delivered: ReadonlySet<string>): readonly EntryBody[];
  /** Notes for the host, given the same keys. */
  hostNotes(delivered: ReadonlySet<string>): readonly HostNote[];
  /** The strictest verdict, at `idle`. */
  readonly verdict?: Verdict | undefined;
  /** Whether every source that was asked has answered, and the names of those that have not. */
  readonly complete: boolean;
  readonly failed: ReadonlySet<string>;
}

/**
 * What sources know about the session besides the moment. A new one has no memos, touched no files and received
 * nothing.
 */
interface SessionView {
  readonly memos?: Readonly<Record<string, unknown>> | undefined;
  readonly workingSet?: readonly FileUse[];
  /** `source/key` of what was delivered in this epoch. */
  readonly delivered?: readonly string[];
  /** What the user has muted for this session, or for the expected one. */
  readonly muted: Muted | undefined;
  readonly readOnly?: boolean;
}

/** One round of questions to sources. */
interface Round {
  readonly run: MomentRun;
  readonly view: SessionView;
  /** The moment's name, or another reason for asking. */
  readonly at: string;
  readonly known: () => KnownProject;
}

const SEVERITY = { ask: 1, deny: 2 } as const;

export function stricter(a: Verdict | undefined, b: Verdict | undefined): Verdict | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return SEVERITY[b.action] > SEVERITY[a.action] ? b : a;
}

/**
 * Asks the sources that come first, then all others in parallel. Each has its own deadline; one that throws or is late
 * is left out and reported, and the others are not affected.
 */
export async function gather(
  run: MomentRun,
  moment: Moment,
  state: SessionState | undefined,
  { sources = run.sources, readOnly = false }: { sources?: readonly Source[]; readOnly?: boolean } = {},
): Promise<Gathered> {
  const view: SessionView = {
    muted: run.mutedFor(moment),
    memos: state?.memos,
    workingSet: workingSetAfter(state, moment),
    delivered: Object.entries(state?.delivered ?? {}).flatMap(([key, hash]) =>
      isDropped(hash) ? [] : [key],
    ),
    readOnly,
  };
  const isChild = moment.session.parent !== undefined;
  const asked = sources.filter(
    (source) =>
      source.answers[moment.name] !== undefined &&
      isEnabled(source, run) &&
      (source.answersChildren || !isChild),
  );
  const round: Round = { run, view, at: moment.name, known: knownOnce(moment, run) };
  const begun = Date.now();
  const answers = new Map<Source, Answer>();
  for (const wave of [true, undefined])
    await Promise.all(
      asked
        .filter(({ comesFirst }) => comesFirst === wave)
        .map(async (source) => answers.set(source, await askOne(source, begun, moment, round))),
    );
  // In the order of the sources, regardless of who answered first.
  const given = asked.map((source) => ({ name: source.name, ...(answers.get(source) ?? FAILED) }));
  const failed = new Set(asked.filter((source) => answers.get(source) === FAILED).map(({ name }) => name));
  return {
    verdict: given.map((answer) => answer.verdict).reduce(stricter, undefined),
    sections: unmuted(
      given.flatMap((answer) => answer.sections ?? []),
      view.muted,
    ),
    notices: [...given.flatMap((answer) => answer.notices ?? []), ...waitingLine(given, run)],
    remember: new Map(
      given.flatMap(({ name, remember }) => (remember === undefined ? [] : [[name, remember]])),
    ),
    ledgerEntries: (delivered) => given.flatMap((answer) => answer.ledgerEntries?.(delivered) ?? []),
    hostNotes: (delivered) => given.flatMap((answer) => answer.hostNotes?.(delivered) ?? []),
    complete: failed.size === 0,
    failed,
  };
}

/** Pending decisions concern only the user: no model gets this line. */
function waitingLine(answers: readonly Answer[], { reviewCommand = DEFAULT_REVIEW }: MomentRun): string[] {
  const waiting = answers.reduce((sum, answer) => sum + (answer.waiting ?? 0), 0);
  return waiting === 0 ? [] : [`${count(waiting, "suggestion")} to review: ${reviewCommand}`];
}

const DEFAULT_REVIEW = "continuo review";

/**
 * Passes what one source heard to all others, even if sources are asked in sequence. Counts towards the first source's
 * time. A failure is reported and does not affect the others.
 */
async function tellOthers(
  teller: Source,
  heard: readonly Heard[],
  moment: Moment,
  round: Round,
): Promise<readonly string[]> {
  const { run } = round;
  const suggested: string[] = [];
  for (const source of run.sources) {
    if (source.hear === undefined || source === teller || !isEnabled(source, run)) continue;
    const limit = sourceLimit(source, run.config);
    const late = () => new ContinuoError("source-late", `${source.name} listened longer than ${limit} ms`);
    try {
      const own = await withDeadline(limit, late, async (signal) =>
        source.hear?.(heard, moment, contextFor(source, { ...round, at: "hear" }, signal, limit)),
      );
      suggested.push(...(own ?? []));
    } catch (error) {
      run.onFailure(`${source.name} at hear`, error);
    }
  }
  return suggested;
}

/** The only place where mutes affect deliveries. Withdrawals of rules are always delivered. */
function unmuted(sections: readonly Section[], muted: Muted | undefined): readonly Section[] {
  if (muted === undefined) return sections;
  return sections
    .map((section) => ({
      ...section,
      items: section.items.filter(
        (item) => item.withdraws === true || muted.of(section.source, item.key) === undefined,
      ),
    }))
    .filter((section) => section.items.length > 0);
}

/**
 * Lets sources prepare the next start, in sequence, within this time. Failures are reported. Being late is not a
 * failure, because the start then does the work itself.
 */
export async function prepareAll(
  run: MomentRun,
  start: ExpectedStart,
  after: PrepareContext["after"],
  limitMs: number,
): Promise<void> {
  const view = { muted: run.mutedFor(start) };
  const round: Round = { run, view, at: "prepare", known: knownOnce(start, run) };
  const until = Date.now() + limitMs;
  const late = new Error("out of time");
  for (const source of run.sources) {
    const left = until - Date.now();
    if (source.prepare === undefined || !isEnabled(source, run) || left < LEAST_MS) continue;
    try {
      await withDeadline(
        left,
        () => late,
        async (signal) => source.prepare?.(start, { ...contextFor(source, round, signal, left), after }),
      );
    } catch (error) {
      if (error !== late) run.onFailure(`${source.name} at prepare`, error);
    }
  }
}

/** With less time left, nothing is started. */
const LEAST_MS = 30;

function isEnabled({ name }: Source, { config }: Run): boolean {
  return config.sources[name]?.enabled !== false;
}

function knownOnce(
  { project, cwd }: Pick<Moment, "project" | "cwd">,
  { home, env, config }: Run,
): () => KnownProject {
  return once(() => knownProject(project, { home, env, cwd, settings: config.projects }));
}

function keysOf(source: string, delivered: readonly string[]): ReadonlySet<string> {
  const own = `${source}/`;
  return new Set(delivered.flatMap((key) => (key.startsWith(own) ? [key.slice(own.length)] : [])));
}

export function sourceLimit(source: Source, config: Config): number {
  const asked = source.patienceMs?.(config.sources[source.name] ?? {}) ?? 0;
  return Math.max(config.sourceDeadlineMs, asked);
}

/** The share of a moment's time after which the sources that come first, and then the others, must have answered. */
const FIRST_SHARE = 0.75;
const ALL_SHARE = 0.85;

/** The time limit of a source that is asked now, in a round that began at `begun`. */
function limitOf(source: Source, begun: number, config: Config): number {
  const limit = sourceLimit(source, config);
  if (source.comesFirst === true) return Math.max(limit, Math.floor(config.momentDeadlineMs * FIRST_SHARE));
  const asked = limit - Math.min(limit, config.sourceDeadlineMs);
  const left = Math.floor(config.momentDeadlineMs * ALL_SHARE) + asked - (Date.now() - begun);
  return Math.max(Math.min(limit, left), LEAST_MS);
}

/** The answer of a source that failed. */
const FAILED: Answer = {};

async function askOne(source: Source, begun: number, moment: Moment, round: Round): Promise<Answer> {
  const { run } = round;
  const limit = limitOf(source, begun, run.config);
  const where = `${source.name} at ${moment.name}`;
  const setting = source.comesFirst === true ? "momentDeadlineMs" : "sourceDeadlineMs";
  const hardLimit = Math.max(limit, run.sourcesMayTakeMs ?? 0);
  const late = () =>
    new ContinuoError("source-late", `${where} took longer than ${hardLimit} ms and was left out`, {
      hint: `raise ${setting} in config.json, or find out what makes this source slow`,
    });
  const tell = (heard: readonly Heard[]) => tellOthers(source, heard, moment, round);
  try {
    // The moment's name selects the answerer, which the type system cannot follow.
    const answer = source.answers[moment.name] as Answerer<Moment["name"]>;
    return await withDeadline(hardLimit, late, (signal) =>
      Promise.resolve().then(() => answer(moment, { ...contextFor(source, round, signal, limit), tell })),
    );
  } catch (error) {
    const isLate = error instanceof ContinuoError && error.code === "source-late";
    // If a moment asks twice, a late source is reported once.
    if (!isLate || !run.late.has(source.name)) run.onFailure(where, error);
    if (isLate) run.late.add(source.name);
    return FAILED;
  }
}

function contextFor(
  { name }: Source,
  { run, view, at, known }: Round,
  signal: AbortSignal,
  deadlineMs: number,
): SourceContext {
  const { config, env, home, history, isUnseen, isOwnProcess, reviewCommand = DEFAULT_REVIEW } = run;
  const { memos = {}, workingSet = [], delivered = [], muted, readOnly = false } = view;
  return {
    settings: config.sources[name] ?? {},
    env,
    home: home.root,
    knownProject: known,
    history,
    memo: memos[name],
    workingSet,
    delivered: keysOf(name, delivered),
    isMuted: (key) => muted?.of(name, key) !== undefined,
    readOnly,
    isUnseen,
    reviewCommand,
    isOwnProcess,
    signal,
    deadlineMs,
    report: (code, message, hint) =>
      run.onFailure(`${name} at ${at}`, new ContinuoError(code, message, { hint })),
  };
}
