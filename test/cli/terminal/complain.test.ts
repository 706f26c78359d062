import { expect, it } from "vitest";
import { PLAIN } from "../../../src/cli/terminal/screen.ts";
import { terminalOver } from "../../../src/cli/terminal/terminal.ts";

function complaintOn(screen: typeof PLAIN): string {
  let said = "";
  const terminal = terminalOver({
    out: () => undefined,
    err: (text) => {
      said += text;
    },
    errScreen: () => screen,
  });
  terminal.complain("there is no note, rule or session of this name", "open one of these: settings, profile");
  terminal.tell("A line that is longer than the terminal is wide.");
  return said;
}

it("breaks an error and its hint between words on a terminal", () => {
  expect(complaintOn({ ...PLAIN, width: 40, isTerminal: true, isFitted: true }).split("\n")).toEqual([
    "continuo: there is no note, rule or",
    "  session of this name",
    "  open one of these: settings, profile",
    "A line that is longer than the terminal",
    "  is wide.",
    "",
  ]);
});

it("leaves an error on one line where a program reads it", () => {
  expect(complaintOn(PLAIN).split("\n")[0]).toBe("continuo: there is no note, rule or session of this name");
});
