import { assertAwaited } from "../../base/deadline.ts";
import { ContinuoError, whyRefused } from "../../base/errors.ts";
import type { Action, ActionGroup, Place } from "../ports/action.ts";
import type { ToolContext } from "../ports/tool.ts";
import { plainText, UNPAINTED } from "../ports/view.ts";
import { findAction } from "./find-action.ts";
import { inputOfWords } from "./words.ts";

/** The parts of a place that a call inside an agent does not provide. */
export type AgentPlace = Pick<Place, "sources" | "openingRoom">;

/** Runs `rules why NAME`, typed after Continuo's command inside an agent. Only the user sees the answer. */
export async function answerInAgent(
  groups: readonly ActionGroup[],
  typed: string,
  call: ToolContext,
  more: AgentPlace,
): Promise<string> {
  try {
    if (typed.length > MOST_TYPED)
      throw new ContinuoError("input-too-large", `that has more than ${MOST_TYPED} characters`, {
        hint: "put the text into a file, and use the command line with --file",
      });
    const words = wordsIn(typed);
    if (words.length === 0) return overview(groups);
    const found = findAction(
      groups,
      words.map(({ word }) => word),
    );
    const { action } = found;
    const rest = textIn(typed.slice(words.at(-1 - found.rest.length)?.end).trim());
    const place = placeOf(call, more);
    const said = action.asks === undefined ? rest : rest.filter((word) => word !== "--yes");
    const input = inputOfWords(action, said);
    const key = JSON.stringify([call.session.host, call.session.id, action.name, said]);
    if (said.length === rest.length) {
      const question = await action.asks?.(input as never, place);
      if (question !== undefined) {
        remember(key, question.input ?? input);
        if (question.unasked === undefined) return question.declined.text;
        throw question.unasked;
      }
    }
    const text = await textOf(action, asked.get(key) ?? input, place);
    asked.delete(key);
    return text;
  } catch (error) {
    return whyRefused(error);
  }
}

/**
 * The inputs that questions were asked about. The agent may change the subject while the user reads, so a later --yes
 * applies only to what was shown.
 */
const asked = new Map<string, object>();
const MOST_ASKED = 100;

function remember(key: string, input: object): void {
  asked.delete(key);
  asked.set(key, input);
  const [oldest] = asked.keys();
  if (asked.size > MOST_ASKED && oldest !== undefined) asked.delete(oldest);
}

export function placeOf(call: ToolContext, more: AgentPlace): Place {
  const { env, cwd, home, now, history, session, signal } = call;
  return { env, cwd, home, now: () => now, history, session, ...(signal && { signal }), ...more };
}

/** The output for readers without columns and colours. */
export async function textOf(action: Action, input: object, place: Place): Promise<string> {
  const { env, cwd, now } = place;
  // Finding the question may have used up the time: the user was then told that nothing was done.
  assertAwaited(place.signal);
  const data = await action.run(input as never, place);
  return plainText(action.view(data as never, { env, cwd, now: now(), paint: UNPAINTED }));
}

/** Parsing a hundred thousand words would block the agent for seconds, a million for minutes. */
const MOST_TYPED = 100_000;

/** As in a shell, quotes keep words together; backslashes have no meaning. */
function wordsIn(typed: string, form = /"([^"]*)"|'([^']*)'|\S+/g) {
  return [...typed.matchAll(form)].map(([whole, double, single], at, all) => ({
    word: double ?? single ?? whole,
    end: (all[at]?.index ?? 0) + whole.length,
  }));
}

/** Like the previous function, but keeps line breaks, so that a note keeps its lines. */
function textIn(typed: string): string[] {
  return wordsIn(typed, /"([^"]*)"|'([^']*)'|\S+(?:[^\S\n]*\n\s*\S+)*/g).map(({ word }) => word);
}

function overview(groups: readonly ActionGroup[]): string {
  return groups
    .flatMap(({ actions }) => actions)
    .map(({ name, about }) => `${name}: ${about}`)
    .join("\n");
}
