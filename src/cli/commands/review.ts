import { ContinuoError } from "../../base/errors.ts";
import { oneLine, shortId } from "../../base/for-terminal.ts";
import { count } from "../../base/when.ts";
import type { Scope, Suggestion, SuggestionAnswer, Suggestions } from "../../moments/ports/suggestions.ts";
import {
  type Choice,
  describeSuggestion,
  editable,
  hasScope,
  leftWords,
  type Progress,
  reviewAll,
  takesEffect,
} from "../../moments/review/review.ts";
import { withGuardHooks } from "../../setup/guards.ts";
import { SEED_GROUP } from "../../sources/profile/actions/index.ts";
import { allSuggestions } from "../../sources/suggestions.ts";
import { findHome } from "../../store/home.ts";
import { asCommand } from "../actions/as-command.ts";
import type { Command, Input, Outcome } from "../command.ts";
import { asker, canAsk } from "../terminal/input.ts";
import { type AskKey, askKey } from "../terminal/key-asker.ts";
import { nextSteps } from "../terminal/next-step.ts";
import { paintFor } from "../terminal/paint.ts";
import { PLAIN } from "../terminal/screen.ts";
import { wrap } from "../terminal/wrap.ts";

export const review: Command = {
  name: "review",
  summary: "accept or reject what Continuo suggests",
  usage: "review [SUBCOMMAND]",
  section: "rules",
  guide:
    'Continuo finds wishes in your sessions, such as "from now on use pnpm", and suggests learnings and checks. It also asks what to do about a rule that agents keep breaking. Nothing has an effect until you accept it.\n\nWithout a terminal, or with --json, it lists the pending suggestions.',
  options: {},
  arguments: { ID: { help: "a suggestion; the first four characters of its id are enough" } },
  alone: "decide on each suggestion in the terminal, with one key",
  subcommands: [
    {
      name: "accept",
      args: "ID…",
      summary: "accept suggestions",
      options: [],
      examples: [["continuo review accept 3f2a", "accept the suggestion whose id begins like this"]],
    },
    {
      name: "reject",
      args: "ID…",
      summary: "reject suggestions; they are not suggested again",
      options: [],
      examples: [["continuo review reject 3f2a 91bc", "reject two"]],
    },
    {
      name: "mute",
      args: "ID…",
      summary: "for a rule that agents keep breaking: stop checking it",
      options: [],
      examples: [["continuo review mute 3f2a", "stop checking this rule"]],
    },
    {
      name: "undo",
      summary: "undo the last decision",
      options: [],
      examples: [["continuo review undo", "the suggestion is pending again"]],
    },
  ],
  examples: [
    ["continuo review", "decide on each suggestion with one key"],
    ["continuo review --json", "list pending suggestions, for a script"],
  ],
  run: runReview,
};

const forProfile = asCommand(SEED_GROUP);

/** What one can do with the profile, and `seed review`, which is `review`. */
export const seedCommand: Command = {
  ...forProfile,
  // After `proposals`.
  subcommands: forProfile.subcommands?.toSpliced(4, 0, {
    name: "review",
    summary: "decide on suggestions one by one; same as continuo review",
    options: [],
    examples: [["continuo seed review", "decide with single keys"]],
  }),
  run(input) {
    const [name, ...positionals] = input.positionals;
    return name === "review" ? runReview({ ...input, positionals }) : forProfile.run(input);
  },
};

/** With --json, or without a terminal, it lists. */
async function runReview(input: Input): Promise<Outcome> {
  const { env, now, history } = input;
  const inbox = await allSuggestions({ home: findHome(env).root, env, now, history });
  const [what, ...ids] = input.positionals;
  if (what !== undefined) return withHooks(input, await decide(inbox, what, ids));
  const pending = inbox.list();
  if (pending.length === 0) return { data: { suggestions: [] }, text: nothingWaits(input) };
  if (input.values["json"] === true || !canAsk(input)) return list(await looked(inbox, pending, now), input);
  return withHooks(input, await inTerminal(input, inbox));
}

function nothingWaits({ screen = PLAIN }: Input): string {
  return [
    "No pending suggestions.",
    ...nextSteps(
      screen,
      ["continuo init", "Suggest the instructions of CLAUDE.md and AGENTS.md"],
      ["continuo seed show", "Learnings that you accepted"],
    ),
  ].join("\n");
}

/** A check that was accepted may refuse tool calls, which hosts have to ask about. */
async function withHooks(input: Input, outcome: Outcome): Promise<Outcome> {
  const lines = await withGuardHooks(input, findHome(input.env));
  return lines.length === 0 ? outcome : { ...outcome, text: [outcome.text, ...lines].join("\n") };
}

async function decide(inbox: Suggestions, what: string, ids: readonly string[]): Promise<Outcome> {
  if (what === "undo" && ids.length === 0) return outcomeOf([await inbox.withdraw()]);
  if (what !== "accept" && what !== "reject" && what !== "mute")
    throw new ContinuoError("usage", `unknown subcommand "review ${what}"`, {
      hint: "use continuo review accept|reject|mute ID…, or continuo review undo",
    });
  if (ids.length === 0)
    throw new ContinuoError("usage", "ID is missing", {
      hint: `usage: continuo review ${what} ID…; to list the ids: continuo review --json`,
    });
  const answers: SuggestionAnswer[] = [];
  const kinds: Suggestion["kind"][] = [];
  for (const typed of ids) {
    const one = chosenBy(inbox.list(), typed);
    if (one === undefined) {
      answers.push({ done: false, message: `No pending suggestion has the id "${oneLine(typed)}".` });
      continue;
    }
    const isOdd = what === "mute" && one.kind !== "question";
    const answer = isOdd ? ONLY_QUESTIONS : await decideOne(inbox, what, one.id);
    answers.push(answer);
    if (answer.done) kinds.push(one.kind);
  }
  return outcomeOf(answers, what === "accept" ? takesEffect(kinds) : []);
}

const MIN_TYPED = 4;

/** By its id, or by the beginning of it if only one begins so. */
function chosenBy(pending: readonly Suggestion[], typed: string): Suggestion | undefined {
  const begun = pending.filter(({ id }) => typed.length >= MIN_TYPED && id.startsWith(typed));
  return pending.find(({ id }) => id === typed) ?? (begun.length === 1 ? begun[0] : undefined);
}

const ONLY_QUESTIONS: SuggestionAnswer = {
  done: false,
  message: "mute is only for suggestions about a rule that agents keep breaking. Use accept or reject.",
};

async function decideOne(
  inbox: Suggestions,
  what: "accept" | "reject" | "mute",
  id: string,
): Promise<SuggestionAnswer> {
  if (what === "accept") return inbox.accept(id);
  return what === "mute" && inbox.mute !== undefined ? inbox.mute(id) : inbox.reject(id);
}

function outcomeOf(answers: readonly SuggestionAnswer[], more: readonly string[] = []): Outcome {
  return {
    data: { answers },
    text: wrap([...answers.map(({ message }) => message), ...more].join("\n")),
    exitCode: answers.every(({ done }) => done) ? 0 : 1,
  };
}

/** Trying a check on past sessions takes seconds: nobody waits longer than this for a list. */
const LOOKING_MS = 5_000;

async function looked(
  inbox: Suggestions,
  pending: readonly Suggestion[],
  now: () => number,
): Promise<Suggestion[]> {
  const until = now() + LOOKING_MS;
  const seen: Suggestion[] = [];
  for (const one of pending) seen.push(now() < until ? ((await inbox.look?.(one)) ?? one) : one);
  return seen;
}

function list(pending: readonly Suggestion[], { screen = PLAIN }: Input): Outcome {
  const paint = paintFor(screen);
  const ids = pending.map(({ id }) => ({ session: id }));
  const text = [
    ...pending.flatMap((one) => [
      `${paint("dim", shortId(one.id, ids))}  ${paint("bold", describe(one, one.scope)[0] ?? "")}`,
      ...describe(one, one.scope)
        .slice(1)
        .map((line) => `    ${line}`),
    ]),
    "",
    "To decide: continuo review in a terminal, or continuo review accept|reject ID…",
  ].join("\n");
  return { data: { suggestions: pending }, text: wrap(text, { width: screen.width }) };
}

async function inTerminal(input: Input, inbox: Suggestions): Promise<Outcome> {
  const line = asker(input);
  const { done, accepted, rejected, effect, left, said } = await reviewAll(inbox, (one, progress) =>
    chooseByKey(one, progress, askKey, line),
  );
  const text = [
    ...(done.length === 0 ? [said ?? "Nothing was decided."] : done),
    ...effect,
    ...(left === 0 ? [] : [`${count(left, "suggestion")} left to review.`]),
    ...(done.length === 0 ? [] : ["To undo: continuo review undo"]),
  ].join("\n");
  return { data: { accepted, rejected, left, done }, text: wrap(text) };
}

/** Asks again after a change of the scope, and after an edit that was left empty. */
export async function chooseByKey(
  one: Suggestion,
  progress: Progress,
  askKey: AskKey,
  askLine: (question: string) => string | undefined,
): Promise<Choice> {
  const { last } = progress;
  let { scope } = one;
  let before = last === undefined ? "" : `\n${last}\n`;
  for (;;) {
    const about = describe(one, scope).map((line) => `  ${line}`);
    const { keys, prompt } = keysFor(one, scope);
    const shown = [before, leftWords(progress), ...about].join("\n");
    const key = (await askKey(wrap(shown), wrap(prompt), keys)) ?? "q";
    before = "";
    if (key === "s") scope = scope === "everywhere" ? "project" : "everywhere";
    else if (key === "e") {
      const what = one.kind === "check" ? "New pattern instead of" : "New text instead of";
      const text = askLine(`${what} "${editable(one)}": `) ?? "";
      if (text !== "") return { do: "accept", text, scope };
    } else return key === "a" ? { do: "accept", scope } : SIMPLE[key as keyof typeof SIMPLE];
  }
}

function keysFor(one: Suggestion, scope: Scope): { keys: string; prompt: string } {
  if (one.kind === "question")
    return {
      keys: "amrluq",
      prompt: "[a]ccept: refuse it [r]eject: keep checking [m]ute: stop checking [l]ater [u]ndo [q]uit",
    };
  const other = scope === "everywhere" ? "only this project" : "all projects";
  const change = hasScope(one) ? ` [s]witch to ${other}` : "";
  return {
    keys: hasScope(one) ? "aserluq" : "aerluq",
    prompt: `[a]ccept [e]dit${change} [r]eject [l]ater [u]ndo [q]uit`,
  };
}

const SIMPLE = {
  r: { do: "reject" },
  m: { do: "mute" },
  l: { do: "later" },
  u: { do: "undo" },
  q: { do: "stop" },
} as const satisfies Record<string, Choice>;

function describe(one: Suggestion, scope: Scope): string[] {
  if (one.isFixed === true) return describeSuggestion(one);
  const where = scope === "everywhere" ? "all projects" : (one.project ?? "its project");
  return [...describeSuggestion(one), `For ${where}`];
}
