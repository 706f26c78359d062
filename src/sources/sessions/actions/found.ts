import { forTerminal, oneLine } from "../../../base/for-terminal.ts";
import { clipWithin } from "../../../base/text.ts";
import { count } from "../../../base/when.ts";
import type { Shown } from "../../../moments/ports/view.ts";
import { matchText } from "../../../search/marks.ts";
import { ABANDONED, shownName } from "../labels.ts";
import type { SessionHit, Sessions } from "../library.ts";
import type { RankedPassage } from "../session.ts";
import { factsOf, type Listed, listed, type Names, toJson } from "./shown.ts";

// A found session, as every search shows it.

export interface ListedHit extends SessionHit {
  readonly session: Listed;
}

export const listedHit = (hit: SessionHit, library: Sessions): ListedHit => ({
  ...hit,
  session: listed(hit.session, library),
});

/** The most characters of a name: an agent may have used a whole prompt as one. */
const MAX_NAME = 200;

/** Its name, where it was, why it was found, its best passage, and the command that resumes it. */
export function foundLines(hit: ListedHit, { agent, short }: Names, { paint, now }: Shown): string[] {
  const { session, best, copies = [] } = hit;
  const same = copies.length === 0 ? "" : `; ${count(copies.length, "copy", "copies")}`;
  const facts = `${factsOf(session, agent, now)}; ${matchText(hit)}${same}`;
  return [
    paint("bold", clipWithin(oneLine(shownName(session)), MAX_NAME)),
    `  ${paint("dim", facts)}`,
    ...(best === undefined ? [] : [`  ${speakerOf(best)}: ${marked(best, paint)}`]),
    `  ${paint("cyan", `continuo sessions ${session.resume === null ? "show" : "resume"} ${short(session.id)}`)}`,
  ];
}

/** As in `--json`, with the agent's own command that resumes it. */
export function foundToJson({ session, ...hit }: ListedHit) {
  const copies = hit.copies?.map(({ host, id }) => ({ host, id }));
  return { ...toJson(session), ...hit, best: hit.best ?? null, ...(copies && { copies }) };
}

export function speakerOf({ role, isCalls, isLeft }: RankedPassage): string {
  return `${isCalls ? "tools" : role}${isLeft ? ABANDONED : ""}`;
}

/** The passage with matching words coloured. */
function marked({ snippet, marks = [] }: RankedPassage, paint: Shown["paint"]): string {
  let text = "";
  let end = 0;
  for (const [from, to] of marks) {
    if (from < end || to <= from) continue; // marks of a longer and a shorter word may overlap
    text +=
      onOneLine(snippet.slice(end, from)) +
      paint("bold", paint("yellow", onOneLine(snippet.slice(from, to))));
    end = to;
  }
  return (text + onOneLine(snippet.slice(end))).trim();
}

/** Like `oneLine`, but keeps spaces. */
const onOneLine = (piece: string): string => forTerminal(piece.replace(/[^\S ]+/g, " "));
