import { ContinuoError, describeError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import type { Values } from "../../../base/settings.ts";
import { countTokens } from "../../../compose/tokens.ts";
import { chooseModel } from "../../../models/choose-model.ts";
import { modelSettings } from "../../../models/model-settings.ts";
import type { LanguageModel, ModelUsage } from "../../../models/port.ts";
import { addUsage, usageText } from "../../../models/usage-text.ts";
import type { DescribeOptions } from "../../../sources/sessions/describe/describe.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import { modelUnusable } from "../../../sources/sessions/ports/describe-jobs.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import { sessionsSettings } from "../../../sources/sessions/settings.ts";
import { findHome } from "../../../store/home.ts";
import type { Input, Outcome } from "../../command.ts";
import { wholeOption } from "../../terminal/options.ts";
import { interruptible } from "../../terminal/progress.ts";
import { counted } from "../../terminal/table.ts";
import { chosen, filterOf, namedOrOwn, syncFirst, toJson, withSessions } from "./with-sessions.ts";

const USAGE = "sessions describe [SESSION], or sessions describe --all [--limit N] [--dry-run]";
const MOST_AT_ONCE = 20;
/** After this many failures in a row the server is down: the other sessions would fail too, each after a timeout. */
const MOST_FAILURES = 3;

/** Has a model write summaries. Prints what would be sent before sending it, and the cost at the end. */
export async function describe(input: Input): Promise<Outcome> {
  const settings = sessionsSettings(findHome(input.env), input.env);
  const model = await modelOf(settings, input.env);
  const isAll = input.values["all"] === true;
  const leastPrompts = isAll ? settings.minNewUserMessages : 0;
  const limit = wholeOption(input, "limit", 1, 100_000) ?? MOST_AT_ONCE;
  return withSessions(input, async (sessions) => {
    await syncFirst(input, sessions);
    const due = isAll
      ? dueOf(sessions, sessions.list(filterOf(input)), leastPrompts, limit + 1)
      : [chosen(input, sessions, namedOrOwn(input), USAGE)];
    const meant = due.slice(0, limit);
    const tokens = meant.reduce((sum, one) => sum + tokensOf(sessions, one), 0);
    const hasMore = due.length > meant.length;
    const plan = `${model.key} will summarise ${counted(meant.length, "session")} and read about ${counted(tokens, "token")}`;
    const more = hasMore ? "; there are more: raise --limit" : "";
    if (input.values["dry-run"] === true)
      return {
        data: { model: model.key, tokens, sessions: meant.map((one) => toJson(one, sessions)), hasMore },
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
  throw new ContinuoError("no-model", "no model is configured; this command needs one", {
    hint: 'add one to config.json: { "sources": { "sessions": { "modelKeys": ["anthropic/claude-haiku-4-5"] } } }; docs/past-sessions.md lists what is sent',
  });
}

/** Newest first, up to `limit`: sessions with enough prompts that have no model-written summary. Reading one is expensive. */
function dueOf(
  sessions: Sessions,
  all: readonly PastSession[],
  leastPrompts: number,
  limit: number,
): PastSession[] {
  const due: PastSession[] = [];
  for (const one of all) {
    if (due.length >= limit) break;
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
    `${counted(described.length, "session")} summarised by ${model.key}${cost(usage)}`,
    ...(failed.length === 0 ? [] : [`${failed.length} failed: ${oneLine(failed.at(-1)?.error ?? "")}`]),
    ...(left === 0 ? [] : [`${left} skipped${signal.aborted ? " (interrupted)" : ""}`]),
  ].join("\n");
  const data = { model: model.key, described, failed, left, usage: usage ?? null };
  return { data, text, ...(described.length < meant.length && { exitCode: signal.aborted ? 130 : 1 }) };
}

function whyFailed(error: unknown): string {
  const { message, hint } = describeError(error);
  return hint === undefined ? message : `${message}; ${hint}`;
}

const WHY_NOT = {
  busy: "another process is summarising it",
  empty: "the session is empty",
  early: "it has too few new prompts; another process may have summarised it",
} as const;

const cost = (usage: ModelUsage | undefined): string => (usage === undefined ? "" : ` (${usageText(usage)})`);

/** Undefined if the work stopped because of the signal. */
async function orUndefined<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
