import { version } from "../../base/version.ts";
import type { Command } from "../command.ts";
import { type Paint, paintFor } from "../terminal/paint.ts";
import type { Screen } from "../terminal/screen.ts";
import { wrap } from "../terminal/wrap.ts";
import { rowLines, sentence, withCode } from "./as-text.ts";
import {
  ENVIRONMENT,
  EXIT_CODES,
  FILES,
  INTRODUCTION,
  ownLists,
  type Page,
  pageOf,
  type Row,
  sectionsOf,
} from "./page.ts";

/** The whole manual, laid out as a man page. */
export function manPage(commands: readonly Command[], screen: Screen): string {
  const paint = paintFor(screen);
  const heading = (text: string) => ["", paint("bold", text.toUpperCase())];
  const list = (title: string, rows: readonly Row[]) => [
    ...heading(title),
    ...indented(rowLines(rows, inner(screen, 2)), 2),
  ];
  return [
    paint("bold", "CONTINUO(1)"),
    ...heading("Name"),
    ...paragraph(`continuo - ${INTRODUCTION[0] ?? ""}`, screen, paint),
    ...heading("Synopsis"),
    ...paragraph("continuo [COMMAND] [SUBCOMMAND] [ARGUMENTS] [OPTIONS]", screen, paint),
    ...heading("Description"),
    ...INTRODUCTION.slice(1).flatMap((one, at) => [
      ...(at === 0 ? [] : [""]),
      ...paragraph(one, screen, paint),
    ]),
    ...sectionsOf(commands).flatMap(({ title, commands: own }) => [
      ...heading(title),
      ...own.flatMap((command, at) => [
        ...(at === 0 ? [] : [""]),
        ...commandLines(pageOf(command), screen, paint),
      ]),
    ]),
    ...list("Environment", ENVIRONMENT),
    ...list("Files", FILES),
    ...list("Exit status", EXIT_CODES),
    "",
    `continuo ${version}`,
  ].join("\n");
}

function commandLines(page: Page, screen: Screen, paint: Paint): string[] {
  const own = ownLists(page).filter(({ title }) => title !== "Subcommands");
  return [
    wrap(`  ${paint("bold", page.usage)}`, { width: screen.width, hang: 4 }),
    ...paragraph(sentence(page.summary), screen, paint, 6),
    ...page.guide.flatMap((one) => ["", ...paragraph(one, screen, paint, 6)]),
    ...own.flatMap(({ title, rows }) => [
      "",
      `      ${title}:`,
      ...indented(rowLines(rows, inner(screen, 6)), 6),
    ]),
    ...examples(page, screen, paint),
    ...page.subpages.flatMap((one) => ["", ...commandLines(one, screen, paint)]),
  ];
}

function examples({ examples: all }: Page, { width }: Screen, paint: Paint): string[] {
  if (all.length === 0) return [];
  const lines = all.map(([line, what]) =>
    wrap(`        ${paint("cyan", line)}  # ${what}`, { width, hang: 4 }),
  );
  return ["", "      Examples:", ...lines];
}

function paragraph(text: string, { width }: Screen, paint: Paint, indent = 4): string[] {
  return [wrap(`${" ".repeat(indent)}${withCode(text, paint)}`, { width, hang: 0 })];
}

function inner(screen: Screen, indent: number): Screen {
  return { ...screen, width: screen.width - indent };
}

function indented(lines: readonly string[], by: number): string[] {
  return lines.map((block) => block.replace(/^/gm, " ".repeat(by)));
}
