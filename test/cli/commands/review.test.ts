import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseByKey } from "../../../src/cli/commands/review.ts";
import type { Suggestion } from "../../../src/moments/ports/suggestions.ts";
import { learningSuggestions } from "../../../src/sources/profile/learning/suggestions.ts";
import { draftHeard } from "../../../src/sources/rules/drafts/hear.ts";
import { exampleSeed, learning, parsed, proposal } from "../../sources/profile/seeds.ts";
import { CONTINUO } from "../../support/child.ts";
import { commandWorld } from "../../support/in-process.ts";
import { gone, hasTmux, openTerminal } from "../../support/terminal.ts";
import { write } from "../../support/world.ts";

const SEED = exampleSeed({
  learned: { patterns: [learning("learn-1", "Use tabs")] },
  state: { proposals: ["Use pnpm", "Tests first", "Be brief"].map((text, i) => proposal(`p${i}`, text)) },
});

function setUp(seed: object | undefined = SEED) {
  const world = commandWorld();
  const path = join(world.user, ".pai/seed.json");
  if (seed !== undefined) write(dirname(path), { "seed.json": JSON.stringify(seed) });
  const inbox = () => learningSuggestions({ home: world.home.root, env: world.env });
  return { ...world, path, inbox };
}

const ONE: Suggestion = {
  id: "p1",
  text: "Use pnpm",
  kind: "pattern",
  scope: "project",
  quote: "use pnpm here",
  project: "shop",
  session: "s1",
  at: 0,
  byModel: false,
};

/** The person presses these keys and types these lines. */
async function chosen(keys: string, lines: string[] = [], one = ONE) {
  const typed = [...keys];
  const asked: string[] = [];
  const askKey = async (question: string, prompt: string) => {
    asked.push(`${question}\n${prompt}`);
    return typed.shift();
  };
  return { choice: await chooseByKey(one, { last: undefined, left: 3 }, askKey, () => lines.shift()), asked };
}

describe("continuo review", () => {
  it("says what is unknown in a decision that is typed", async () => {
    const { run } = setUp();
    expect((await run("review", "acept")).stderr).toContain('unknown subcommand "review acept"');
    expect((await run("review", "accept", "zzzz")).stdout).toContain(
      'No pending suggestion has the id "zzzz".',
    );
  });

  it("accepts in other words, and looks back on what was decided, newest first", async () => {
    const { run, path } = setUp();
    expect((await run("review", "accept", "p0", "p1", "--text", "Both")).stderr).toContain("exactly one id");
    expect((await run("review", "accept", "p0", "--text", "")).code).not.toBe(0);
    await run("review", "accept", "p0", "--text", "Use pnpm 10");
    await run("review", "reject", "p1");
    expect(parsed(path).learned.patterns.at(-1)?.content).toBe("Use pnpm 10");
    expect((await run("review", "history")).stdout).toMatch(/reject +Tests first\n.*accept +Use pnpm 10/);
    const { data } = JSON.parse((await run("review", "history", "--limit", "1", "--json")).stdout);
    expect(data).toMatchObject({ total: 2, decisions: [{ steps: [{ what: "reject" }] }] });
    await run("review", "undo");
    expect((await run("review", "list", "p1")).stdout).toMatch(/p1 +"Tests first"/);
  });

  it("takes one key for each decision; s changes where it holds; the end of the input quits", async () => {
    expect((await chosen("a")).choice).toEqual({ do: "accept", scope: "project" });
    expect((await chosen("sa")).choice).toEqual({ do: "accept", scope: "everywhere" });
    expect((await chosen("e", ["Always use pnpm"])).choice).toEqual({
      do: "accept",
      text: "Always use pnpm",
      scope: "project",
    });
    expect((await chosen("er", [""])).choice).toEqual({ do: "reject" });
    expect((await chosen("l")).choice).toEqual({ do: "later" });
    expect((await chosen("u")).choice).toEqual({ do: "undo" });
    expect((await chosen("q")).choice).toEqual({ do: "stop" });
    expect((await chosen("")).choice).toEqual({ do: "stop" });
  });

  it("shows what a person needs to decide", async () => {
    const [question] = (await chosen("sq")).asked;
    for (const text of [
      "3 suggestions to review",
      '"Use pnpm"',
      'You said: "use pnpm here" (shop',
      "For shop",
    ])
      expect(question).toContain(text);
    expect((await chosen("sq")).asked[1]).toContain("For all projects");
    const { project: _, ...elsewhere } = ONE;
    expect((await chosen("q", [], { ...elsewhere, scope: "everywhere" })).asked[0]).not.toContain("[s]witch");
  });

  const CHECK: Suggestion = {
    ...{
      id: "check-1",
      kind: "check",
      text: "Edits must not contain `any`",
      scope: "project",
      isFixed: true,
    },
    ...{ quote: "Never use any", project: "shop", at: 0, byModel: false, pattern: "\\bany\\b" },
    ...{ rule: { name: "no-any", path: ".continuo/rules/no-any.md" }, tried: ["In the last 90 days", "…"] },
  };

  it("shows a check with its sentence and its result on past sessions; edit changes the pattern", async () => {
    const { choice, asked } = await chosen("e", ["as any"], CHECK);
    for (const text of [
      "Check: Edits must not contain `any`",
      'From the rule "no-any" (.continuo/rules/no-any.md): "Never use any"',
      "In the last 90 days …",
    ])
      expect(asked[0]).toContain(text);
    expect(asked[0]).not.toContain("[s]witch");
    expect(choice).toMatchObject({ do: "accept", text: "as any" });
  });

  it("breaks lines at 80 columns, between words", async () => {
    const long = { ...CHECK, quote: "Never ever use it ".repeat(12).trim(), tried: ["x".repeat(100), "end"] };
    const lines = (await chosen("q", [], long)).asked[0]?.split("\n") ?? [];
    expect(lines.filter((line) => line.length > 80).map((line) => line.trim())).toEqual(["x".repeat(100)]);
    expect(lines.join(" ").replace(/\s+/g, " ")).toContain(`"${long.quote}"`);
  });

  it("offers a question three answers", async () => {
    const question: Suggestion = { ...CHECK, kind: "question", text: "Refuse it?", quote: "" };
    expect((await chosen("m", [], question)).choice).toEqual({ do: "mute" });
    expect((await chosen("r", [], question)).choice).toEqual({ do: "reject" });
    expect((await chosen("q", [], question)).asked[0]).toContain("[m]ute: stop checking");
  });

  it("decides by id and takes it back, whichever source suggested it", async () => {
    const { run, home, project } = setUp();
    const moment = { session: { host: "pi", id: "s1" }, project, at: 1 };
    await draftHeard([{ sentence: "never use any" }], moment, {
      home: home.root,
      readOnly: false,
      settings: {},
    });
    const path = join(home.root, "rules/no-any.md");
    const listed = JSON.parse((await run("review", "--json")).stdout).data.suggestions as Suggestion[];
    const check = listed.find(({ kind }) => kind === "check");
    expect(listed).toHaveLength(4);
    expect((await run("review", "accept", check?.id.slice(0, 12) ?? "")).stdout).toContain(path);
    expect(existsSync(path)).toBe(true);
    expect((await run("review", "reject", "p1")).stdout).toContain("Tests first");
    expect((await run("review", "undo")).code).toBe(0);
    expect((await run("review", "undo")).code).toBe(0);
    expect(existsSync(path)).toBe(false);
    expect((await run("review", "mute", "p0")).code).toBe(1);
    expect((await run("review", "keep", "p0")).code).not.toBe(0);
  });

  it.each([["review"], ["seed", "review"]])(
    "lists without a terminal and for programs: %s",
    async (...args) => {
      const { run } = setUp();
      const { stdout, code } = await run(...args);
      expect(code).toBe(0);
      for (const text of ["p0", "Use pnpm", "Tests first", "continuo review accept|reject ID"])
        expect(stdout).toContain(text);
      const { data } = JSON.parse((await run(...args, "--json")).stdout);
      expect(data.suggestions.map((one: Suggestion) => one.text)).toEqual([
        "Use pnpm",
        "Tests first",
        "Be brief",
      ]);
      expect((await setUp(exampleSeed()).run(...args)).stdout).toContain("No pending suggestions.");
    },
  );

  it.skipIf(!hasTmux)("decides in a terminal, one key each, and takes the last decision back", async () => {
    const { path, env, root } = setUp();
    const shell = ["sh", "-c", `${process.execPath} ${CONTINUO} review; echo ENDED; sleep 60`];
    const terminal = await openTerminal(dirname(root), shell, { cwd: root, env });
    try {
      await terminal.until(/3 suggestions to review\s+"Use pnpm"[\s\S]*\[q\]uit/);
      await terminal.type("x");
      await terminal.until(
        /Press one of these keys:\s+\[a\]ccept \[e\]dit \[r\]eject \[l\]ater \[u\]ndo \[q\]uit/,
      );
      await terminal.type("a");
      await terminal.until(/2 suggestions left\s+"Tests first"[\s\S]*\[q\]uit/);
      await terminal.type("r");
      await terminal.until(/1 suggestion left\s+"Be brief"[\s\S]*\[q\]uit/);
      await terminal.type("u");
      await terminal.until(/Undone:[\s\S]*2 suggestions left\s+"Tests first"[\s\S]*\[q\]uit[\s\S]*$/);
      await terminal.type("e");
      await terminal.until(/instead of "Tests first":/);
      await terminal.type("Tests come first\n");
      await terminal.until(/1 suggestion left\s+"Be brief"[^[]*\[a\]ccept[^[]*(\[.\][^[]*)*\[q\]uit\s*$/);
      await terminal.type("q");
      const end = await terminal.until(/ENDED/);
      expect(end).toContain("1 suggestion left to review.");
    } finally {
      await terminal.close();
    }
    const { learned, state } = parsed(path);
    expect(learned.patterns.map((one) => one.content)).toEqual(["Use tabs", "Use pnpm", "Tests come first"]);
    expect(state.proposals.filter((one) => one.status === "pending").map((one) => one.content)).toEqual([
      "Be brief",
    ]);
  });

  it.skipIf(!hasTmux).each(["SIGHUP", "SIGTERM"] as const)(
    "%s at a question restores the terminal and keeps what was decided",
    async (signal) => {
      const { path, env, root } = setUp();
      const inner = `echo $$ > pid; exec ${process.execPath} ${CONTINUO} review`;
      const shell = [
        "sh",
        "-c",
        `sh -c '${inner}'; echo "ENDED $?$(stty -a | grep -o ' .\\?icanon')"; sleep 60`,
      ];
      const terminal = await openTerminal(dirname(root), shell, { cwd: root, env });
      try {
        await terminal.until(/3 suggestions to review[\s\S]*\[q\]uit/);
        await terminal.type("a");
        await terminal.until(/2 suggestions left[\s\S]*\[q\]uit/);
        process.kill(Number(readFileSync(join(root, "pid"), "utf8")), signal);
        await terminal.until(signal === "SIGHUP" ? /ENDED 129 icanon/ : /ENDED 143 icanon/);
      } finally {
        await terminal.close();
      }
      expect(parsed(path).learned.patterns.map((one) => one.content)).toContain("Use pnpm");
    },
  );

  it.skipIf(!hasTmux)("a closed terminal ends it, and what was decided is kept", async () => {
    const { path, env, root } = setUp();
    const shell = ["sh", "-c", `echo $$ > pid; exec ${process.execPath} ${CONTINUO} review`];
    const terminal = await openTerminal(dirname(root), shell, { cwd: root, env });
    try {
      await terminal.until(/3 suggestions to review[\s\S]*\[q\]uit/);
      await terminal.type("a");
      await terminal.until(/2 suggestions left[\s\S]*\[q\]uit/);
    } finally {
      await terminal.close();
    }
    await gone(Number(readFileSync(join(root, "pid"), "utf8")));
    expect(parsed(path).learned.patterns.map((one) => one.content)).toContain("Use pnpm");
  });
});
