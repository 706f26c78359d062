import { describe, expect, it } from "vitest";
import type { Command } from "../../src/cli/command.ts";
import { parseWords } from "../../src/cli/parse.ts";
import { runInProcess } from "../support/in-process.ts";
import { temporaryWorld } from "../support/world.ts";

const command: Command = {
  name: "toy",
  summary: "a toy",
  usage: "toy [SUBCOMMAND]",
  options: {
    colour: { type: "string", help: "its colour" },
    size: { type: "string", help: "its size" },
    loud: { type: "boolean", help: "say it" },
  },
  subcommands: [
    { name: "build", summary: "build it", options: ["colour", "size"] },
    { name: "drop", args: "TOY", summary: "drop it", options: ["loud"] },
  ],
  run: () => ({ data: null, text: "" }),
};

function refusal(words: string[], of = command): unknown {
  try {
    return parseWords(of, words);
  } catch (error) {
    const { message, hint } = error as { message: string; hint: string };
    return `${message}\n${hint}`;
  }
}

describe("options of a subcommand", () => {
  it("are taken before and after its name", () => {
    expect(parseWords(command, ["drop", "--loud", "x"])).toEqual({
      values: { loud: true },
      positionals: ["drop", "x"],
    });
    expect(parseWords(command, ["--colour", "drop", "build"]).positionals).toEqual(["build"]);
  });

  it("are refused by another, which says whose they are", () => {
    expect(refusal(["drop", "x", "--colour", "red"])).toBe(
      '"toy drop" does not take --colour\n--colour is for: toy build; see: continuo help toy drop',
    );
  });

  it("are those of the first without a subcommand, unless the command does something else alone", () => {
    expect(parseWords(command, ["--size", "3"]).values).toEqual({ size: "3" });
    expect(refusal(["--loud"])).toContain('"toy build" does not take --loud');
    expect(parseWords({ ...command, alone: "play" }, ["--loud"]).values).toEqual({ loud: true });
  });

  it("are suggested only where they are taken", () => {
    expect(refusal(["build", "--colur", "red"])).toContain(
      "did you mean --colour? usage: continuo toy build",
    );
    expect(refusal(["drop", "--colur", "red"])).not.toContain("did you mean");
    expect(refusal(["drop", "x", "--sise"])).toContain("all options: continuo help toy drop");
  });

  it("--json is taken everywhere", () => {
    expect(parseWords(command, ["drop", "--json"]).values).toEqual({ json: true });
  });

  it("a text that begins with a dash is no option", () => {
    expect(parseWords(command, ["drop", "- a list item", "--", "--loud"]).positionals).toEqual([
      "drop",
      "- a list item",
      "--loud",
    ]);
  });
});

describe("help", () => {
  const run = (args: string[]) => {
    const world = temporaryWorld();
    return runInProcess(args, { env: world.env, cwd: world.root });
  };

  it("of a subcommand is the same in all ways to ask for it", async () => {
    const [asked, ...others] = await Promise.all(
      [
        ["help", "rules", "list"],
        ["rules", "list", "--help"],
        ["rules", "--help", "list"],
        ["rules", "list", "--path", "x", "-h"],
      ].map(run),
    );
    expect(asked?.stdout).toContain("Usage: continuo rules list [options]");
    expect(asked?.stdout).toContain("--path FILE");
    expect(asked?.stdout).not.toContain("--yes");
    for (const one of others) expect(one).toEqual(asked);
  });

  it("is printed without arguments, and as JSON", async () => {
    const { stdout } = await run([]);
    expect(stdout).toContain("Rules and suggestions");
    expect(JSON.parse((await run(["--json"])).stdout)).toEqual({
      ok: true,
      data: { help: stdout.trimEnd() },
    });
    expect((await run(["--help"])).stdout).toBe(stdout);
  });

  it.each([
    [["help", "nonsense"], "there is no command"],
    [["help", "ruls"], 'did you mean "continuo rules"?'],
    [["help", "rules", "lst"], 'did you mean "continuo help rules list"?'],
    [["help", "rules", "list", "more"], "help takes a command and a subcommand"],
    [["help", "status", "x"], '"status" has no subcommands'],
    [["connect"], 'did you mean "continuo install"?'],
    [["disconnect", "claude-code"], 'did you mean "continuo uninstall"?'],
    [["trust"], 'did you mean "continuo rules trust"?'],
    [["--yess"], "did you mean --yes?"],
  ])("%j is refused with what would work", async (args, expected) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(expected);
  });

  it("is not what a text behind -- asks for", async () => {
    expect((await run(["search", "--", "--help"])).stdout).not.toContain("Usage:");
  });
});
