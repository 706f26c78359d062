import { withDeadline } from "../../base/deadline.ts";
import { ContinuoError } from "../../base/errors.ts";
import { once } from "../../base/once.ts";
import { count } from "../../base/when.ts";
import type { Section } from "../../compose/section.ts";
import type { Config } from "../../store/config.ts";
import { homeAt } from "../../store/home.ts";
import type { LoadHistory } from "../ports/history.ts";
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
import type { EntryBody } from "../state/ledger.ts";
import type { Muted } from "../state/muted.ts";
import type { ExpectedStart, Moment } from "../types.ts";
import type { FileUse } from "../working-set.ts";
import { stricter } from "./guards.ts";

export interface Gathered {
  readonly sections: readonly Section[];
  /** Lines for the user. */
  readonly notices: readonly string[];
  /** What each source wants remembered, by the source's name. */
  readonly remember: ReadonlyMap<string, (memo: unknown) => unknown>;
  /** What the ledger should keep, given the keys of the items that were delivered. */
  ledgerEntries(delivered: ReadonlySet<string>): readonly EntryBody[];
  /** What the host should keep, given the same keys. */
  hostNotes(delivered: ReadonlySet<string>): readonly HostNote[];
  /** The strictest, at `idle`. */
  readonly verdict?: Verdict;
  /** Whether every source that was asked has answered, and the names of those that have not. */
  readonly complete: boolean;
  readonly failed: ReadonlySet<string>;
}

export interface GatherContext {
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly history: LoadHistory;
  readonly memos: Readonly<Record<string, unknown>>;
  readonly workingSet: readonly FileUse[];
  /** `source/key` of what this epoch delivered. */
  readonly delivered: readonly string[];
  /** What the user has muted for this session, or for the one that is expected. */
  readonly muted: Muted | undefined;
  /** All sources: what one of them hears is told to the others, also where they are asked one after the other. */
  readonly listeners: readonly Source[];
  /** Sources that were reported as late at this moment: a moment that asks twice reports once. */
  readonly late: Set<string>;
  readonly readOnly: boolean;
  /** Nobody sees the answers (`readAhead`). */
  readonly isUnseen?: boolean;
  /** What the person types to decide on suggestions (default: the command line). */
  readonly reviewCommand?: string;
  /** The process ends after this moment, and nothing else runs in it. */
  readonly isOwnProcess?: boolean;
  /** Nobody waits: a source that takes this long is late, and not before. */
  readonly mayTakeMs?: number;
  /** A source failed, was late, or reported something: where, and what. */
  onFailure(where: string, error: unknown): void;
}

/**
 * Asks the sources that come first, then all others at once. Each has its own deadline; one that throws or is late is left out
 * and reported, and the others are not affected.
 */
export async function gather(
  sources: readonly Source[],
  moment: Moment,
  context: GatherContext,
): Promise<Gathered> {
  const isChild = moment.session.parent !== undefined;
  const asked = sources.filter(
    (source) =>
      source.answers[moment.name] !== undefined &&
      isEnabled(source, context) &&
      (source.answersChildren || !isChild),
  );
  const known = knownOnce(moment, context);
  const tell = (teller: Source) => (heard: readonly Heard[]) =>
    tellOthers(
      context.listeners.filter((source) => source !== teller && isEnabled(source, context)),
      heard,
      moment,
      context,
      known,
    );
  const begun = Date.now();
  const ask = (source: Source) => {
    const limit =
      source.comesFirst === true ? firstLimit(source, context) : limitAfter(begun, source, context);
    return askOne(source, limit, moment, context, known, tell(source));
  };
  const bySource = new Map<Source, Answer>();
  for (const wave of [true, undefined]) {
    const some = asked.filter(({ comesFirst }) => comesFirst === wave);
    const made = await Promise.all(some.map(ask));
    for (const [i, source] of some.entries()) bySource.set(source, made[i] ?? FAILED);
  }
  const answers = asked.map((source) => bySource.get(source) ?? FAILED);
  const remember = new Map<string, (memo: unknown) => unknown>();
  answers.forEach((answer, i) => {
    const name = asked[i]?.name;
    if (name !== undefined && answer.remember !== undefined) remember.set(name, answer.remember);
  });
  const verdict = answers.map((answer) => answer.verdict).reduce(stricter, undefined);
  return {
    ...(verdict === undefined ? {} : { verdict }),
    sections: unmuted(
      answers.flatMap((answer) => answer.sections ?? []),
      context.muted,
    ),
    notices: [...answers.flatMap((answer) => answer.notices ?? []), ...waitingLine(answers, context)],
    remember,
    ledgerEntries: (delivered) => answers.flatMap((answer) => answer.ledgerEntries?.(delivered) ?? []),
    hostNotes: (delivered) => answers.flatMap((answer) => answer.hostNotes?.(delivered) ?? []),
    complete: answers.every((answer) => answer !== FAILED),
    failed: new Set(asked.filter((_, i) => answers[i] === FAILED).map(({ name }) => name)),
  };
}

/** What waits for a decision concerns the person alone: no model is given it. */
function waitingLine(answers: readonly Answer[], { reviewCommand }: GatherContext): string[] {
  const waiting = answers.reduce((sum, answer) => sum + (answer.waiting ?? 0), 0);
  if (waiting === 0) return [];
  return [`${count(waiting, "suggestion")} to review: ${reviewCommand ?? DEFAULT_REVIEW}`];
}

const DEFAULT_REVIEW = "continuo review";

/** Within the time of the source that tells them. A failure is reported and does not affect the others. */
async function tellOthers(
  sources: readonly Source[],
  heard: readonly Heard[],
  moment: Moment,
  context: GatherContext,
  known: () => KnownProject,
): Promise<readonly string[]> {
  const suggested: string[] = [];
  for (const source of sources) {
    if (source.hear === undefined) continue;
    const limit = sourceLimit(source, context.config);
    const late = () => new ContinuoError("source-late", `${source.name} listened longer than ${limit} ms`);
    try {
      const own = await withDeadline(limit, late, async (signal) =>
        source.hear?.(heard, moment, contextFor(source, "hear", context, known, signal, limit)),
      );
      suggested.push(...(own ?? []));
    } catch (error) {
      context.onFailure(`${source.name} at hear`, error);
    }
  }
  return suggested;
}

/** The only place where mutes have an effect on what is delivered. That a rule no longer holds is always said. */
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
 * Has sources prepare the next start, one after the other, within this time. A failure is reported; being late is none,
 * because the start then does the work.
 */
export async function prepareAll(
  sources: readonly Source[],
  start: ExpectedStart,
  context: GatherContext & Pick<PrepareContext, "after">,
  limitMs: number,
): Promise<void> {
  const known = knownOnce(start, context);
  const until = Date.now() + limitMs;
  for (const source of sources) {
    const left = until - Date.now();
    if (source.prepare === undefined || !isEnabled(source, context) || left < LEAST_MS) continue;
    const late = new Error("out of time");
    try {
      await withDeadline(
        left,
        () => late,
        async (signal) =>
          source.prepare?.(start, {
            ...contextFor(source, "prepare", context, known, signal, left),
            after: context.after,
          }),
      );
    } catch (error) {
      if (error !== late) context.onFailure(`${source.name} at prepare`, error);
    }
  }
}

/** With less time nothing is begun. */
const LEAST_MS = 30;

function isEnabled({ name }: Source, { config }: GatherContext): boolean {
  return config.sources[name]?.enabled !== false;
}

function knownOnce(
  { project, cwd }: Pick<Moment, "project" | "cwd">,
  { home, env, config }: GatherContext,
): () => KnownProject {
  return once(() => knownProject(project, { home: homeAt(home), env, cwd, settings: config.projects }));
}

function keysOf(source: string, delivered: readonly string[]): ReadonlySet<string> {
  const own = `${source}/`;
  return new Set(delivered.flatMap((key) => (key.startsWith(own) ? [key.slice(own.length)] : [])));
}

export function sourceLimit(source: Source, config: Config): number {
  const asked = source.patienceMs?.(config.sources[source.name] ?? {}) ?? 0;
  return Math.max(config.sourceDeadlineMs, asked);
}

/** How much of a moment's time may have passed when the sources that come first, and the others, have answered. */
const FIRST_SHARE = 0.75;
const ALL_SHARE = 0.85;

function firstLimit(source: Source, { config }: GatherContext): number {
  return Math.max(sourceLimit(source, config), Math.floor(config.momentDeadlineMs * FIRST_SHARE));
}

function limitAfter(begun: number, source: Source, { config }: GatherContext): number {
  const limit = sourceLimit(source, config);
  const asked = limit - Math.min(limit, config.sourceDeadlineMs);
  const left = Math.floor(config.momentDeadlineMs * ALL_SHARE) + asked - (Date.now() - begun);
  return Math.max(Math.min(limit, left), LEAST_MS);
}

/** The answer of a source that failed. */
const FAILED: Answer = {};

async function askOne(
  source: Source,
  limit: number,
  moment: Moment,
  context: GatherContext,
  known: () => KnownProject,
  tell: SourceContext["tell"],
): Promise<Answer> {
  const where = `${source.name} at ${moment.name}`;
  const setting = source.comesFirst === true ? "momentDeadlineMs" : "sourceDeadlineMs";
  const hardLimit = Math.max(limit, context.mayTakeMs ?? 0);
  const late = () =>
    new ContinuoError("source-late", `${where} took longer than ${hardLimit} ms and was left out`, {
      hint: `raise ${setting} in config.json, or find out what makes this source slow`,
    });
  try {
    // The moment's name selects the answerer, which the type system cannot follow.
    const answer = source.answers[moment.name] as Answerer<Moment["name"]>;
    return await withDeadline(hardLimit, late, (signal) =>
      Promise.resolve().then(() =>
        answer(moment, {
          ...contextFor(source, moment.name, context, known, signal, limit),
          ...(tell === undefined ? {} : { tell }),
        }),
      ),
    );
  } catch (error) {
    const isLate = error instanceof ContinuoError && error.code === "source-late";
    if (!isLate || !context.late.has(source.name)) context.onFailure(where, error);
    if (isLate) context.late.add(source.name);
    return FAILED;
  }
}

function contextFor(
  { name }: Source,
  moment: string,
  context: GatherContext,
  known: () => KnownProject,
  signal: AbortSignal,
  deadlineMs: number,
): SourceContext {
  return {
    settings: context.config.sources[name] ?? {},
    env: context.env,
    home: context.home,
    knownProject: known,
    history: context.history,
    memo: context.memos[name],
    workingSet: context.workingSet,
    delivered: keysOf(name, context.delivered),
    isMuted: (key) => context.muted?.of(name, key) !== undefined,
    readOnly: context.readOnly,
    isUnseen: context.isUnseen === true,
    reviewCommand: context.reviewCommand ?? DEFAULT_REVIEW,
    isOwnProcess: context.isOwnProcess === true,
    signal,
    deadlineMs,
    report: (code, message, hint) =>
      context.onFailure(
        `${name} at ${moment}`,
        new ContinuoError(code, message, hint === undefined ? {} : { hint }),
      ),
  };
}
