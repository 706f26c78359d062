import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadAllCommands } from "../../../src/cli/commands/index.ts";
import { TOOLS } from "../../../src/cli/commands/maenifold/tools.ts";
import { HOSTILE, type HostilePlace, hostilePlace, OBEYED, SESSION } from "../../support/hostile.ts";
import { runInProcess } from "../../support/in-process.ts";

/** Not run here: it speaks a protocol until its streams end. The tests of MCP cover its output. */
const PROTOCOL = ["mcp"];
/** They print texts with several lines, so a forged line cannot be told from a line of the text. */
const SHOWS_TEXTS =
  /^(read|start|sessions (show|export|handoff|ask|turns)|seed|why|write|edit|install|uninstall)\b/;

/** Every fault in the output of a command line. */
async function faults(
  place: HostilePlace,
  argv: readonly string[],
  hasTexts = SHOWS_TEXTS.test(argv.join(" ")),
): Promise<string[]> {
  const { stdout: out, stderr: err } = await runInProcess(argv, place);
  const found: string[] = [];
  for (const [stream, text] of Object.entries({ out, err })) {
    const at = OBEYED.exec(text)?.index ?? -1;
    if (at >= 0)
      found.push(
        `${argv.join(" ")}: ${stream} has ${JSON.stringify(text.slice(Math.max(0, at - 40), at + 20))}`,
      );
    const forged = /^.*\n\s*FORGED.*$/m.exec(text)?.[0];
    if (forged !== undefined && !hasTexts)
      found.push(`${argv.join(" ")}: ${stream} has a forged line ${JSON.stringify(forged)}`);
  }
  if (argv.includes("--json") && out !== "" && !/^(hook|completion)/.test(argv[0] ?? "")) JSON.parse(out);
  return found;
}

describe("what commands print", async () => {
  const commands = (await loadAllCommands()).filter(({ name }) => !PROTOCOL.includes(name));

  it.each(commands.map(({ name, subcommands = [] }) => [name, subcommands.map((one) => one.name)] as const))(
    "continuo %s prints no control characters from hostile names, notes, sessions and records",
    async (name, words) => {
      const place = hostilePlace();
      // Gives the command something to show: indexed sessions and a delivery in the ledger.
      await runInProcess(["sessions", "index"], place);
      await runInProcess(["hook", "claude-code", "SessionStart"], {
        env: place.env,
        cwd: place.cwd,
        stdin: JSON.stringify({ session_id: SESSION, cwd: place.cwd, source: "startup" }),
      });
      const calls = [[], ...words.map((word) => [word])].flatMap((word) => [
        [...word],
        [...word, "--json"],
        [...word, HOSTILE],
        [...word, HOSTILE, "--json"],
        [...word, "memory://a"],
        [...word, SESSION],
        [...word, SESSION, "--json"],
        [...word, "tests"],
        [...word, SESSION, "tests"],
      ]);
      const found: string[] = [];
      for (const args of calls) found.push(...(await faults(place, [name, ...args])));
      found.push(...(await faults(place, ["help", name])), ...(await faults(place, [name, `--${HOSTILE}`])));
      expect(found).toEqual([]);
    },
    120_000,
  );

  it("unknown commands and damaged files print no control characters either", async () => {
    const place = hostilePlace();
    writeFileSync(join(place.home.root, "trust.json"), HOSTILE);
    writeFileSync(join(place.home.root, "config.json"), HOSTILE);
    for (const argv of [[HOSTILE], ["help", HOSTILE], ["doctor"], ["rules", "trust"], ["status"], ["start"]])
      expect(await faults(place, argv)).toEqual([]);
  });

  it.each([
    ["start"],
    ["why"],
    ["read", "memory://a", "--info"],
    ["open", "a"],
    ["sessions", "show", SESSION],
    ["sessions", "ask", SESSION, "tests"],
    ["sessions", "handoff", SESSION],
    ["sessions", "export", SESSION],
    ["seed", "show"],
    ["search", "tests", "--sessions"],
    ["sessions", "receipt"],
  ])("continuo %s %s has no line that a name forged, beside texts of several lines", async (...argv) => {
    const place = hostilePlace("Harmless.");
    await runInProcess(["hook", "claude-code", "SessionStart"], {
      env: place.env,
      cwd: place.cwd,
      stdin: JSON.stringify({ session_id: SESSION, cwd: place.cwd, source: "startup" }),
    });
    expect(await faults(place, argv, false)).toEqual([]);
  });

  it("--tool prints the same values, exact and escaped, for every tool", async () => {
    const place = hostilePlace();
    const payload = JSON.stringify({
      query: "tests",
      identifier: "memory://a",
      conceptName: "tests",
      title: HOSTILE,
    });
    const found: string[] = [];
    for (const { name } of TOOLS.filter((tool) => !/write|edit|move|delete/i.test(tool.name)))
      for (const more of [[], ["--json"], ["--format", "text"]])
        found.push(
          ...(await faults(place, ["--tool", name, "--payload", payload, ...more])).filter(
            (one) => !one.includes("forged"),
          ),
        );
    expect(found).toEqual([]);
    const { stdout: out } = await runInProcess(
      ["--tool", "ReadMemory", "--payload", payload, "--json"],
      place,
    );
    expect(JSON.stringify(JSON.parse(out))).toContain(JSON.stringify(HOSTILE.slice(0, 20)).slice(1, -1));
  });
});
