import { countTokens } from "../../compose/tokens.ts";
import type { Answered } from "../../moments/find.ts";
import type { Found } from "../../moments/ports/finder.ts";

/** For all kinds together; each may use its share of it. */
const MOST_TOKENS = 4_000;

/** What was found, kind by kind, for a model. */
export function foundText(answers: readonly Answered[]): string {
  const share = Math.floor(MOST_TOKENS / Math.max(1, answers.length));
  return answers.map((answer) => kindText(answer, share)).join("\n\n");
}

function kindText(answer: Answered, tokens: number): string {
  const { finder } = answer;
  if ("failure" in answer) return `The ${finder.kind} could not be searched: ${answer.failure}`;
  const { hits, total, notices } = answer.findings;
  if (hits.length === 0) return [finder.nothing, ...notices].join("\n");
  const { page, pageSize } = answer.sought;
  const shown = within(hits.map(hitText), tokens);
  const unshown = hits.length - shown.length;
  const rest = total - page * pageSize;
  return [
    finder.heading,
    ...shown,
    ...(unshown > 0 ? [`${unshown} of this page had no room: ask with a smaller pageSize`] : []),
    ...(rest > 0 ? [`${rest} more: page ${page + 1}`] : []),
    ...notices,
  ].join("\n");
}

function hitText({ title, where, score, excerpt, goOn }: Found): string {
  return [
    `- ${title} (${where.join(", ")}) ${score.toFixed(2)}`,
    ...(excerpt === "" ? [] : [`  ${excerpt}`]),
    ...(goOn === undefined ? [] : [`  resume: ${goOn}`]),
  ].join("\n");
}

/** Whole ones, the best first; the first one always. */
function within(texts: readonly string[], tokens: number): readonly string[] {
  let left = tokens;
  const first = texts.findIndex((text, at) => {
    left -= countTokens(text) + 1;
    return left < 0 && at > 0;
  });
  return first < 0 ? texts : texts.slice(0, first);
}
