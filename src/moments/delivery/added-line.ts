import { oneLine } from "../../base/for-terminal.ts";
import { count } from "../../base/when.ts";
import type { Composition } from "../../compose/compose.ts";
import type { Item } from "../../compose/section.ts";
import type { PromptMoment, ToolMoment } from "../types.ts";

/** Maximum columns of a name, of a path and of the line. Hosts put a few words of their own before it. */
const MAX_NAME = 34;
const MAX_PATH = 36;
const MAX_LINE = 100;
const MAX_FOUND = 44;
const LEAST_FOUND = 12;
/** A name may have megabytes. */
const MAX_READ = 1000;
/** Further items are only counted. */
const NAMED = 2;

/** The line for the user when something is added inside an epoch: `Continuo: rule money.md (src/refunds/split.ts)`. */
export function addedLine(
  moment: PromptMoment | ToolMoment,
  { text, sections, tokens }: Pick<Composition, "text" | "sections" | "tokens">,
): string[] {
  if (text === "") return [];
  const names = new Map<string, string[]>();
  const others: string[] = [];
  for (const { items, summary } of sections) {
    const named = items.filter(({ noun }) => noun !== undefined);
    for (const { noun = "", name } of named) names.set(noun, [...(names.get(noun) ?? []), name]);
    if (named.length === 0 && summary !== undefined) others.push(summary(items.length));
  }
  const total = [...names.values()].flat().length;
  const phrases = [...names].map(([noun, some]) =>
    total > NAMED ? count(some.length, noun) : named(noun, some),
  );
  const given = [...phrases, ...others].join(", ") || count(tokens, "token");
  const found =
    total === 1 ? sections.flatMap(({ items }) => items).find(({ noun }) => noun)?.found : undefined;
  const place = placeOf(moment, found?.line);
  const begin = `Continuo: ${given}`;
  const what = foundText(found, MAX_LINE - begin.length - place.length);
  return [clipColumns(oneLine(`${begin}${what}${place}`), MAX_LINE)];
}

/** The text that breaks a rule, shortened. Others wrote it, so it is in quotes that it cannot close. */
function foundText(found: Item["found"], room: number): string {
  const most = Math.min(MAX_FOUND, room - `: ""`.length);
  if (found === undefined || most < LEAST_FOUND) return "";
  const text = clipColumns(oneLine(found.text.slice(0, MAX_READ)), most);
  return `: "${withoutQuotes(text)}"`;
}

function named(noun: string, names: readonly string[]): string {
  const shown = names.map((name) => shownName(clipColumns(oneLine(name.slice(0, MAX_READ)), MAX_NAME)));
  return `${names.length === 1 ? noun : `${noun}s`} ${shown.join(" and ")}`;
}

/** The file of a tool call. Not that of a prompt, because the user has just typed it. */
function placeOf(moment: PromptMoment | ToolMoment, line?: number): string {
  if (moment.name !== "tool") return "";
  const [path, ...more] = new Set(moment.tool.files.map((file) => file.path));
  if (path === undefined) return "";
  if (more.length > 0) return ` (${count(more.length + 1, "file")})`;
  const number = line === undefined ? "" : `:${line}`;
  return ` (${shownName(clipStart(oneLine(path.slice(-MAX_READ)), MAX_PATH))}${number})`;
}

/**
 * In quotes unless it is one plain word. A name that others chose must not close the quotes and go on like Continuo's
 * words, nor look like several words without quotes: some invisible characters are not white space. ASCII only, because
 * a hook should not compile a regular expression for all letters.
 */
function shownName(name: string): string {
  return /^[\w./…@+-]+$/.test(name) ? name : `"${withoutQuotes(name)}"`;
}

function withoutQuotes(text: string): string {
  return text.replace(/["\u201c-\u201f\uff02]/g, "'");
}

function clipColumns(text: string, most: number): string {
  const kept = firstColumns([...text], most);
  return kept === undefined ? text : `${kept.join("")}…`;
}

/** The end of a path is the most informative part. */
function clipStart(path: string, most: number): string {
  const kept = firstColumns([...path].reverse(), most);
  return kept === undefined ? path : `…${kept.reverse().join("")}`;
}

/** As many characters as fit beside an ellipsis; undefined if all fit. */
function firstColumns(characters: readonly string[], most: number): string[] | undefined {
  let columns = 0;
  let fitting = 0;
  for (const [at, character] of characters.entries()) {
    // An upper bound of the width, because a hook should not compile a regular expression for all of Unicode.
    columns += character > "\u10ff" ? 2 : 1;
    if (columns < most) fitting = at + 1;
    if (columns > most) return characters.slice(0, fitting);
  }
  return undefined;
}
