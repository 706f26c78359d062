import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nextSteps } from "../../../src/cli/terminal/next-step.ts";
import { isLong, page, pagerFor } from "../../../src/cli/terminal/pager.ts";
import { PLAIN } from "../../../src/cli/terminal/screen.ts";
import { terminalOver } from "../../../src/cli/terminal/terminal.ts";
import { temporaryFolder } from "../../support/world.ts";

const SCREEN = { ...PLAIN, width: 40, height: 10, isTerminal: true, isFitted: true };
const reader = (env: NodeJS.ProcessEnv, more = {}) => ({
  env: { TERM: "xterm", PATH: process.env["PATH"], ...env },
  screen: SCREEN,
  platform: "linux" as const,
  isatty: () => true,
  ...more,
});

describe("the pager", () => {
  it.each([
    [{}, "less -FRX"],
    [{ PAGER: "less" }, "less -FRX"],
    [{ PAGER: "most -s" }, "most -s"],
    [{ PAGER: "cat" }, undefined],
    [{ PAGER: "" }, undefined],
    [{ CONTINUO_NO_PAGER: "1", PAGER: "most" }, undefined],
    [{ TERM: "dumb" }, undefined],
  ])("with %o it is %s", (env, pager) => expect(pagerFor(reader(env))).toBe(pager));

  it("says how to leave it, unless the user has set up less", () => {
    const file = join(temporaryFolder(), "less");
    const PAGER = `sh -c 'printf %s "$LESS" > "${file}"'`;
    const text = "line\n".repeat(20);
    expect(page(text, reader({ PAGER }))).toBe(true);
    expect(readFileSync(file, "utf8")).toBe("-Ps?e(end) q\\: back:Space\\: next page, q\\: back.");
    expect(page(text, reader({ PAGER, LESS: "-M" }))).toBe(true);
    expect(readFileSync(file, "utf8")).toBe("-M");
  });

  it("on Windows it is only the one that the user named", () => {
    expect(pagerFor(reader({}, { platform: "win32" }))).toBeUndefined();
    expect(pagerFor(reader({ PAGER: "more" }, { platform: "win32" }))).toBe("more");
  });

  it("is not used unless both the input and the output are a terminal", () => {
    for (const missing of [0, 1])
      expect(pagerFor(reader({}, { isatty: (one: number) => one !== missing }))).toBeUndefined();
  });

  it("is for texts that do not fit on the screen with the shell's prompt", () => {
    expect(isLong("x\n".repeat(9), SCREEN)).toBe(false);
    expect(isLong("x\n".repeat(10), SCREEN)).toBe(true);
    expect(isLong(`${"x".repeat(41)}\n`.repeat(5), SCREEN)).toBe(true);
    expect(isLong(`\u001b[1m${"x".repeat(40)}\u001b[0m\n`.repeat(9), SCREEN)).toBe(false);
  });

  it("shows long texts, and says if it could not", () => {
    const long = "line\n".repeat(100);
    expect(page(long, reader({ PAGER: "cat > /dev/null" }))).toBe(true);
    expect(page("line\n", reader({ PAGER: "cat > /dev/null" }))).toBe(false);
    expect(page(long, reader({ PAGER: "cat > /dev/null; exit 1" }))).toBe(false);
    expect(page(long, reader({ PAGER: "exit 127" }))).toBe(false);
    expect(page(long, reader({ PATH: "/nowhere" }))).toBe(false);
  });

  it("that reads only the beginning has shown the text", () => {
    expect(page("line of some length\n".repeat(100_000), reader({ PAGER: "head -n 1 > /dev/null" }))).toBe(
      true,
    );
  });

  it("leaves no listener for Ctrl-C", () => {
    const before = process.listenerCount("SIGINT");
    page("line\n".repeat(100), reader({ PAGER: "head -n 1 > /dev/null" }));
    expect(process.listenerCount("SIGINT")).toBe(before);
  });
});

it("what a pager did not show is printed, and what it showed is not", () => {
  for (const isShown of [true, false]) {
    const printed: string[] = [];
    const paged: string[] = [];
    const terminal = terminalOver({
      out: (text) => printed.push(text),
      err: () => undefined,
      page: (text) => paged.push(text) > 0 && isShown,
    });
    terminal.say("a\u001b[2Jb");
    expect(paged).toEqual(["a\ufffd[2Jb\n"]);
    expect(printed).toEqual(isShown ? [] : paged);
  }
});

describe("the next step", () => {
  it("says what for and which command, to people only", () => {
    expect(nextSteps(PLAIN, ["continuo doctor", "Check the setup"])).toEqual([]);
    expect(nextSteps(SCREEN, ["continuo doctor", "Check the setup"], undefined)).toEqual([
      "",
      "Check the setup: continuo doctor",
    ]);
    expect(nextSteps(SCREEN, undefined)).toEqual([]);
  });
});

describe("a pager of the project", () => {
  /** A project with a program that leaves a file when it is run, first on the PATH. */
  function projectWith(place: string) {
    const root = realpathSync(temporaryFolder());
    const folder = join(root, place);
    const ran = join(root, "ran");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(root, "package.json"), "{}");
    writeFileSync(join(folder, "less"), `#!/bin/sh\ncat > '${ran}'\n`, { mode: 0o755 });
    return { root, folder, ran };
  }

  const LONG = "line\n".repeat(100);

  it.each([
    ["node_modules/.bin", undefined],
    ["node_modules/.bin", "less"],
    ["node_modules/.bin", "less -R"],
    ["node_modules/.bin", 'less -P "a prompt"'],
    ["bin", undefined],
    [".", "less -R"],
    [".", "./less"],
  ])("in %s is not run, with PAGER %s", (place, pager) => {
    const { root, folder, ran } = projectWith(place);
    const before = process.cwd();
    process.chdir(root);
    try {
      for (const path of [folder, ".", ""])
        page(LONG, reader({ PATH: `${path}:/nowhere`, ...(pager !== undefined && { PAGER: pager }) }));
    } finally {
      process.chdir(before);
    }
    expect(existsSync(ran)).toBe(false);
  });

  it("does not hide the user's own, which is used", () => {
    const { root, folder, ran } = projectWith("node_modules/.bin");
    const own = join(realpathSync(temporaryFolder()), "bin");
    mkdirSync(own, { mode: 0o755 });
    writeFileSync(join(own, "less"), `#!/bin/sh\n/bin/cat > '${root}/own'\n`, { mode: 0o755 });
    expect(page(LONG, reader({ PATH: `${folder}:${own}` }))).toBe(true);
    expect([existsSync(ran), existsSync(join(root, "own"))]).toEqual([false, true]);
  });
});
