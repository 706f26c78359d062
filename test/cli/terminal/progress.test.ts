import { describe, expect, it } from "vitest";
import { howFar, onTerminal, throttled } from "../../../src/cli/terminal/progress.ts";
import { terminalOver } from "../../../src/cli/terminal/terminal.ts";

function setUp(isTerminal: boolean) {
  let time = 0;
  const printed: string[] = [];
  const terminal = terminalOver({
    out: (text) => printed.push(`out ${text}`),
    err: (text) => printed.push(`err ${text}`),
    isTerminal: () => isTerminal,
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

  it("is shown at most once a second; elsewhere as lines, or not at all", () => {
    const { world, printed, wait } = setUp(false);
    const [loud, silent] = [throttled(world), onTerminal(world)];
    loud("0");
    wait(1000);
    loud("1");
    loud("2");
    silent(() => "3");
    expect(printed).toEqual(["err 1\n"]);
  });

  it("says how much is done and how long the rest takes", () => {
    expect(howFar(0, 1000)).toBe("0%");
    expect(howFar(0.25, 10_000)).toBe("25%, 30 s left");
    expect(howFar(0.01, 10_000)).toBe("1%, 17 min left");
    expect(howFar(1, 10_000)).toBe("100%");
  });
});
