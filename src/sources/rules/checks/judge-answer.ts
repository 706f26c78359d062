import type { CheckSet } from "./check-set.ts";
import type { Findings } from "./findings.ts";
import { type Line, MAX_SEARCHED, SearchedText } from "./searched-text.ts";

/**
 * Looks at the agent's final answer, line by line. `never` is about what the agent says, so code blocks do not count: code
 * that it shows may well contain the text. `must` is met by any line. Typographic quotation marks count as straight ones
 * too: models write both, and a person who writes a rule cannot know which.
 */
export function judgeAnswer(set: CheckSet, answer: string, findings: Findings): void {
  if (set.answer.length === 0 || answer.trim() === "") return;
  if (answer.length > MAX_SEARCHED) {
    for (const one of set.answer) findings.unknown(one);
    return;
  }
  const whole = variantsOf(answer);
  const prose = variantsOf(withoutCode(answer));
  for (const one of set.answer) {
    if (findings.leavesOut(one)) continue;
    const { never, must } = one.check;
    const pattern = never ?? must ?? "";
    const lines = new Map<number, Line>();
    let isUnknown = false;
    for (const text of never === undefined ? whole : prose) {
      const found = text.linesWith(pattern, findings.budgetOf(one));
      if (found === "unknown") isUnknown = true;
      else for (const line of found) if (!lines.has(line.start)) lines.set(line.start, line);
    }
    if (isUnknown) {
      findings.unknown(one);
      continue;
    }
    findings.occasion(one);
    if (never === undefined && lines.size === 0) findings.breach(one, () => ({ text: "" }));
    if (never === undefined) continue;
    for (const { start, text } of [...lines.values()].sort((a, b) => a.start - b.start))
      findings.breach(one, () => ({ text: prose[0].text.slice(start, start + text.length) }));
  }
}

/** As it is, and with straight quotation marks if that makes a difference. */
function variantsOf(text: string): [SearchedText, ...SearchedText[]] {
  const straight = text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"');
  return straight === text ? [new SearchedText(text)] : [new SearchedText(text), new SearchedText(straight)];
}

/** With the lines of fenced code blocks left empty. A block that is not closed ends with the text. */
function withoutCode(text: string): string {
  let fence: string | undefined;
  return text
    .split("\n")
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence === undefined) {
        fence = mark;
        return mark === undefined ? line : "";
      }
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
      return "";
    })
    .join("\n");
}
