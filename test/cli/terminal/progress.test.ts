import { describe, expect, it } from "vitest";
import { howFar, progressBar, throttled } from "../../../src/cli/terminal/progress.ts";
import { PLAIN } from "../../../src/cli/terminal/screen.ts";
import { terminalOver } from "../../../src/cli/terminal/terminal.ts";

function setUp(isTerminal: boolean, screen = { ...PLAIN, isTerminal }) {
  let time = 0;
  const printed: string[] = [];
  const terminal = terminalOver({
    out: (text) => printed.push(`out ${text}`),
    err: (text) => printed.push(`err ${text}`),
    isTerminal: () => isTerminal,
    errScreen: () => screen,
  });
  const world = { ...terminal, now: () => time };
  const wait = (ms: number) => {
    time += ms;
  };
  return { terminal, world, printed, wait };
}

describe("progress", () => {
  it("is one line on a terminal that is rewritten, and erased before anything else is printed", () => {
    const { terminal, printed } = setUp(true);
    expect(terminal.progress("one\nline")).toBe(true);
    terminal.progress("two");
    terminal.say("Done.");
    terminal.tell("more");
    expect(printed).toEqual([
      "err one line",
      "err \r\u001b[Ktwo",
      "err \r\u001b[K",
      "out Done.\n",
      "err more\n",
    ]);
  });

  it("has no control characters of others and never wraps", () => {
    const { terminal, printed } = setUp(true);
    terminal.progress(`\u001b[2J${"x".repeat(200)}`);
    expect(printed[0]).not.toContain("\u001b");
    expect(printed[0]?.length).toBeLessThanOrEqual("err ".length + 79);
  });

  it("of work that takes less than a second is not shown; elsewhere it is a line every few seconds", () => {
    const { world, printed, wait } = setUp(false);
    const loud = throttled(world);
    loud("0");
    wait(999);
    loud("1");
    wait(1);
    loud("2");
    for (let second = 1; second < 6; second++) {
      wait(1000);
      loud(`after ${second}`);
    }
    expect(printed).toEqual(["err 2\n", "err after 5\n"]);
  });

  it("has a bar, a percentage and the time left, in one line that is rewritten", () => {
    const { world, printed, wait } = setUp(true, { ...PLAIN, width: 60, isTerminal: true, isFitted: true });
    const show = progressBar(world);
    wait(2000);
    show(() => ({ share: 0.5, label: "12 of 24 sessions read" }));
    wait(10);
    show(() => ({ share: 0.6, label: "too early to see" }));
    wait(990);
    show(() => ({ share: 0.75, label: "18 of 24 sessions read" }));
    expect(printed).toEqual([
      "err ████████░░░░░░░ 50%, 2 s left  12 of 24 sessions read",
      "err \r\u001b[K███████████░░░░ 75%, 1 s left  18 of 24 sessions read",
    ]);
  });

  it("as a bar is words elsewhere, and nothing if it should be silent there", () => {
    const { world, printed, wait } = setUp(false);
    const [loud, silent] = [progressBar(world), progressBar(world, { isLoud: false })];
    wait(2000);
    for (const show of [loud, silent]) show(() => ({ share: 0.5, label: "1 of 2 notes read" }));
    wait(5000);
    loud(() => ({ label: "7 notes read" }));
    expect(printed).toEqual(["err 1 of 2 notes read, 50%, 2 s left\n", "err 7 notes read\n"]);
  });

  it("says how much is done and how long the rest takes", () => {
    expect(howFar(0, 1000)).toBe("0%");
    expect(howFar(0.25, 10_000)).toBe("25%, 30 s left");
    expect(howFar(0.01, 10_000)).toBe("1%, 17 min left");
    expect(howFar(1, 10_000)).toBe("100%");
    expect(howFar(0.001, 10_000)).toBe("0%, 3 h left");
    expect(howFar(Number.NaN, 10_000)).not.toContain("left");
    expect(howFar(-1, 10_000)).toBe("0%");
  });
});
