import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { Answer, Source, SourceContext } from "../../../../src/moments/ports/source.ts";
import type { ToolMoment } from "../../../../src/moments/types.ts";
import { rules } from "../../../../src/sources/rules/source.ts";
import { write } from "../../../support/world.ts";
import { checkedWorld, linesOf, NO_ANY } from "./checked-world.ts";

const OFFENDING = "const x: any = 1;";

/** The rules, with their answer to a tool call replaced. */
function rulesAtTool(
  answer: (moment: ToolMoment, context: SourceContext) => Promise<Answer> | Answer,
): readonly Source[] {
  return [{ ...rules, answers: { ...rules.answers, tool: answer } }];
}

const atTool = rules.answers.tool ?? (() => ({}));

describe("a breach that is found too late", () => {
  /** The first call is judged when its time is over, and what the source returns is ignored. */
  const firstIsLate = () => {
    let calls = 0;
    return rulesAtTool(async (moment, context) => {
      if (calls++ > 0) return atTool(moment, context);
      await atTool(moment, { ...context, signal: AbortSignal.abort() });
      throw new Error("too late");
    });
  };

  it("is told and recorded at the session's next call, once", async () => {
    const { edit, tool, broken, trouble } = await checkedWorld(
      { "a.md": NO_ANY },
      { more: { sources: firstIsLate() } },
    );
    expect(await edit(OFFENDING)).toBe("");
    expect(broken()).toEqual([]);
    expect(trouble.map(({ error }) => String(error))).toEqual(["Error: too late"]);
    expect(linesOf(await tool("Read"))).toEqual([
      `- src/a.ts:12 breaks the rule "no-any": ${OFFENDING} (Use unknown.)`,
    ]);
    expect(broken()).toMatchObject([{ rule: ".continuo/rules/a.md", reaction: "remind" }]);
    expect(await tool("Read")).toBe("");
    expect(await edit(OFFENDING)).toBe("");
  });

  it("is told at the next prompt, and in no other session", async () => {
    const { edit, prompt, start } = await checkedWorld(
      { "a.md": NO_ANY },
      { more: { sources: firstIsLate() } },
    );
    await edit(OFFENDING);
    await start("s2");
    expect(await prompt("go on", "s2")).not.toContain('no-any": ');
    expect(linesOf(await prompt("go on"))).toHaveLength(1);
  });
});

describe("a whole file, if there is no time to ask git what stood in it", () => {
  it("is told of all lines that are found", async () => {
    const inAHurry = rulesAtTool((moment, context) => atTool(moment, { ...context, deadlineMs: 10 }));
    const { edit, root } = await checkedWorld({ "a.md": NO_ANY }, { more: { sources: inAHurry } });
    write(root, { "src/a.ts": `${OFFENDING}\n` });
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
        cwd: root,
        env: { PATH: process.env["PATH"], HOME: root, GIT_CONFIG_NOSYSTEM: "1" },
      });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "one");
    expect(linesOf(await edit("", { kind: "whole", hunks: [{ text: OFFENDING }] }))).toHaveLength(1);
  });
});
