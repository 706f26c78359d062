import { describe, expect, it } from "vitest";
import type { Breach } from "../../../../src/sources/rules/checks/breach.ts";
import { type CheckedRule, compileChecks } from "../../../../src/sources/rules/checks/check-set.ts";
import { after, NOTHING_SO_FAR } from "../../../../src/sources/rules/checks/commands-so-far.ts";
import { stepsForCall } from "../../../../src/sources/rules/checks/findings.ts";
import { lineOf, recordedText } from "../../../../src/sources/rules/checks/lines.ts";
import { toPatterns } from "../../../../src/sources/rules/matching/globs.ts";
import type { EditCheck } from "../../../../src/sources/rules/rule.ts";
import { judgeEdit } from "./judging.ts";

const EVERY_FILE = { include: [], exclude: [] };

function rule(key: string, never: string, isUsers: boolean, reaction: EditCheck["reaction"]): CheckedRule {
  return { key, name: key, isUsers, checks: [{ id: "c", on: "edits", never, reaction, files: EVERY_FILE }] };
}

const users = (never: string, reaction: EditCheck["reaction"] = "deny") =>
  rule("mine", never, true, reaction);
const projects = (never: string, i = 0) => rule(`theirs${i}`, never, false, "deny");

describe("steps of a call", () => {
  it("grow with the number of lines that match, and only 20 places are listed", () => {
    const set = compileChecks([projects("x")]);
    const spent = (lines: number) => {
      const steps = stepsForCall();
      const before = steps.others.left;
      const { breaches } = judgeEdit(set, "x\n".repeat(lines), { kind: "whole", isNew: true }, { steps });
      expect(breaches).toHaveLength(20);
      expect(breaches.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
      expect(breaches.at(-1)?.more).toBe(lines - 20);
      return before - steps.others.left;
    };
    expect(spent(100_000)).toBeLessThan(11 * spent(10_000));
  });

  it("are the same for 1,000 checks that match every line: few places are listed, the rest is unknown", () => {
    const rules = Array.from({ length: 1000 }, (_, i) => projects(`[xy]|z${i}`, i));
    const steps = stepsForCall();
    const { breaches } = judgeEdit(compileChecks(rules), "xxxxxxxx\n".repeat(2000), {}, { steps });
    expect(steps.others.left).toBeGreaterThan(-100_000);
    expect(steps.own.left).toBe(stepsForCall().own.left);
    expect(breaches.length).toBeLessThan(200 + 20 + 1000);
    const first = breaches.filter((one) => one.rule === "theirs0");
    expect(first.length + (first.at(-1)?.more ?? 0)).toBe(2000);
  });

  it("of the user's own rules are not spent by a project's, wherever its rules stand", () => {
    const slow = Array.from({ length: 20 }, (_, i) => projects(`[ab][a-c]{60}[d${i}]`, i));
    const set = compileChecks([...slow, users("secret")]);
    const { breaches } = judgeEdit(set, `${"abc".repeat(2000)}\nsecret`, {}, { steps: 100_000 });
    expect(breaches.some(({ rule, isUnknown }) => rule !== "mine" && isUnknown)).toBe(true);
    expect(breaches.find(({ rule }) => rule === "mine")).toMatchObject({ text: "secret" });
  });

  it("are shared by the globs of all checks", async () => {
    const include = (await toPatterns(`${"*x".repeat(30)}*.ts`)) ?? [];
    const rules = Array.from({ length: 300 }, (_, i) => ({
      key: `r${i}`,
      name: "r",
      checks: [
        {
          id: "c",
          on: "done",
          ran: "npm test",
          reaction: "remind",
          files: { include, exclude: [] },
        } as const,
      ],
    }));
    const steps = stepsForCall(200_000);
    const path = `${"x".repeat(2000)}y.js.ts`;
    const call = { edits: () => [{ path, kind: "part" as const, hunks: [{ text: "a" }] }] };
    after(NOTHING_SO_FAR, compileChecks(rules), call, steps);
    expect(steps.others.left).toBeLessThan(0);
    expect(steps.others.left).toBeGreaterThan(-50_000);
  });
});

describe("what the user's own rules deny or ask", () => {
  it.each([
    ["a remark that the file is generated", "// DO NOT EDIT\nx", "src/a.ts"],
    ["NUL", "x\0", "src/a.ts"],
    ["a folder of built files", "x", "build/a.ts"],
  ])("is looked for in spite of %s", (_, text, path) => {
    const broken = (one: CheckedRule) =>
      judgeEdit(compileChecks([one]), text, { path, kind: "whole", isNew: true }).breaches.length;
    expect(broken(users("x"))).toBe(1);
    expect(broken(users("x", "ask"))).toBe(1);
    expect(broken(users("x", "remind"))).toBe(0);
    expect(broken(projects("x"))).toBe(0);
  });
});

describe("a secret in an offending line", () => {
  const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  const breach: Breach = {
    ...{ rule: "r", name: "r", check: "c", on: "edits", reaction: "remind", place: "p" },
    path: `src/${token}.ts`,
    text: `${"word ".repeat(29)}${token}`,
  };

  it("is redacted before the line is cut, also in a path", () => {
    expect(recordedText(breach)).not.toContain("ghp_");
    expect(lineOf(breach, undefined, "breaks")).not.toContain("ghp_");
  });
});
