import { describe, expect, it } from "vitest";
import { checkedWorld, linesOf, ruleWith } from "./checked-world.ts";

const TONE = ruleWith('{ answer: { never: "absolutely right" } }', "tone");
const TESTS = ruleWith("{ commands: { before: done, ran: npm test } }", "tests");
const denying = (rule: string) => rule.replace(" } }", ", reaction: deny } }");
const BROKE = 'the answer broke the rule "tone": You are absolutely right!';
const UNTESTED = 'the last stop broke the rule "tests": needs a successful "npm test" after the last edit';

describe("when the agent stops", () => {
  it("the person is told at once and the model at the next prompt, once", async () => {
    const { idle, prompt, notices, broken } = await checkedWorld({ "t.md": TONE });
    expect(await idle({ answer: "Well.\nYou are absolutely right!" })).toBeUndefined();
    expect(notices).toContain(`Continuo: ${BROKE}`);
    expect(linesOf(await prompt("go on"))).toEqual([`- ${BROKE}`]);
    expect(await prompt("go on")).toBe("");
    expect(broken()).toMatchObject([{ on: "answer", reaction: "remind" }]);
  });

  it("the model is told with the next tool call if that comes first", async () => {
    const { idle, run, prompt } = await checkedWorld({ "t.md": TONE });
    await idle({ answer: "You are absolutely right!" });
    expect(linesOf(await run("ls"))).toEqual([`- ${BROKE}`]);
    expect(await prompt("go on")).toBe("");
  });

  it("a command must have run since the last edit, if there was one", async () => {
    const { idle, edit, run, prompt } = await checkedWorld({ "t.md": TESTS });
    await idle({ answer: "Nothing to do." });
    expect(await prompt("go on")).toBe("");
    await edit("const a = 1;");
    await idle({ answer: "Done." });
    expect(linesOf(await prompt("go on"))).toEqual([`- ${UNTESTED}`]);
    await run("npm test");
    await idle({ answer: "Done." });
    expect(await prompt("go on")).toBe("");
  });

  it("three reminders become one question here too", async () => {
    const { idle, prompt, notices } = await checkedWorld({ "t.md": TONE });
    for (let i = 0; i < 5; i++) {
      await idle({ answer: "You are absolutely right!" });
      expect(linesOf(await prompt("go on"))).toHaveLength(i < 3 ? 1 : 0);
    }
    expect(notices.filter((line) => line.includes("three reminders"))).toHaveLength(1);
  });

  it("it is refused once by a rule of a trusted project, then told at the next prompt", async () => {
    const { trust, idle, edit, prompt, broken } = await checkedWorld({ "t.md": denying(TESTS) });
    await trust();
    await edit("const a = 1;");
    const verdict = await idle({ answer: "Done." });
    expect(verdict?.action).toBe("deny");
    expect(verdict?.message).toContain(UNTESTED.replace("the last stop broke", "stopping here breaks"));
    expect(await idle({ answer: "Done.", isAfterRefusal: true })).toBeUndefined();
    expect(linesOf(await prompt("go on"))).toEqual([`- ${UNTESTED}`]);
    expect(broken().map(({ reaction }) => reaction)).toEqual(["deny", "remind"]);
  });

  it("it is refused by the user's own rule everywhere, and by a project that nobody trusts never", async () => {
    const own = await checkedWorld({}, { own: { "t.md": denying(TONE) } });
    expect(await own.idle({ answer: "You are absolutely right!" })).toMatchObject({ action: "deny" });
    const other = await checkedWorld({ "t.md": denying(TONE) });
    expect(await other.idle({ answer: "You are absolutely right!" })).toBeUndefined();
    expect(linesOf(await other.prompt("go on"))).toEqual([`- ${BROKE}`]);
  });

  it("a host that cannot refuse it tells the model at the next prompt", async () => {
    const own = { "t.md": denying(TONE) };
    const { idle, prompt } = await checkedWorld({}, { own, more: { canRefuseStop: false } });
    expect(await idle({ answer: "You are absolutely right!" })).toBeUndefined();
    expect(linesOf(await prompt("go on"))).toEqual([`- ${BROKE}`]);
  });

  it("the model is told in one section of what broke before and what breaks now", async () => {
    const { idle, run } = await checkedWorld({
      "t.md": TONE,
      "ls.md": ruleWith("{ commands: { never: '^ls' } }", "no-ls"),
    });
    await idle({ answer: "You are absolutely right!" });
    const told = await run("ls");
    expect(linesOf(told)).toHaveLength(2);
    expect(told.split("## Broken rules")).toHaveLength(2);
  });

  it("it is refused only after a turn with an edit, and refusals lead to no question", async () => {
    const world = await checkedWorld({ "t.md": denying(TESTS) });
    const { trust, idle, edit, prompt, notices } = world;
    await trust();
    for (let turn = 0; turn < 6; turn++) {
      await edit(`const a = ${turn};`);
      expect(await idle({ answer: "Done." })).toMatchObject({ action: "deny" });
      expect(await idle({ answer: "Done.", isAfterRefusal: true })).toBeUndefined();
      await prompt("What is 2 + 2?");
      expect(await idle({ answer: "4" })).toBeUndefined();
      expect(await prompt("go on")).toBe("");
    }
    expect(notices.filter((line) => line.includes("To decide"))).toEqual([]);
  });
});
