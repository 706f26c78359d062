import { count } from "../../base/when.ts";
import type { PromptText } from "../../compose/escape.ts";
import { findAction } from "../actions/find-action.ts";
import { placeOf, textOf } from "../actions/in-agent.ts";
import type { SourceModule } from "../ports/source.ts";
import type { Suggestions } from "../ports/suggestions.ts";
import type { ToolContext } from "../ports/tool.ts";
import { reviewGroup } from "./actions.ts";
import { describeSuggestion, type Reviewed, reviewByForm } from "./review.ts";
import { openSuggestions } from "./suggestions.ts";

/**
 * Lets the user decide by forms before any model is asked. The model then gets one line without any suggestion in it: a
 * suggestion means nothing to a model until it is accepted.
 */
export async function reviewPrompt(modules: readonly SourceModule[], call: ToolContext): Promise<PromptText> {
  const inbox = await inboxFor(modules, call);
  const pending = inbox.list().length;
  if (pending === 0)
    return { quoted: "", request: "Continuo has no suggestions for me to review. Nothing to do." };
  const ask = call.host?.ask;
  const reviewed = ask === undefined ? undefined : await reviewByForm(inbox, ask);
  if (reviewed !== undefined && reviewed.done.length > 0) {
    const rest = reviewed.left === 0 ? "" : ` ${waiting(reviewed.left)}: continue with the same command.`;
    return {
      quoted: "",
      request: `I reviewed Continuo's suggestions: ${[`${outcome(reviewed)}.`, ...reviewed.effect].join(" ")}${rest} Nothing to do.`,
    };
  }
  const how = ask === undefined ? "This program has no form for it. " : "Nothing was decided. ";
  return {
    quoted: "",
    request: `Tell me only this: ${how}${waiting(pending)}; I decide in a terminal with: continuo review`,
  };
}

function inboxFor(
  modules: readonly SourceModule[],
  { home, env, history }: Pick<ToolContext, "home" | "env" | "history">,
): Promise<Suggestions> {
  return openSuggestions(modules, { home: home.root, env, history });
}

/** For hosts that run Continuo themselves: the answer is for the person alone. */
export async function reviewCommand(
  modules: readonly SourceModule[],
  argument: string,
  call: ToolContext,
): Promise<string> {
  const inbox = await inboxFor(modules, call);
  const { host } = call;
  const pending = inbox.list();
  if (argument.trim() !== "") return decide(modules, argument, call);
  if (pending.length === 0) return "No pending suggestions.";
  if (host?.ask === undefined) return list(inbox);
  const reviewed = await reviewByForm(inbox, host.ask);
  if (reviewed.done.length === 0) return `Nothing was decided. ${waiting(reviewed.left)}.`;
  return [
    ...reviewed.done,
    ...reviewed.effect,
    ...(reviewed.left === 0 ? [] : [`${waiting(reviewed.left)}.`]),
  ].join("\n");
}

/** As many as fit into a toast. */
const SHOWN = 5;

function list(inbox: Suggestions): string {
  const pending = inbox.list();
  return [
    ...pending.slice(0, SHOWN).flatMap((one, i) => {
      const [text, ...details] = describeSuggestion(one);
      return [`${i + 1}  ${text}`, ...details.map((line) => `   ${line}`)];
    }),
    ...(pending.length > SHOWN ? [`and ${pending.length - SHOWN} more`] : []),
    "To decide: accept 1, reject 1, undo",
  ].join("\n");
}

/** `accept 1`, `reject 2`, `mute 3` with the list's numbers, or `undo`. */
async function decide(
  modules: readonly SourceModule[],
  argument: string,
  call: ToolContext,
): Promise<string> {
  const [, what, typed] = /^(accept|reject|mute|undo)(?:\s+(\d{1,3}))?$/.exec(argument.trim()) ?? [];
  const chosen = typed === undefined ? undefined : (await inboxFor(modules, call)).list()[Number(typed) - 1];
  const isComplete = what === "undo" ? typed === undefined : chosen !== undefined;
  if (what === undefined || !isComplete)
    return "Use: accept NUMBER, reject NUMBER, mute NUMBER (for a rule that agents keep breaking) or undo. Without an argument, the suggestions are listed.";
  const { action } = findAction([reviewGroup(modules)], ["review", what]);
  const input = chosen === undefined ? {} : { ids: [chosen.id], exact: true };
  return textOf(action, input, placeOf(call, { sources: async () => modules.map(({ source }) => source) }));
}

function outcome({ accepted, rejected }: Reviewed): string {
  return [
    ...(accepted === 0 ? [] : [`${accepted} accepted`]),
    ...(rejected === 0 ? [] : [`${rejected} rejected`]),
  ].join(", ");
}

function waiting(many: number): string {
  return `${count(many, "suggestion")} left to review`;
}
