import { oneLine } from "../../../base/for-terminal.ts";
import type { Hit } from "../../../sources/memory/search/search.ts";
import type { Input } from "../../command.ts";
import { ago } from "../../terminal/ago.ts";
import { highlighted } from "../../terminal/highlight.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";

export interface Page {
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
}

/** Below the title, beside the score. */
export const INDENT = "      ";

/** The notes that a search found: title, address, age and passage, with the words that matched highlighted. */
export function hitLines(
  input: Pick<Input, "screen" | "now">,
  hits: readonly Hit[],
  words: readonly string[],
  { total, page, pageSize }: Page,
): string[] {
  const pages = Math.ceil(total / pageSize);
  if (total === 0) return ["No matching notes. Try fewer words or another spelling."];
  if (hits.length === 0) return [`Page ${page} does not exist; the last page is ${pages}.`];
  const screen = input.screen ?? PLAIN;
  const paint = paintFor(screen);
  const fold = (line: string) => wrapOn(line, screen, { hang: 0 });
  return [
    ...hits.flatMap(({ score, title, uri, modified, snippet }) => [
      wrapOn(
        `${paint("dim", score.toFixed(2))}  ${highlighted(paint, oneLine(title), words, (text) => paint("bold", text))}`,
        screen,
        { hang: INDENT.length },
      ),
      fold(`${INDENT}${paint("dim", `${oneLine(uri)}  ${ago(modified, input.now())}`)}`),
      ...passageLines(title, snippet).map((line) => fold(INDENT + highlighted(paint, line, words))),
      "",
    ]),
    `${counted(total, "note")}${pages > 1 ? `, page ${page} of ${pages}` : ""}`,
  ];
}

/** A note that begins with its title as a heading would show it twice. */
function passageLines(title: string, snippet: string): string[] {
  const passage = oneLine(snippet);
  const heading = `# ${oneLine(title)} `;
  const rest = passage.startsWith(heading) ? passage.slice(heading.length) : passage;
  return rest === "" ? [] : [rest];
}

/** What to do next with what was found. */
export function afterHits(
  { screen = PLAIN }: Pick<Input, "screen">,
  hits: readonly Hit[],
  { total, page, pageSize }: Page,
): string[] {
  if (hits.length === 0) return [];
  return nextSteps(
    screen,
    ["continuo read NOTE", "Read one, by its title or address"],
    page * pageSize < total ? [`--page ${page + 1}`, "For the next page, add"] : undefined,
  );
}
