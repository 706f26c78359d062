import { count } from "../../base/when.ts";
import type { Scope } from "../../sources/seed/file/sidecar.ts";
import { type Inbox, openInbox, type PendingProposal } from "../../sources/seed/learning/inbox.ts";
import {
  type Choice,
  describeSuggestion,
  type Progress,
  reviewAll,
  TAKES_EFFECT,
} from "../../sources/seed/learning/review.ts";
import { findHome } from "../../store/home.ts";
import type { Command, Input, Outcome } from "../command.ts";
import { asker, canAsk, keyAsker } from "../terminal/input.ts";

export const review: Command = {
  name: "review",
  summary: "decide on what Continuo suggests to remember, one key each",
  usage: "review",
  options: {},
  run: runReview,
};

/** Also `continuo seed review`. With --json, or without a terminal, it lists. */
export async function runReview(input: Input): Promise<Outcome> {
  const inbox = openInbox({ home: findHome(input.env).root, env: input.env, now: input.now });
  const pending = inbox.pending();
  if (pending.length === 0) return { data: { suggestions: [] }, text: "No pending suggestions." };
  if (input.values["json"] === true || !canAsk(input)) return list(pending);
  return inTerminal(input, inbox);
}

function list(pending: readonly PendingProposal[]): Outcome {
  const text = [
    ...pending.flatMap((one) => [
      `${one.id}  ${describe(one, one.scope)[0]}`,
      ...describe(one, one.scope)
        .slice(1)
        .map((line) => `    ${line}`),
    ]),
    "",
    "To decide: continuo review in a terminal, or continuo seed accept|reject ID…",
  ].join("\n");
  return { data: { suggestions: pending }, text };
}

async function inTerminal(input: Input, inbox: Inbox): Promise<Outcome> {
  const keys = keyAsker(input);
  const line = asker(input);
  const { done, accepted, rejected, left } = await reviewAll(inbox, async (one, progress) =>
    chooseByKey(one, progress, keys, line),
  );
  const text = [
    ...(done.length === 0 ? ["Nothing was decided."] : done),
    ...(accepted === 0 ? [] : [TAKES_EFFECT]),
    ...(left === 0 ? [] : [`${count(left, "suggestion")} ${left === 1 ? "waits" : "wait"}.`]),
    ...(done.length === 0 ? [] : ["To undo: continuo seed undo"]),
  ].join("\n");
  return { data: { accepted, rejected, left, done }, text };
}

/** Asks again after a change of the scope, and after an edit that was left empty. */
export function chooseByKey(
  one: PendingProposal,
  { last, left }: Progress,
  askKey: (question: string, keys: string) => string | undefined,
  askLine: (question: string) => string | undefined,
): Choice {
  let { scope } = one;
  let before = last === undefined ? "" : `\n${last}\n`;
  for (;;) {
    const about = describe(one, scope).map((line) => `  ${line}`);
    const other = scope === "everywhere" ? "only this project" : "all projects";
    const keys = one.project === undefined ? "aerluq" : "aserluq";
    const change = one.project === undefined ? "" : ` [s]witch to ${other}`;
    const question = `${before}\n${count(left, "suggestion")} left\n${about.join("\n")}\n[a]ccept [e]dit${change} [r]eject [l]ater [u]ndo [q]uit `;
    const key = askKey(question, keys) ?? "q";
    before = "";
    if (key === "s") scope = scope === "everywhere" ? "project" : "everywhere";
    else if (key === "e") {
      const text = askLine(`New text instead of "${one.text}": `) ?? "";
      if (text !== "") return { do: "accept", text, scope };
    } else return key === "a" ? { do: "accept", scope } : SIMPLE[key as keyof typeof SIMPLE];
  }
}

const SIMPLE = {
  r: { do: "reject" },
  l: { do: "later" },
  u: { do: "undo" },
  q: { do: "stop" },
} as const satisfies Record<string, Choice>;

function describe(one: PendingProposal, scope: Scope): string[] {
  const where = scope === "everywhere" ? "all projects" : (one.project ?? "its project");
  return [...describeSuggestion(one), `For ${where}`];
}
