import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Command } from "../../src/cli/command.ts";
import { COMMAND_NAMES, loadAllCommands } from "../../src/cli/commands/index.ts";
import { manPage } from "../../src/cli/manual/as-man.ts";
import { commandsPage } from "../../src/cli/manual/as-markdown.ts";
import { overview, pageAsText } from "../../src/cli/manual/as-text.ts";
import { argumentsIn, pageOf } from "../../src/cli/manual/page.ts";
import { parseWords, subcommandFor, usageOf } from "../../src/cli/parse.ts";
import { PLAIN } from "../../src/cli/terminal/screen.ts";
import { widthOf } from "../../src/cli/terminal/table.ts";
import { ROOT } from "../support/child.ts";

const commands = await loadAllCommands();
/** A command that is run another way, such as the guided start, has no page. */
const shown = commands.filter(({ section }) => section !== undefined);
const narrow = { ...PLAIN, width: 60 };

/** The words of an example after `continuo`; pipes, redirections and other programs are left out. */
function wordsOf(line: string): string[] {
  const own = /(?:^|.*[("\s])continuo (.*)$/.exec(line)?.[1] ?? "";
  const [call = ""] = own.split(/\)"| [|<>] /);
  return [...call.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

describe("every command", () => {
  it.each(shown.map((command) => [command.name, command] as const))(
    "%s has a sentence for itself, its arguments, options and subcommands",
    (_name, command) => {
      const faults: string[] = [];
      const isSentence = (text: string | undefined) => /^[^\s.][^\n]{5,}[^.\s]$/.test(text ?? "");
      if (!isSentence(command.summary)) faults.push("summary");
      const subcommands = command.subcommands ?? [];
      for (const [name, { help, type, fallback }] of Object.entries(command.options)) {
        if (!isSentence(help)) faults.push(`--${name}`);
        // Of a switch, the default is that it is off.
        if (type === "string" && fallback === undefined) faults.push(`--${name}: default`);
        const isTaken = subcommands.length === 0 || subcommands.some(({ options }) => options.includes(name));
        if (!isTaken) faults.push(`--${name}: no subcommand takes it`);
      }
      for (const one of subcommands) {
        if (!isSentence(one.summary)) faults.push(one.name);
        faults.push(...one.options.filter((name) => !Object.hasOwn(command.options, name)));
      }
      const usages =
        subcommands.length === 0 ? [command.usage] : subcommands.map((one) => usageOf(command, one));
      const named = new Set(usages.flatMap(argumentsIn));
      faults.push(...[...named].filter((name) => !isSentence(command.arguments?.[name]?.help)));
      faults.push(...Object.keys(command.arguments ?? {}).filter((name) => !named.has(name)));
      expect(faults).toEqual([]);
    },
  );

  it.each(shown.map((command) => [command.name, command] as const))(
    "%s has examples, also for each subcommand, and all of them parse",
    (name, command) => {
      expect(command.examples?.length ?? 0).toBeGreaterThan(0);
      for (const [line] of command.examples ?? []) expect(wordsOf(line)[0]).toBe(name);
      for (const [line] of command.examples ?? []) parseWords(command, wordsOf(line).slice(1));
      for (const one of command.subcommands ?? []) {
        expect(one.examples?.length ?? 0).toBeGreaterThan(0);
        for (const [line] of one.examples ?? []) {
          const words = wordsOf(line);
          expect(words.slice(0, 2)).toEqual([name, one.name]);
          expect(subcommandFor(command, parseWords(command, words.slice(1)).positionals)).toBe(one);
        }
      }
    },
  );

  it("that a guide or a summary names exists", () => {
    const texts = commands.flatMap(({ summary, guide = "", subcommands = [] }) => [
      summary,
      guide,
      ...subcommands.map((one) => `${one.summary} ${one.guide ?? ""}`),
    ]);
    const named = texts.flatMap((text) =>
      [...text.matchAll(/continuo ([a-z]+)/g)].map(([, name]) => name ?? ""),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !COMMAND_NAMES.includes(name))).toEqual([]);
  });
});

describe("the manual", () => {
  const texts = (command: Command) => {
    const page = pageOf(command);
    return [page, ...page.subpages].map((one) => pageAsText(one, narrow));
  };

  it("fits 60 columns", () => {
    const all = [overview(commands, narrow), manPage(commands, narrow), ...shown.flatMap(texts)].join("\n");
    // A command line or a path that is longer than the screen stays whole.
    const long = all.split("\n").filter((line) => widthOf(line) > 60 && /\S\s+\S/.test(line.trim()));
    expect(long).toEqual([]);
  });

  it("has an overview of one screen, in which every command is named once", () => {
    const text = overview(commands, PLAIN);
    expect(text.split("\n").length).toBeLessThanOrEqual(46);
    const list = text.slice(text.indexOf("\n\n")).replace(/,\n +/g, ", "); // a long line wraps
    const names = [...list.matchAll(/^ {2}(?:also: )?([a-z]+(?:, [a-z]+)*)(?: {2}|$)/gm)].flatMap(
      ([, row = ""]) => row.split(", "),
    );
    expect(names.toSorted()).toEqual(shown.map(({ name }) => name).toSorted());
  });

  it("has colours only on a terminal", () => {
    expect(overview(commands, { ...PLAIN, hasColour: true })).not.toBe(overview(commands, PLAIN));
    expect(overview(commands, PLAIN)).not.toContain("\u0002");
  });

  it("describes everything in the man page", () => {
    const text = manPage(commands, PLAIN);
    for (const { name, options } of shown) {
      expect(text).toContain(`  continuo ${name}`);
      for (const option of Object.keys(options)) expect(text).toContain(`--${option}`);
    }
    for (const heading of ["NAME", "SYNOPSIS", "ENVIRONMENT", "FILES", "EXIT STATUS"])
      expect(text).toMatch(new RegExp(`^${heading}$`, "m"));
  });

  it("is what docs/commands.md says; node scripts/commands-docs.ts writes it", () => {
    expect(readFileSync(join(ROOT, "docs", "commands.md"), "utf8")).toBe(commandsPage(commands));
  });
});
