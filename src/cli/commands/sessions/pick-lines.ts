import { ago } from "../../../base/when.ts";
import type { Paint } from "../../terminal/paint.ts";
import { clipTo, markOf, onOneLine, padTo, widthOf } from "../../terminal/width.ts";
import { fold, matchesIn, wordsOf } from "./pick-match.ts";
import { type Candidate, hasPreview, isWide, type PickState, rowsOf, wantsIndex } from "./pick-state.ts";

/** What the lines need besides the state. */
export interface Look {
  readonly paint: Paint;
  readonly hasUnicode: boolean;
  readonly now: number;
  /** The lines about a session, each at most this wide. */
  preview(one: Candidate, width: number): readonly string[];
}

export interface Drawing {
  /**
   * At most as many as the screen has, and each narrower than the screen, because some terminals wrap in the last
   * column.
   */
  readonly lines: readonly string[];
  /** Where the next character will be typed, from 0. */
  readonly cursor: { readonly row: number; readonly column: number };
}

/** The share of the width for the list beside a preview. */
const LIST_SHARE = 0.55;

export function draw(state: PickState, look: Look): Drawing {
  const width = state.width - 1;
  const rows = rowsOf(state);
  const { line, column } = queryLine(state, look, width);
  const rule = look.paint("dim", (look.hasUnicode ? "─" : "-").repeat(width));
  const lines = [line, rule, ...body(state, look, width, rows), keysLine(state, look, width)];
  // On a screen of one or two lines, only the first ones.
  return { lines: lines.slice(0, Math.max(1, state.height)), cursor: { row: 0, column } };
}

function queryLine(state: PickState, look: Look, width: number): { line: string; column: number } {
  const { paint } = look;
  const mark = markOf(look);
  const prompt = "Search: ";
  const count = `${state.found.length} of ${state.all.length}`;
  const room = Math.max(1, width - widthOf(prompt) - count.length - 2);
  const typed = endOf(state.query, room - 1);
  const placeholder = state.query === "" ? clipTo("name, project, or what was said", room - 1, mark) : "";
  const shown = typed === "" ? paint("dim", placeholder) : typed;
  const line = `${paint("bold", prompt)}${padTo(shown, room)}  ${paint("dim", count)}`;
  return { line: clipTo(line, width, mark), column: Math.min(width, widthOf(prompt) + widthOf(typed)) };
}

/** The end of the typed text is the interesting part. */
function endOf(text: string, width: number): string {
  const characters = [...text];
  while (characters.length > 0 && widthOf(characters.join("")) > width) characters.shift();
  return characters.join("");
}

function body(state: PickState, look: Look, width: number, rows: number): string[] {
  const one = state.found[state.selected];
  const isShown = hasPreview(state) && one !== undefined;
  const about = (room: number) =>
    one === undefined ? [] : look.preview(one, room).map((line) => clipTo(line, room, markOf(look)));
  if (!isShown) return filled(listLines(state, look, width, rows), rows);
  if (!isWide(state)) return filled(about(width), rows);
  const left = Math.floor(width * LIST_SHARE);
  const beside = filled(about(width - left - 3), rows);
  const bar = look.paint("dim", look.hasUnicode ? "│" : "|");
  return filled(listLines(state, look, left, rows), rows).map(
    (line, at) => `${padTo(line, left)} ${bar} ${beside[at] ?? ""}`,
  );
}

const filled = (lines: readonly string[], rows: number): string[] =>
  Array.from({ length: rows }, (_, at) => lines[at] ?? "");

const NO_MATCH = ["No session has this in its name or its text.", "Try other or fewer words."];
const SEARCHING = "Searching what was said";
const FROM_INDEX = "Found by what was said, or by meaning:";

function listLines(state: PickState, look: Look, width: number, rows: number): string[] {
  const clipped = (line: string) => clipTo(`  ${line}`, width, markOf(look));
  const dots = markOf(look);
  if (state.found.length === 0)
    return ["", ...(wantsIndex(state) ? [SEARCHING + dots] : NO_MATCH).map(clipped)];
  const shown = state.found.slice(state.top, state.top + rows);
  const words = wordsOf(state.query);
  const columns = columnsFor(shown, look, width);
  const lines = shown.map((one, at) =>
    clipTo(rowLine(one, state.top + at === state.selected, words, columns, look), width, markOf(look)),
  );
  const first = state.found.length - state.extra - state.top;
  if (wantsIndex(state)) return [...lines, look.paint("dim", clipped(SEARCHING + dots))];
  // A single row has space only for the selected session.
  return state.extra === 0 || first < 0 || first > lines.length || rows < 2
    ? lines
    : lines.toSpliced(first, 0, look.paint("dim", clipped(FROM_INDEX)));
}

interface Columns {
  readonly name: number;
  readonly project: number;
  readonly agent: number;
  readonly time: number;
}

const GAP = 2;
const MOST_PROJECT = 18;
/** Below this width drop the agent column first, then the project column. */
const LEAST_NAME = 34;

/** Computed from what is on the screen, so that short names leave space for long ones. */
function columnsFor(shown: readonly Candidate[], { now }: Look, width: number): Columns {
  const widest = (of: (one: Candidate) => string) => Math.max(0, ...shown.map((one) => widthOf(of(one))));
  const time = widest(({ session }) => ago(session.modified, now));
  let project = Math.min(
    MOST_PROJECT,
    widest(({ project }) => project),
  );
  let agent = widest(({ agent }) => agent);
  const nameFor = () =>
    width - 2 - [project, agent, time].reduce((sum, one) => sum + (one === 0 ? 0 : one + GAP), 0);
  if (nameFor() < LEAST_NAME) agent = 0;
  if (nameFor() < LEAST_NAME) project = 0;
  return { name: Math.max(1, nameFor()), project, agent, time };
}

function rowLine(
  one: Candidate,
  isSelected: boolean,
  words: readonly string[],
  columns: Columns,
  { paint, hasUnicode, now }: Look,
): string {
  const mark = isSelected ? paint("cyan", hasUnicode ? "▸ " : "> ") : "  ";
  const cutMark = markOf({ hasUnicode });
  const name = clipTo(one.name, columns.name, cutMark);
  const rest = [
    [columns.project, one.project],
    [columns.agent, one.agent],
    [columns.time, ago(one.session.modified, now)],
  ] as const;
  const cells = rest.flatMap(([width, text]) =>
    width === 0 ? [] : [padTo(clipTo(text, width, cutMark), width)],
  );
  const highlighted = highlight(name, one.name, words, paint, isSelected);
  return `${mark}${padTo(highlighted, columns.name)}  ${paint("dim", cells.join("  "))}`;
}

/** `shown` is the beginning of `name`, possibly with an ellipsis. */
function highlight(
  shown: string,
  name: string,
  words: readonly string[],
  paint: Paint,
  isSelected: boolean,
): string {
  const matches = matchesIn(words, fold(name));
  const plain = (text: string) => (isSelected ? paint("bold", text) : text);
  let line = "";
  let piece = "";
  let isMatch = false;
  const flush = () => {
    line += isMatch ? paint("bold", paint("yellow", piece)) : plain(piece);
    piece = "";
  };
  for (let at = 0; at < shown.length; ) {
    const character = String.fromCodePoint(shown.codePointAt(at) ?? 0);
    // The ellipsis of a cut name is not one of its characters.
    const isHit = matches.has(at) && name.startsWith(character, at);
    if (isHit !== isMatch) flush();
    isMatch = isHit;
    piece += character;
    at += character.length;
  }
  flush();
  return line;
}

function keysLine(state: PickState, { paint, hasUnicode }: Look, width: number): string {
  if (state.message !== undefined)
    return paint("yellow", clipTo(onOneLine(state.message), width, markOf({ hasUnicode })));
  const isInstead = hasPreview(state) && !isWide(state);
  const arrows = hasUnicode ? "↑↓" : "arrows";
  const keys = [
    "Enter resume",
    isInstead ? "Tab back to the list" : "Tab preview",
    ...(isInstead ? [] : [`${arrows} move`]),
    "Esc leave",
  ];
  return paint("dim", clipTo(keys.join("   "), width, markOf({ hasUnicode })));
}
