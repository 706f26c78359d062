import { describeError } from "../../base/errors.ts";
import type { ActionGroup, Place } from "../ports/action.ts";
import type { ToolContext } from "../ports/tool.ts";
import { plainText, UNPAINTED } from "../ports/view.ts";
import { findAction } from "./find-action.ts";
import { inputOfWords } from "./words.ts";

/** What a call inside an agent does not bring with it. */
export type AgentPlace = Pick<Place, "sources" | "openingRoom">;

/** Runs `rules why NAME`, typed after Continuo's command inside an agent. The answer is for the person alone. */
export async function answerInAgent(
  groups: readonly ActionGroup[],
  typed: string,
  call: ToolContext,
  more: AgentPlace,
): Promise<string> {
  try {
    const words = wordsIn(typed);
    if (words.length === 0) return overview(groups);
    const { action, rest } = findAction(groups, words);
    const place = placeOf(call, more);
    const isSure = action.asks !== undefined && rest.includes("--yes");
    const input = inputOfWords(action, isSure ? rest.filter((word) => word !== "--yes") : rest) as never;
    const question = isSure ? undefined : await action.asks?.(input, place);
    if (question !== undefined) throw question.unasked;
    const data = await action.run(input, place);
    return plainText(action.view(data, { env: call.env, cwd: call.cwd, now: call.now, paint: UNPAINTED }));
  } catch (error) {
    const { code, message, hint } = describeError(error);
    if (code === "bug") throw error;
    return hint === undefined ? message : `${message}; ${hint}`;
  }
}

export function placeOf(call: ToolContext, more: AgentPlace): Place {
  const { env, cwd, home, now, history, session, signal } = call;
  return { env, cwd, home, now: () => now, history, session, ...(signal && { signal }), ...more };
}

/** As in a shell, quotes keep words together; no backslash means anything. */
function wordsIn(typed: string): string[] {
  return [...typed.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(
    ([whole, double, single]) => double ?? single ?? whole,
  );
}

function overview(groups: readonly ActionGroup[]): string {
  return groups
    .flatMap(({ actions }) => actions)
    .map(({ name, about }) => `${name}: ${about}`)
    .join("\n");
}
