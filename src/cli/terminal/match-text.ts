import { oneLine } from "../../base/for-terminal.ts";

/** Why something was found, in words: `matches: deploy, search`. The score is for programs. */
export function matchText({
  matched,
  textScore,
}: {
  readonly matched: readonly string[];
  readonly textScore: number;
}): string {
  if (matched.length > 0) return `matches: ${oneLine(matched.join(", "))}`;
  return textScore > 0 ? "matches elsewhere in it" : "matches by meaning";
}
