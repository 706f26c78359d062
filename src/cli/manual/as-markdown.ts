import type { Command } from "../command.ts";
import { linesOf } from "../terminal/lines.ts";
import { sentence } from "./as-text.ts";
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

/** docs/commands.md */
export function commandsPage(commands: readonly Command[]): string {
  const sections = sectionsOf(commands).map(({ title, commands: own }) => ({
    title,
    pages: own.map(pageOf),
  }));
  return [
    "# Commands",
    "<!-- Written by scripts/commands-docs.ts from the declarations in src/cli/commands. Do not edit it. -->",
    "The same text is in the program: `continuo help COMMAND SUBCOMMAND` explains one command, `continuo help --man` prints everything.",
    ...INTRODUCTION.slice(1),
    ...sections.map(({ title, pages }) => [`**${title}**`, "", ...pages.map(contentLine)].join("\n")),
    ...sections.flatMap(({ pages }) => pages.flatMap((page) => pageBlocks(page, 2))),
    "## Environment",
    table("variable", "meaning", ENVIRONMENT),
    "## Files",
    table("path", "what it is", FILES),
    "## Exit codes",
    table("code", "meaning", EXIT_CODES),
    "",
  ]
    .join("\n\n")
    .replace(/\n+$/, "\n");
}

function contentLine({ name, summary }: Page): string {
  return `- [\`${name}\`](#continuo-${name.replaceAll(" ", "-")}): ${escaped(summary)}`;
}

function pageBlocks(page: Page, level: number): string[] {
  return linesOf(
    `${"#".repeat(level)} continuo ${page.name}`,
    escaped(sentence(page.summary)),
    block([page.usage]),
    ...page.guide.map(escaped),
    ...ownLists(page).map(({ title, rows }) => table(HEADS[title], "meaning", rows)),
    page.examples.length > 0 && block(page.examples.flatMap(([line, what]) => [`# ${what}`, line])),
    ...page.subpages.flatMap((one) => pageBlocks(one, level + 1)),
  );
}

const HEADS = { Arguments: "argument", Subcommands: "subcommand", Options: "option" } as const;

function block(lines: readonly string[]): string {
  return ["```sh", ...lines, "```"].join("\n");
}

function table(left: string, right: string, rows: readonly Row[]): string {
  return [
    `| ${left} | ${right} |`,
    "|---|---|",
    ...rows.map(([term, text]) => `| \`${term.replaceAll("|", "\\|")}\` | ${escaped(text)} |`),
  ].join("\n");
}

/** Escapes, outside code, what Markdown would treat as a tag, a table or a link. */
function escaped(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/[|<[\]*_]/g, "\\$&")))
    .join("");
}
