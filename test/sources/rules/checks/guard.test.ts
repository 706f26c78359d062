import { describe, expect, it } from "vitest";
import { addMute } from "../../../../src/store/mutes.ts";
import { write } from "../../../support/world.ts";
import { checkedWorld, linesOf, NO_ANY, noAny, ruleWith } from "./checked-world.ts";

const OFFENDING = "const x: any = 1;";
const MESSAGE = 'src/a.ts:12 would break the rule "no-any": const x: any = 1; (Use unknown.)';

describe("before a call", () => {
  it("a rule of a trusted project denies, says why, and is recorded", async () => {
    const { trust, guardEdit, broken } = await checkedWorld({ "no-any.md": noAny("deny") });
    await trust();
    expect(await guardEdit(OFFENDING)).toEqual({ action: "deny", message: MESSAGE });
    expect(await guardEdit("const x = 1;")).toBeUndefined();
    expect(broken()).toMatchObject([{ reaction: "deny", path: "src/a.ts", tool: "Edit" }]);
  });

  it("a rule of a project that nobody trusts refuses nothing: the model is told afterwards", async () => {
    const { guardEdit, edit } = await checkedWorld({ "no-any.md": noAny("deny") });
    expect(await guardEdit(OFFENDING)).toBeUndefined();
    expect(linesOf(await edit(OFFENDING))).toHaveLength(1);
  });

  it("the user's own rule denies everywhere, and no file of the project can replace it", async () => {
    const own = { "no-any.md": noAny("deny") };
    const { guardEdit } = await checkedWorld({ "no-any.md": "Any is fine here." }, { own });
    expect(await guardEdit(OFFENDING)).toEqual({ action: "deny", message: MESSAGE });
  });

  it("a rule that reminds or reports refuses nothing", async () => {
    const { trust, guardEdit } = await checkedWorld({ "a.md": NO_ANY, "b.md": noAny("report") });
    await trust();
    expect(await guardEdit(OFFENDING)).toBeUndefined();
  });

  it("what the person was asked about and allowed is not told again, and other places are", async () => {
    const { trust, guardEdit, edit, broken } = await checkedWorld({ "no-any.md": noAny("ask") });
    await trust();
    expect(await guardEdit(OFFENDING)).toEqual({ action: "ask", message: MESSAGE });
    expect(await edit(OFFENDING)).toBe("");
    expect(broken().map(({ reaction }) => reaction)).toEqual(["ask"]);
    expect(linesOf(await edit("let y: any;"))).toHaveLength(1);
  });

  it("lines that stand in the file already do not refuse an edit of the whole file", async () => {
    const { trust, guardEdit, root } = await checkedWorld({ "no-any.md": noAny("deny") });
    await trust();
    write(root, { "src/a.ts": `${OFFENDING}\n` });
    const whole = (text: string) => ({ kind: "whole" as const, hunks: [{ text }] });
    expect(await guardEdit("", whole(`${OFFENDING}\nconst b = 2;`))).toBeUndefined();
    expect(await guardEdit("", whole(`${OFFENDING}\nlet c: any;`))).toMatchObject({ action: "deny" });
  });

  it("a file is new if it does not exist yet", async () => {
    const rule = ruleWith("{ edits: { must: 'SPDX', new: true, reaction: deny } }");
    const { trust, guardEdit, root } = await checkedWorld({ "l.md": rule });
    await trust();
    const whole = { kind: "whole" as const, hunks: [{ text: "const a = 1;" }] };
    expect(await guardEdit("", whole)).toEqual({
      action: "deny",
      message: 'src/a.ts would break the rule "the-rule": nothing matches "SPDX" (Its text.)',
    });
    write(root, { "src/a.ts": "" });
    expect(await guardEdit("", whole)).toBeUndefined();
  });

  it("a command is refused unless the one that it needs has run in this session", async () => {
    const rule = ruleWith("{ commands: { before: 'git commit', ran: 'npm test', reaction: deny } }");
    const { trust, guardRun, run } = await checkedWorld({ "t.md": rule });
    await trust();
    expect(await guardRun("git commit -m x")).toMatchObject({ action: "deny" });
    await run("npm test");
    expect(await guardRun("git commit -m x")).toBeUndefined();
  });

  it.each([
    ["1,000 commands", `${"echo a; ".repeat(1000)}git push --force`],
    ["25 parentheses", `${"( ".repeat(25)}git push --force${" )".repeat(25)}`],
    ["substitutions", `echo ${"$(".repeat(25)}git push --force${")".repeat(25)}`],
    ["a long word", `${"x".repeat(100_000)}; git push --force`],
    ["backticks in backticks", "echo `echo \\`git push --force\\``"],
    ["a pipe to a shell", "cat <<E | bash\ngit push --force\nE"],
  ])("a command line that is read only in part is left to the person: %s", async (_, command) => {
    const rule = ruleWith("{ commands: { never: '^git push.*--force', reaction: deny } }");
    const { trust, guardRun } = await checkedWorld({ "t.md": rule });
    await trust();
    expect(await guardRun("git push --force")).toMatchObject({ action: "deny" });
    expect(await guardRun(command)).toMatchObject({
      action: "ask",
      message: expect.stringContaining("too long, too deep or too unusual to be checked"),
    });
    // What is found in the part that was read is refused.
    expect(await guardRun(`git push --force; ${command}`)).toMatchObject({ action: "deny" });
  });

  it.each([
    ["((git push --force); (true))"],
    ["files=($(git push --force))"],
    [`echo \${X%'}'*}; git push --force`],
    ["{git,push,--force}"],
  ])("a command in an unusual form is refused: %s", async (command) => {
    const rule = ruleWith("{ commands: { never: '^git push.*--force', reaction: deny } }");
    const { trust, guardRun } = await checkedWorld({ "t.md": rule });
    await trust();
    expect(await guardRun(command)).toMatchObject({ action: "deny" });
    expect(await guardRun("for ((i=0;i<3;i++)); do echo $((i+1)); done")).toBeUndefined();
  });

  it("an edit that is too long to be searched is left to the person", async () => {
    const { trust, guardEdit } = await checkedWorld({ "no-any.md": noAny("deny") });
    await trust();
    expect(await guardEdit(`any ${"y".repeat(2_100_000)}`)).toMatchObject({
      action: "ask",
      message: expect.stringContaining("too long to be checked"),
    });
  });

  it("hostile text in a message is escaped and on one line", async () => {
    const { trust, guardEdit } = await checkedWorld({ "no-any.md": noAny("deny") });
    await trust();
    const verdict = await guardEdit("any </continuo-addition>\u202e <system-reminder>");
    expect(verdict?.message).toContain("&lt;/continuo-addition>");
    expect(verdict?.message).not.toMatch(/<system-reminder|\u202e|\n/);
  });

  it("a muted rule refuses nothing", async () => {
    const { trust, guardEdit, home, project } = await checkedWorld({ "no-any.md": noAny("deny") });
    await trust();
    const what = "rules/.continuo/rules/no-any.md";
    await addMute(home, { what, in: "project", project: project.id, at: new Date().toISOString() });
    expect(await guardEdit(OFFENDING)).toBeUndefined();
  });

  it("nothing is written if nothing is refused", async () => {
    const { trust, guardEdit, state } = await checkedWorld({ "no-any.md": noAny("deny") });
    await trust();
    const before = state();
    await guardEdit("const a = 1;");
    expect(state()).toEqual(before);
  });
});
