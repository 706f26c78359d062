import { describe, expect, it } from "vitest";
import { COMMAND_NAMES, loadAllCommands } from "../../src/cli/commands/index.ts";
import { TOOLS } from "../../src/cli/commands/maenifold/tools.ts";
import { argumentsIn } from "../../src/cli/manual/page.ts";
import { reviewPrompts } from "../../src/moments/review/review-offer.ts";
import { MODULES } from "../../src/sources/index.ts";
import { codeIn, PAGES, page } from "./pages.ts";

/** The page of commands is written by a script from the declarations: it says nothing about the others. */
const user = PAGES.filter(
  ({ path }) =>
    path === "README.md" || (/^docs\/[^/]+\.md$|^docs\/hosts\//.test(path) && path !== "docs/commands.md"),
);
const commands = await loadAllCommands();

/** Tags and arguments of hosts that look like tools. */
const HOSTS_OWN = ["hook_context", "hook_additional_context", "environment_context", "fork_context"];

/** `continuo NAME WORD` wherever it is in code; placeholders such as COMMAND are no words. */
const calls = PAGES.flatMap(({ path, text }) =>
  codeIn(text).flatMap((code) =>
    [...code.matchAll(/(?:^|[\s(|`"])continuo (?!\d)([a-z][a-z-]*)(?: ([a-z_]+)(?![\w./:-]))?/g)].map(
      ([, name = "", word]) => ({ path, name, word }),
    ),
  ),
).filter(({ name }) => name !== "help");

/** Subcommands, or the values of the first argument; undefined after other commands, where any word can follow. */
function wordsOf(name: string): readonly string[] | undefined {
  const command = commands.find((one) => one.name === name);
  const [argument = ""] = argumentsIn(command?.usage ?? "");
  return command?.subcommands?.map((one) => one.name) ?? command?.arguments?.[argument]?.choices;
}

describe("commands", () => {
  it("that pages name exist", () => {
    expect(calls.length).toBeGreaterThan(100);
    expect(calls.filter(({ name }) => !COMMAND_NAMES.includes(name))).toEqual([]);
  });

  it("have the subcommands that pages name", () => {
    const unknown = calls.filter(({ name, word }) => {
      const words = wordsOf(name);
      return word !== undefined && words !== undefined && !words.includes(word);
    });
    expect(unknown).toEqual([]);
  });

  it("are all described for users, with every subcommand", () => {
    const text = user.map((one) => one.text).join("\n");
    const wanted = commands
      .filter(({ name }) => name !== "hook" && name !== "help")
      .flatMap(({ name, subcommands }) => {
        const words = wordsOf(name) ?? [];
        return subcommands === undefined
          ? [`continuo ${name}`, ...words]
          : [`continuo ${name}`, ...words.map((word) => `continuo ${name} ${word}`)];
      });
    expect(wanted.filter((one) => !new RegExp(`(?<![\\w-])${one}(?![\\w-])`).test(text))).toEqual([]);
  });
});

describe("tools", () => {
  const row = (kind: string) =>
    [
      ...(new RegExp(`^\\| ${kind} \\|(.*)$`, "m").exec(page("docs/hosts/mcp.md"))?.[1] ?? "").matchAll(
        /`([^`]+)`/g,
      ),
    ].map(([, name]) => name);

  it("of the MCP page are exactly those that sources offer", async () => {
    const tools = await Promise.all(MODULES.map(async ({ tools }) => (await tools?.([])) ?? []));
    expect(row("tools").toSorted()).toEqual(
      tools
        .flat()
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it("and so are its prompts and resources", async () => {
    const prompts = await Promise.all(MODULES.map(async ({ prompts }) => (await prompts?.()) ?? []));
    const resources = await Promise.all(MODULES.map(async ({ resources }) => (await resources?.()) ?? []));
    // The review is of all sources together.
    expect(row("prompts").toSorted()).toEqual(
      [...prompts.flat(), ...reviewPrompts(MODULES)].map(({ name }) => name).toSorted(),
    );
    expect(row("resources").toSorted()).toEqual(
      resources
        .flat()
        .map(({ uriTemplate }) => uriTemplate.replace("{+", "{"))
        .toSorted(),
    );
  });

  it("that any page names in the form of a tool exist", async () => {
    const tools = await Promise.all(MODULES.map(async ({ tools }) => (await tools?.([])) ?? []));
    const known = new Set(tools.flat().map(({ name }) => name));
    const named = PAGES.flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:[a-z]+_)+(?:context|memor(?:y|ies)|activity|session))`/g)].map(
        ([, name = ""]) => ({ path, name }),
      ),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ name }) => !known.has(name) && !HOSTS_OWN.includes(name))).toEqual([]);
  });

  it("of the maenifold page are exactly those that the command line answers", () => {
    const rows = [...page("docs/maenifold.md").matchAll(/^\| (`[A-Z][^|]+) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(rows.toSorted()).toEqual(TOOLS.map(({ name }) => name).toSorted());
  });
});
