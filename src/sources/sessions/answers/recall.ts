import { LEFT, label, oneLine } from "../labels.ts";
import type { Sessions } from "../library.ts";
import type { Viewpoint } from "../references/resolve.ts";

const MOST_HITS = 8;
const LONGEST_PASSAGE = 200;

/** Past sessions that have something on these words, best first, each with the passage that shows it. */
export function recallText(library: Sessions, words: string, { self }: Viewpoint): string {
  const { hits, total } = library.search(words, {
    limit: MOST_HITS,
    ...(self !== undefined && { except: self }),
  });
  if (hits.length === 0) return "No past session has any of these words.";
  const lines = hits.map(({ session, best }) => {
    const passage =
      best === undefined ? "" : `\n  ${oneLine(best.snippet, LONGEST_PASSAGE)}${best.isLeft ? LEFT : ""}`;
    return `- ${label(session)}${passage}`;
  });
  return total > hits.length ? [...lines, `${total - hits.length} more`].join("\n") : lines.join("\n");
}
