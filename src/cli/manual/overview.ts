import { version } from "../../base/version.ts";
import type { Command } from "../command.ts";
import { stepLine } from "../terminal/next-step.ts";
import { type Paint, paintFor } from "../terminal/paint.ts";
import type { Screen } from "../terminal/screen.ts";
import { wrap } from "../terminal/wrap.ts";
import { rowLines } from "./as-text.ts";
import { type SectionOfCommands, sectionsOf } from "./sections.ts";

const WHAT = "makes coding agents remember your rules, notes and past sessions";

/** All commands on one screen. */
export function overview(commands: readonly Command[], screen: Screen): string {
  const paint = paintFor(screen);
  const { width } = screen;
  // A pipe gets lines of this width too.
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
