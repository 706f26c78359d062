import { ContinuoError } from "../../base/errors.ts";
import { count } from "../../base/when.ts";
import type { Inbox, InboxAnswer, PendingSuggestion, Scope } from "../../moments/ports/inbox.ts";
import {
  type Choice,
  describeSuggestion,
  editable,
  hasScope,
  type Progress,
  reviewAll,
  takesEffect,
} from "../../moments/review/review.ts";
import { openInbox } from "../../sources/inbox.ts";
import { findHome } from "../../store/home.ts";
import type { Command, Input, Outcome } from "../command.ts";
import { asker, canAsk, keyAsker } from "../terminal/input.ts";
import { wrap } from "../terminal/wrap.ts";
import { withGuardHooks } from "./install/guards.ts";

export const review: Command = {
  name: "review",
  summary: "decide what Continuo may remember and check, one key each",
  usage: "review [accept|reject|mute ID…] [undo]",
  options: {},
  words: ["accept", "reject", "mute", "undo"],
  uses: [
    ["", "decide in the terminal; without one, or with --json, list what waits"],
    ["accept ID…", "accept suggestions"],
    ["reject ID…", "reject them: they are not suggested again"],
    ["mute ID", "of a question: stop checking the rule"],
    ["undo", "undo the last decision"],
  ],
  run: runReview,
};

/** Also `continuo seed review`. With --json, or without a terminal, it lists. */
export async function runReview(input: Input): Promise<Outcome> {
  const { env, now, history } = input;
  const inbox = await openInbox({ home: findHome(env).root, env, now, history });
  const [what, ...ids] = input.positionals;
  if (what !== undefined) return withHooks(input, await decide(inbox, what, ids));
  const pending = inbox.pending();
  if (pending.length === 0) return { data: { suggestions: [] }, text: "No pending suggestions." };
  if (input.values["json"] === true || !canAsk(input)) return list(await looked(inbox, pending, now));
  return withHooks(input, await inTerminal(input, inbox));
}

/** A check that was accepted may refuse tool calls, which hosts have to ask about. */
async function withHooks(input: Input, outcome: Outcome): Promise<Outcome> {
  const lines = await withGuardHooks(input, findHome(input.env));
  return lines.length === 0 ? outcome : { ...outcome, text: [outcome.text, ...lines].join("\n") };
}

async function decide(inbox: Inbox, what: string, ids: readonly string[]): Promise<Outcome> {
  if (what === "undo" && ids.length === 0) return outcomeOf([await inbox.undo()]);
  if (!(what === "accept" || what === "reject" || what === "mute") || ids.length === 0)
    throw new ContinuoError("usage", `unknown: review ${[what, ...ids].join(" ")}`, {
      hint: "use: continuo review accept|reject|mute ID, or continuo review undo",
    });
  const answers: InboxAnswer[] = [];
  const kinds: PendingSuggestion["kind"][] = [];
  for (const typed of ids) {
    const one = chosenBy(inbox.pending(), typed);
    const isOdd = what === "mute" && one !== undefined && one.kind !== "question";
    const answer = isOdd ? ONLY_QUESTIONS : await decideOne(inbox, what, one?.id ?? typed);
    answers.push(answer);
    if (answer.done && one !== undefined) kinds.push(one.kind);
  }
  return outcomeOf(answers, what === "accept" ? takesEffect(kinds) : []);
}

const MIN_TYPED = 4;

/** By its id, or by the beginning of it if only one begins so. */
function chosenBy(pending: readonly PendingSuggestion[], typed: string): PendingSuggestion | undefined {
  const begun = pending.filter(({ id }) => typed.length >= MIN_TYPED && id.startsWith(typed));
  return pending.find(({ id }) => id === typed) ?? (begun.length === 1 ? begun[0] : undefined);
}

const ONLY_QUESTIONS: InboxAnswer = {
  done: false,
  message: "Only the rule of a question can be muted here.",
};

async function decideOne(inbox: Inbox, what: "accept" | "reject" | "mute", id: string): Promise<InboxAnswer> {
  if (what === "accept") return inbox.accept(id);
  return what === "mute" && inbox.mute !== undefined ? inbox.mute(id) : inbox.reject(id);
}

function outcomeOf(answers: readonly InboxAnswer[], more: readonly string[] = []): Outcome {
  return {
    data: { answers },
    text: wrap([...answers.map(({ message }) => message), ...more].join("\n")),
    exitCode: answers.every(({ done }) => done) ? 0 : 1,
  };
}

/** Trying a check on past sessions takes seconds: nobody waits longer than this for a list. */
const LOOKING_MS = 5_000;

async function looked(
  inbox: Inbox,
  pending: readonly PendingSuggestion[],
  now: () => number,
): Promise<PendingSuggestion[]> {
  const until = now() + LOOKING_MS;
  const seen: PendingSuggestion[] = [];
  for (const one of pending) seen.push(now() < until ? ((await inbox.look?.(one)) ?? one) : one);
  return seen;
}

function list(pending: readonly PendingSuggestion[]): Outcome {
  const text = [
    ...pending.flatMap((one) => [
      `${one.id}  ${describe(one, one.scope)[0]}`,
      ...describe(one, one.scope)
        .slice(1)
        .map((line) => `    ${line}`),
    ]),
    "",
    "To decide: continuo review in a terminal, or continuo review accept|reject ID…",
  ].join("\n");
  return { data: { suggestions: pending }, text: wrap(text) };
}

async function inTerminal(input: Input, inbox: Inbox): Promise<Outcome> {
  const keys = keyAsker(input);
  const line = asker(input);
  const { done, accepted, rejected, effect, left, said } = await reviewAll(inbox, async (one, progress) =>
    chooseByKey(one, progress, keys, line),
  );
  const text = [
    ...(done.length === 0 ? [said ?? "Nothing was decided."] : done),
    ...effect,
    ...(left === 0 ? [] : [`${count(left, "suggestion")} ${left === 1 ? "waits" : "wait"}.`]),
    ...(done.length === 0 ? [] : ["To undo: continuo review undo"]),
  ].join("\n");
  return { data: { accepted, rejected, left, done }, text: wrap(text) };
}

/** Asks again after a change of the scope, and after an edit that was left empty. */
export function chooseByKey(
  one: PendingSuggestion,
  { last, left }: Progress,
  askKey: (question: string, keys: string) => string | undefined,
  askLine: (question: string) => string | undefined,
): Choice {
  let { scope } = one;
  let before = last === undefined ? "" : `\n${last}\n`;
  for (;;) {
    const about = describe(one, scope).map((line) => `  ${line}`);
    const { keys, question } = keysFor(one, scope);
    const shown = [before, `${count(left, "suggestion")} left`, ...about, question].join("\n");
    const key = askKey(`${wrap(shown)} `, keys) ?? "q";
    before = "";
    if (key === "s") scope = scope === "everywhere" ? "project" : "everywhere";
    else if (key === "e") {
      const what = one.kind === "check" ? "New pattern instead of" : "New text instead of";
      const text = askLine(`${what} "${editable(one)}": `) ?? "";
      if (text !== "") return { do: "accept", text, scope };
    } else return key === "a" ? { do: "accept", scope } : SIMPLE[key as keyof typeof SIMPLE];
  }
}

function keysFor(one: PendingSuggestion, scope: Scope): { keys: string; question: string } {
  if (one.kind === "question")
    return {
      keys: "amrluq",
      question: "[a]ccept: refuse it [r]eject: go on as before [m]ute: stop checking [l]ater [u]ndo [q]uit",
    };
  const other = scope === "everywhere" ? "only this project" : "all projects";
  const change = hasScope(one) ? ` [s]witch to ${other}` : "";
  return {
    keys: hasScope(one) ? "aserluq" : "aerluq",
    question: `[a]ccept [e]dit${change} [r]eject [l]ater [u]ndo [q]uit`,
  };
}

const SIMPLE = {
  r: { do: "reject" },
  m: { do: "mute" },
  l: { do: "later" },
  u: { do: "undo" },
  q: { do: "stop" },
} as const satisfies Record<string, Choice>;

function describe(one: PendingSuggestion, scope: Scope): string[] {
  if (one.isFixed === true) return describeSuggestion(one);
  const where = scope === "everywhere" ? "all projects" : (one.project ?? "its project");
  return [...describeSuggestion(one), `For ${where}`];
}
