import { ContinuoError, whatFailed } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import type { Values } from "../../../base/settings.ts";
import { count } from "../../../base/when.ts";
import { countTokens } from "../../../compose/tokens.ts";
import { addUsage, type LanguageModel, type ModelUsage, usageText } from "../../../models/language-model.ts";
import { modelSettings } from "../../../models/model-settings.ts";
import { fields, flag, optional } from "../../../moments/actions/fields.ts";
import { action, type Place } from "../../../moments/ports/action.ts";
import { exact } from "../../../moments/ports/view.ts";
import { type DescribeOptions, modelUnusable } from "../describe/describe.ts";
import type { Sessions } from "../library.ts";
import type { PastSession } from "../session.ts";
import { sessionsSettings } from "../settings.ts";
import { chosen, namedOrOwn } from "./choose.ts";
import { FILTERS, filterOf, limit, SESSION } from "./fields.ts";
import { withFresh } from "./fresh.ts";
import { listed, toJson } from "./shown.ts";

const MOST_AT_ONCE = 20;
/**
 * After this many failures in a row the server is probably down: the other sessions would fail too, each after a
 * timeout.
 */
const MOST_FAILURES = 3;

/** Lets a model write summaries. Says what will be sent before sending it, and the cost at the end. */
export const describe = action({
  name: "sessions describe",
  about: "summarise sessions with the configured model",
  guide:
    "Sends the text of the session to the model that you configured (see `continuo config`), and nowhere else. --dry-run shows the cost first.",
  examples: [
    ["continuo sessions describe last", "summarise the newest session"],
    ["continuo sessions describe --all --dry-run", "show what summarising all would cost"],
  ],
  effect: "writes",
  isLong: true,
  input: fields({
    session: optional(SESSION),
    ...FILTERS,
    limit: limit("summarise at most this many", 100_000, MOST_AT_ONCE),
    all: optional(flag("all sessions that the model has not summarised yet")),
    dryRun: optional(flag("only print how many sessions and tokens would be sent")),
  }),
  async run({ session, limit: most = MOST_AT_ONCE, all = false, dryRun = false, ...given }, place) {
    const settings = sessionsSettings(place.home, place.env);
    const model = await modelOf(settings, place.env);
    const leastPrompts = all ? settings.minNewUserMessages : 0;
    return withFresh(place, async (library) => {
      const due = all
        ? dueOf(library, library.list(filterOf(given, place)), leastPrompts, most + 1)
        : [chosen(place, library, namedOrOwn({ session, host: given.host }, place))];
      const meant = due.slice(0, most);
      const planned = {
        model: model.key,
        tokens: meant.reduce((sum, one) => sum + tokensOf(library, one), 0),
        sessions: meant.map((one) => toJson(listed(one, library))),
        hasMore: due.length > meant.length,
      };
      if (dryRun) return { planned };
      place.tell?.(`continuo: ${planText(planned)}`);
      const options = { model, leastPrompts, isWanted: true, signal: place.signal };
      const done = await describeAll(place, library, meant, options);
      return { planned, done, isStopped: place.signal?.aborted === true };
    });
  },
  isBad: ({ done }) => done !== undefined && done.failed.length + done.left > 0,
  json: ({ planned, done }) => done ?? planned,
  view({ planned, done, isStopped }) {
    if (done === undefined) return [exact(planText(planned))];
    const { model, described, failed, left, usage } = done;
    return [
      exact(`${count(described.length, "session")} summarised by ${model}${cost(usage)}`),
      ...(failed.length === 0
        ? []
        : [exact(`${failed.length} failed: ${oneLine(failed.at(-1)?.error ?? "")}`)]),
      ...(left === 0 ? [] : [exact(`${left} skipped${isStopped ? " (interrupted)" : ""}`)]),
    ];
  },
});

export interface Planned {
  readonly model: string;
  readonly tokens: number;
  readonly sessions: readonly object[];
  readonly hasMore: boolean;
}

function planText({ model, sessions, tokens, hasMore }: Planned): string {
  const more = hasMore ? "; there are more: raise --limit" : "";
  return `${model} will summarise ${count(sessions.length, "session")} and read about ${count(tokens, "token")}${more}`;
}

async function modelOf(settings: Values, env: NodeJS.ProcessEnv): Promise<LanguageModel> {
  // Loaded on demand, because it includes the code for models.
  const { chooseModel } = await import("../../../models/choose-model.ts");
  const { model, problems } = await chooseModel(modelSettings(settings), env);
  if (model !== undefined) return model;
  if (problems.length > 0) throw modelUnusable(problems);
  throw new ContinuoError("no-model", "no model is configured; this command needs one", {
    hint: 'add one to config.json: { "sources": { "sessions": { "modelKeys": ["anthropic/claude-haiku-4-5"] } } }; docs/past-sessions.md lists what is sent',
  });
}

/** Newest first, up to `limit`: sessions with enough prompts that have no model-written summary. Reading one is expensive. */
function dueOf(
  library: Sessions,
  all: readonly PastSession[],
  leastPrompts: number,
  most: number,
): PastSession[] {
  const due: PastSession[] = [];
  for (const one of all) {
    if (due.length >= most) break;
    if (one.counts.prompts < leastPrompts) continue;
    if ((library.briefing(one)?.newPrompts ?? 0) >= leastPrompts) due.push(one);
  }
  return due;
}

function tokensOf(library: Sessions, session: PastSession): number {
  const request = library.briefing(session)?.request;
  return request === undefined ? 0 : countTokens(request.system) + countTokens(request.prompt);
}

async function describeAll(
  { tell }: Place,
  library: Sessions,
  meant: readonly PastSession[],
  options: DescribeOptions,
) {
  const { model, signal } = options;
  const described: object[] = [];
  const failed: { id: string; error: string }[] = [];
  let usage: ModelUsage | undefined;
  let inARow = 0;
  for (const [at, session] of meant.entries()) {
    if (signal?.aborted || inARow >= MOST_FAILURES) break;
    const outcome = await library.describe(session, options).catch((error: unknown) => {
      if (!signal?.aborted) throw error;
    });
    if (outcome === undefined) break;
    const place = `${at + 1}/${meant.length}`;
    if ("usage" in outcome && outcome.usage !== undefined) usage = addUsage(outcome.usage, usage);
    if (outcome.kind === "written") {
      const { host, id } = session;
      described.push({ host, id, name: outcome.record.name, usage: outcome.usage ?? null });
      tell?.(`${place} ${oneLine(outcome.record.name)}${cost(outcome.usage)}`);
      inARow = 0;
      continue;
    }
    const error = outcome.kind === "failed" ? whatFailed(outcome.error) : WHY_NOT[outcome.kind];
    if (outcome.kind === "failed") inARow++;
    failed.push({ id: session.id, error });
    tell?.(`${place} ${oneLine(session.name)}: ${oneLine(error)}`);
  }
  return {
    model: model.key,
    described,
    failed,
    left: meant.length - described.length - failed.length,
    usage: usage ?? null,
  };
}

const WHY_NOT = {
  busy: "another process is summarising it",
  empty: "the session is empty",
  early: "it has too few new prompts; another process may have summarised it",
} as const;

const cost = (usage: ModelUsage | null | undefined): string => (usage ? ` (${usageText(usage)})` : "");
