import { withDeadline } from "../base/deadline.ts";
import { ContinuoError } from "../base/errors.ts";
import type { Section } from "../compose/section.ts";
import type { Config } from "../store/config.ts";
import { homeAt } from "../store/home.ts";
import { type KnownProject, knownProject } from "./known-project.ts";
import type { LoadHistory } from "./ports/history.ts";
import type { Answer, Answerer, Source } from "./ports/source.ts";
import type { HostNote } from "./ports/tool.ts";
import type { EntryBody } from "./state/ledger.ts";
import type { Moment } from "./types.ts";
import type { FileUse } from "./working-set.ts";

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
  /** Whether every source that was asked has answered. */
  readonly complete: boolean;
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
  /** Sources that were reported as late at this moment: a moment that asks twice reports once. */
  readonly late: Set<string>;
  readonly readOnly: boolean;
  /** What the person types to decide on suggestions (default: the command line). */
  readonly reviewCommand?: string;
  /** The process ends after this moment, and nothing else runs in it. */
  readonly isOwnProcess?: boolean;
  /** A source failed, was late, or reported something: where, and what. */
  onFailure(where: string, error: unknown): void;
}

/**
 * Asks all sources at once. Each has its own deadline; one that throws or is late is left out and reported, and the
 * others are not affected.
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
      context.config.sources[source.name]?.enabled !== false &&
      (source.answersChildren || !isChild),
  );
  const known = once(() =>
    knownProject(moment.project, {
      home: homeAt(context.home),
      env: context.env,
      cwd: moment.cwd,
      settings: context.config.projects,
    }),
  );
  const answers = await Promise.all(asked.map((source) => askOne(source, moment, context, known)));
  const remember = new Map<string, (memo: unknown) => unknown>();
  answers.forEach((answer, i) => {
    const name = asked[i]?.name;
    if (name !== undefined && answer.remember !== undefined) remember.set(name, answer.remember);
  });
  return {
    sections: answers.flatMap((answer) => answer.sections ?? []),
    notices: answers.flatMap((answer) => answer.notices ?? []),
    remember,
    ledgerEntries: (delivered) => answers.flatMap((answer) => answer.ledgerEntries?.(delivered) ?? []),
    hostNotes: (delivered) => answers.flatMap((answer) => answer.hostNotes?.(delivered) ?? []),
    complete: answers.every((answer) => answer !== FAILED),
  };
}

function keysOf(source: string, delivered: readonly string[]): ReadonlySet<string> {
  const own = `${source}/`;
  return new Set(delivered.flatMap((key) => (key.startsWith(own) ? [key.slice(own.length)] : [])));
}

export function sourceLimit(source: Source, config: Config): number {
  const asked = source.patienceMs?.(config.sources[source.name] ?? {}) ?? 0;
  return Math.max(config.sourceDeadlineMs, asked);
}

/** The answer of a source that failed. */
const FAILED: Answer = {};

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

async function askOne(
  source: Source,
  moment: Moment,
  context: GatherContext,
  known: () => KnownProject,
): Promise<Answer> {
  const where = `${source.name} at ${moment.name}`;
  const limit = sourceLimit(source, context.config);
  const late = () =>
    new ContinuoError("source-late", `${where} took longer than ${limit} ms and was left out`, {
      hint: "raise sourceDeadlineMs in config.json, or find out what makes this source slow",
    });
  try {
    // The moment's name selects the answerer, which the type system cannot follow.
    const answer = source.answers[moment.name] as Answerer<Moment["name"]>;
    return await withDeadline(limit, late, (signal) =>
      Promise.resolve().then(() =>
        answer(moment, {
          settings: context.config.sources[source.name] ?? {},
          env: context.env,
          home: context.home,
          knownProject: known,
          history: context.history,
          memo: context.memos[source.name],
          workingSet: context.workingSet,
          delivered: keysOf(source.name, context.delivered),
          readOnly: context.readOnly,
          reviewCommand: context.reviewCommand ?? "continuo review",
          isOwnProcess: context.isOwnProcess === true,
          signal,
          deadlineMs: limit,
          report: (code, message, hint) =>
            context.onFailure(where, new ContinuoError(code, message, hint === undefined ? {} : { hint })),
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
