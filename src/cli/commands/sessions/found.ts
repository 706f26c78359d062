import { oneLine } from "../../../base/for-terminal.ts";
import { clipWithin } from "../../../base/text.ts";
import { matchText } from "../../../search/marks.ts";
import { ABANDONED, shownName } from "../../../sources/sessions/labels.ts";
import type { SessionHit, Sessions } from "../../../sources/sessions/library.ts";
import type { RankedPassage } from "../../../sources/sessions/session.ts";
import type { World } from "../../command.ts";
import { type Paint, paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { onOneLine } from "../../terminal/width.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { factsOf, toJson } from "./with-sessions.ts";

// A found session, as every search prints it.

/** Characters of a name: an agent may have taken a whole prompt as one. */
const MAX_NAME = 200;

export interface FoundLook extends Pick<World, "screen" | "now"> {
  readonly agent: (host: string) => string;
  readonly short: (id: string) => string;
  /** Before each line. */
  readonly indent?: string;
}

/** Its name, where it was and why it was found, its best passage, and the command that resumes it. */
export function foundLines(look: FoundLook, sessions: Sessions, hit: SessionHit): string[] {
  const { screen = PLAIN, now, agent, short, indent = "" } = look;
  const { session, best, copies = [] } = hit;
  const paint = paintFor(screen);
  const fold = (line: string) => wrapOn(indent + line, screen);
  const same = copies.length === 0 ? "" : `; ${counted(copies.length, "copy", "copies")}`;
  const facts = `${factsOf(session, { now: now(), agent })}; ${matchText(hit)}${same}`;
  const canResume = sessions.resumeLine(session) !== undefined;
  return [
    fold(paint("bold", clipWithin(oneLine(shownName(session)), MAX_NAME))),
    fold(`  ${paint("dim", facts)}`),
    ...(best === undefined ? [] : [fold(`  ${speakerOf(best)}: ${marked(best, paint)}`)]),
    `${indent}  ${paint("cyan", `continuo sessions ${canResume ? "resume" : "show"} ${short(session.id)}`)}`,
  ];
}

/** As `--json` prints it; with the agent's own command that resumes it. */
export function foundToJson({ session, ...hit }: SessionHit, sessions: Sessions) {
  const copies = hit.copies?.map(({ host, id }) => ({ host, id }));
  return { ...toJson(session, sessions), ...hit, best: hit.best ?? null, ...(copies && { copies }) };
}

export function speakerOf({ role, isCalls, isLeft }: RankedPassage): string {
  return `${isCalls ? "tools" : role}${isLeft ? ABANDONED : ""}`;
}

/** The passage with the words that match in colour. */
function marked({ snippet, marks = [] }: RankedPassage, paint: Paint): string {
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
