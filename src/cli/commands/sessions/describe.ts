import { ContinuoError, describeError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import type { Values } from "../../../base/settings.ts";
import { countTokens } from "../../../compose/tokens.ts";
import { chooseModel } from "../../../models/choose-model.ts";
import { addUsage, type LanguageModel, type ModelUsage, usageText } from "../../../models/language-model.ts";
import { modelSettings } from "../../../models/model-settings.ts";
import type { DescribeOptions } from "../../../sources/sessions/describe/describe.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import { modelUnusable } from "../../../sources/sessions/ports/describe-jobs.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import { sessionsSettings } from "../../../sources/sessions/settings.ts";
import { findHome } from "../../../store/home.ts";
import type { Input, Outcome } from "../../command.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { wholeOf } from "../notes/words.ts";
import { told } from "./told.ts";
import { chosen, filterOf, lookFirst, namedOrOwn, withSessions } from "./with-sessions.ts";

const USAGE = "sessions describe [SESSION], or sessions describe --all [--limit N] [--dry-run]";
const MOST_AT_ONCE = 20;
/** A server that failed so often in a row is down: the rest would fail too, each after its time is up. */
const MOST_FAILURES = 3;

/** Has a model write records. What it reads is told before anything is sent, what it cost at the end. */
export async function describe(input: Input): Promise<Outcome> {
  const settings = sessionsSettings(findHome(input.env), input.env);
  const model = await modelOf(settings, input.env);
  const isAll = input.values["all"] === true;
  const leastPrompts = isAll ? Number(settings["minNewUserMessages"]) : 0;
  const limit = wholeOf(input, "limit", 1, 100_000) ?? MOST_AT_ONCE;
  return withSessions(input, async (sessions) => {
    await lookFirst(input, sessions);
    const due = isAll
      ? dueOf(sessions, sessions.list(filterOf(input)), leastPrompts, limit + 1)
      : [chosen(input, sessions, namedOrOwn(input), USAGE)];
    const meant = due.slice(0, limit);
    const tokens = meant.reduce((sum, one) => sum + tokensOf(sessions, one), 0);
    const hasMore = due.length > meant.length;
    const plan = `${meant.length} session(s) for ${model.key} to describe, about ${tokens} tokens to read`;
    const more = hasMore ? "; there are more, for a higher --limit" : "";
    if (input.values["dry-run"] === true)
      return {
        data: { model: model.key, tokens, sessions: meant.map((one) => told(one, sessions)), hasMore },
        text: plan + more,
      };
    input.tell?.(`continuo: ${plan}${more}`);
    return interruptible((signal) =>
      describeAll(input, sessions, meant, { model, leastPrompts, isWanted: true, signal }),
    );
  });
}

async function modelOf(settings: Values, env: NodeJS.ProcessEnv): Promise<LanguageModel> {
  const { model, problems } = await chooseModel(modelSettings(settings), env);
  if (model !== undefined) return model;
  if (problems.length > 0) throw modelUnusable(problems);
  throw new ContinuoError("no-model", "no model is named, and none is asked without that", {
    hint: 'for example in config.json: { "sources": { "sessions": { "modelKeys": ["anthropic/claude-haiku-4-5"] } } }; docs/sessions.md says what is sent',
  });
}

/** Sessions with so many prompts that no model has told of, the newest first; not more than are wanted, for each is read. */
function dueOf(
  sessions: Sessions,
  all: readonly PastSession[],
  leastPrompts: number,
  most: number,
): PastSession[] {
  const due: PastSession[] = [];
  for (const one of all) {
    if (due.length >= most) break;
    if (one.counts.prompts < leastPrompts) continue;
    if ((sessions.briefing(one)?.newPrompts ?? 0) >= leastPrompts) due.push(one);
  }
  return due;
}

function tokensOf(sessions: Sessions, session: PastSession): number {
  const request = sessions.briefing(session)?.request;
  return request === undefined ? 0 : countTokens(request.system) + countTokens(request.prompt);
}

async function describeAll(
  input: Input,
  sessions: Sessions,
  meant: readonly PastSession[],
  options: DescribeOptions & { readonly signal: AbortSignal },
): Promise<Outcome> {
  const { model, signal } = options;
  const described: object[] = [];
  const failed: { id: string; error: string }[] = [];
  let usage: ModelUsage | undefined;
  let inARow = 0;
  for (const [at, session] of meant.entries()) {
    if (signal.aborted || inARow >= MOST_FAILURES) break;
    const outcome = await orUndefined(signal, sessions.describe(session, options));
    if (outcome === undefined) break;
    const place = `${at + 1}/${meant.length}`;
    if ("usage" in outcome && outcome.usage !== undefined) usage = addUsage(outcome.usage, usage);
    if (outcome.kind === "written") {
      described.push({
        host: session.host,
        id: session.id,
        name: outcome.record.name,
        usage: outcome.usage ?? null,
      });
      input.tell?.(`${place} ${oneLine(outcome.record.name)}${cost(outcome.usage)}`);
      inARow = 0;
      continue;
    }
    const error = outcome.kind === "failed" ? whyFailed(outcome.error) : WHY_NOT[outcome.kind];
    if (outcome.kind === "failed") inARow++;
    failed.push({ id: session.id, error });
    input.tell?.(`${place} ${oneLine(session.name)}: ${oneLine(error)}`);
  }
  const left = meant.length - described.length - failed.length;
  const text = [
    `${described.length} described by ${model.key}${cost(usage)}`,
    ...(failed.length === 0 ? [] : [`${failed.length} not: ${oneLine(failed.at(-1)?.error ?? "")}`]),
    ...(left === 0 ? [] : [`${left} left${signal.aborted ? ", because you stopped it" : ""}`]),
  ].join("\n");
  const data = { model: model.key, described, failed, left, usage: usage ?? null };
  return { data, text, ...(described.length < meant.length && { exitCode: signal.aborted ? 130 : 1 }) };
}

function whyFailed(error: unknown): string {
  const { message, hint } = describeError(error);
  return hint === undefined ? message : `${message}; ${hint}`;
}

const WHY_NOT = {
  busy: "another process is having it described",
  empty: "nothing was said in it",
  early: "too little is new by now; another process may have had it described",
} as const;

const cost = (usage: ModelUsage | undefined): string => (usage === undefined ? "" : ` (${usageText(usage)})`);

/** Undefined when the work heeded the signal. */
async function orUndefined<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
