import { oneLine } from "../../../base/for-terminal.ts";
import { clip } from "../../../base/text.ts";
import { ago, count } from "../../../base/when.ts";
import type { Preview } from "../../../sources/sessions/indexing/prompts.ts";
import type { Paint } from "../../terminal/paint.ts";
import { clipStart, clipTo, markOf } from "../../terminal/width.ts";
import { wrap } from "../../terminal/wrap.ts";
import type { Candidate } from "./pick-state.ts";

export interface PreviewLook {
  readonly paint: Paint;
  readonly hasUnicode: boolean;
  readonly now: number;
  /** Shortens a path as users write it. */
  readonly shortPath: (path: string) => string;
}

const MOST_FILES = 6;
/** The most lines of one request. */
const MOST_LINES = 4;
const MOST_CHARACTERS = 600;

/** What a user needs to recognise a session. */
export function previewLines(one: Candidate, about: Preview, width: number, look: PreviewLook): string[] {
  const { paint, hasUnicode, now, shortPath } = look;
  const { session } = one;
  const mark = markOf(look);
  const dim = (text: string) => paint("dim", clipTo(text, width, mark));
  const indented = (text: string) => lines(text, width - 2, hasUnicode).map((line) => `  ${line}`);
  const files = about.files.slice(0, MOST_FILES).map(({ path, isEdited }) => {
    const room = width - 4;
    return `  ${isEdited ? "" : paint("dim", "read ")}${clipStart(oneLine(path), isEdited ? room : room - 5, mark)}`;
  });
  const more = about.files.length - files.length;
  const asked = about.asked
    .toReversed()
    .flatMap(({ text, at }, index) => [
      ...(index === 0 ? [] : [""]),
      ...(at === undefined ? [] : [paint("dim", `  ${ago(at, now)}`)]),
      ...indented(text),
    ]);
  return [
    ...lines(one.name, width, hasUnicode).map((line) => paint("bold", line)),
    dim(
      [one.agent, one.project, session.branch === undefined ? "" : oneLine(session.branch)]
        .filter((text) => text !== "")
        .join(", "),
    ),
    dim(`${ago(session.modified, now)}, ${count(session.counts.prompts, "prompt")}`),
    ...(session.cwd === undefined
      ? []
      : [paint("dim", clipStart(oneLine(shortPath(session.cwd)), width, mark))]),
    ...(session.isGone
      ? [paint("yellow", clipTo("Its agent has deleted the transcript.", width, mark))]
      : []),
    ...(asked.length === 0 ? [] : ["", paint("bold", "Last prompts"), ...asked]),
    ...(files.length === 0 ? [] : ["", paint("bold", "Files"), ...files]),
    ...(more > 0 ? [paint("dim", `  and ${more} more`)] : []),
  ];
}

/** A text on a few lines, cut if it is longer. */
function lines(text: string, width: number, hasUnicode: boolean): string[] {
  const mark = markOf({ hasUnicode });
  const all = wrap(clip(oneLine(text), MOST_CHARACTERS), { width, hang: 0 })
    .split("\n")
    .map((line) => clipTo(line, width, mark));
  if (all.length <= MOST_LINES) return all;
  return [...all.slice(0, MOST_LINES - 1), clipTo(`${all[MOST_LINES - 1]} ${mark}`, width, mark)];
}
