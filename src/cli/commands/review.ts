import { count } from "../../base/when.ts";
import type { Scope, Suggestion, Suggestions } from "../../moments/ports/suggestions.ts";
import { reviewGroup } from "../../moments/review/actions.ts";
import {
  type Choice,
  describePlaced,
  editable,
  hasScope,
  leftWords,
  type Progress,
  reviewAll,
} from "../../moments/review/review.ts";
import { MODULES } from "../../sources/index.ts";
import { SEED_GROUP } from "../../sources/profile/actions/index.ts";
import { allSuggestions } from "../../sources/suggestions.ts";
import { findHome } from "../../store/home.ts";
import { asCommand } from "../actions/as-command.ts";
import type { Command, Input, Outcome } from "../command.ts";
import { asker, canAsk } from "../terminal/input.ts";
import { type AskKey, askKey } from "../terminal/key-asker.ts";
import { wrap } from "../terminal/wrap.ts";

const forActions = asCommand(reviewGroup(MODULES));

export const review: Command = {
  ...forActions,
  alone: "decide on each suggestion in the terminal, with one key",
  run: runReview,
};

const forProfile = asCommand(SEED_GROUP);

/** The actions on the profile, and `seed review`, which is the same as `review`. */
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

/** With --json, or without a terminal, it only lists. */
async function runReview(input: Input): Promise<Outcome> {
  const isTyped = input.positionals.length > 0 || input.values["json"] === true || !canAsk(input);
  if (isTyped) return forActions.run(input);
  const { env, now, history } = input;
  const inbox = await allSuggestions({ home: findHome(env).root, env, now, history });
  return inbox.list().length === 0 ? forActions.run(input) : inTerminal(input, inbox);
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
  // An accepted check may refuse tool calls, which hosts must ask about.
  const guards = await (await input.others(input)).putGuards();
  return { data: { accepted, rejected, left, done }, text: [wrap(text), ...guards].join("\n") };
}

/** Asks again after a change of the scope, and after an edit without text. */
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
    const about = describePlaced(one, scope).map((line) => `  ${line}`);
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
