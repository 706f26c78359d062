import { version } from "../../base/version.ts";
import type { Command } from "../command.ts";
import { linesOf } from "../terminal/lines.ts";
import { stepLine } from "../terminal/next-step.ts";
import { type Paint, paintFor } from "../terminal/paint.ts";
import type { Screen } from "../terminal/screen.ts";
import { widthOf } from "../terminal/table.ts";
import { wrap } from "../terminal/wrap.ts";
import { type Page, type Row, type SectionOfCommands, sectionsOf } from "./page.ts";

/** The help of one command or subcommand. */
export function pageAsText(page: Page, screen: Screen): string {
  const paint = paintFor(screen);
  const { width } = screen;
  const { examples, subpages } = page;
  return linesOf(
    wrap(`${paint("bold", "Usage:")} ${page.usage}`, { width, hang: 7 }),
    "",
    wrap(sentence(page.summary), { width, hang: 0 }),
    ...page.guide.flatMap((one) => ["", wrap(withCode(one, paint), { width, hang: 0 })]),
    ...page.lists.flatMap(({ title, rows }) => ["", paint("bold", `${title}:`), ...rowLines(rows, screen)]),
    examples.length > 0 && ["", paint("bold", "Examples:"), ...exampleLines(page, screen, paint)],
    subpages.length > 0 && [
      "",
      stepLine(
        { ...screen, isFitted: true },
        `continuo help ${page.name} SUBCOMMAND`,
        "Options and examples of one",
      ),
    ],
  ).join("\n");
}

/** `show it` becomes `Show it.` */
export function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/**
 * Shows text between backticks in the colour of commands. Without colours the backticks stay, because they show where a
 * command ends.
 */
export function withCode(text: string, paint: Paint): string {
  return text.replace(/`([^`]+)`/g, (whole, code: string) => {
    const painted = paint("cyan", code);
    return painted === code ? whole : painted;
  });
}

/** A longer term gets its own line. */
const MOST_TERM = 24;
const GAP = 2;

/** Terms in one column, their meanings in the other. */
export function rowLines(rows: readonly Row[], screen: Screen, least = 0): string[] {
  const paint = paintFor(screen);
  const most = Math.min(MOST_TERM, Math.floor(screen.width / 3));
  const fitting = rows.map(([term]) => widthOf(term)).filter((width) => width <= most);
  const column = Math.max(least, ...fitting);
  const indent = " ".repeat(2 + column + GAP);
  return rows.flatMap(([term, text]) => {
    const isLong = widthOf(term) > column;
    const name = paint("bold", term);
    const first = isLong ? indent : `  ${name}${" ".repeat(column - widthOf(term) + GAP)}`;
    // `wrap` keeps the indentation of the first line, and indents the others by `hang`.
    const body = wrap(`${indent}${text}`, { width: screen.width, hang: 0 }).slice(indent.length);
    return isLong ? [`  ${name}`, indent + body] : [first + body];
  });
}

function exampleLines({ examples }: Page, { width }: Screen, paint: Paint): string[] {
  return examples.flatMap(([line, what]) => [
    // Indented further than the explanation in the next line.
    wrap(`  ${paint("cyan", line)}`, { width, hang: 6 }),
    wrap(`      ${what}`, { width, hang: 0 }),
  ]);
}

const WHAT = "makes coding agents remember your rules, notes and past sessions";

/** All commands on one screen. */
export function overview(commands: readonly Command[], screen: Screen): string {
  const paint = paintFor(screen);
  const { width } = screen;
  // Output to a pipe is also wrapped at this width.
  const lineScreen = { ...screen, isFitted: true };
  const sections = sectionsOf(commands);
  const named = sections.flatMap((one) => one.commands.filter(({ isMinor }) => isMinor !== true));
  const column = Math.max(...named.map(({ name }) => name.length));
  return [
    wrap(`${paint("bold", `continuo ${version}`)}: ${WHAT}`, { width }),
    ...sections.flatMap((one) => ["", ...sectionLines(one, { screen, paint, column })]),
    "",
    stepLine(lineScreen, "continuo help COMMAND", "Options and examples of a command"),
    stepLine(lineScreen, "continuo help --man", "All of it, with the files and settings"),
  ].join("\n");
}

interface Look {
  readonly screen: Screen;
  readonly paint: Paint;
  readonly column: number;
}

function sectionLines({ title, commands }: SectionOfCommands, { screen, paint, column }: Look): string[] {
  const minor = commands.filter((one) => one.isMinor === true).map((one) => one.name);
  const rows = commands
    .filter((one) => one.isMinor !== true)
    .map(({ name, summary }) => [name, summary] as const);
  const also = `  ${rows.length === 0 ? "" : "also: "}${minor.join(", ")}`;
  return [
    paint("bold", title),
    ...rowLines(rows, screen, column),
    ...(minor.length === 0 ? [] : [wrap(paint("dim", also), { width: screen.width, hang: 4 })]),
  ];
}
