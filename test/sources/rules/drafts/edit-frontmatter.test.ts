import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draftsFrom } from "../../../../src/sources/rules/drafts/drafts-from.ts";
import {
  addCheck,
  applyEdit,
  inverse,
  yamlOf,
} from "../../../../src/sources/rules/drafts/edit-frontmatter.ts";
import { denyEdit, editFor } from "../../../../src/sources/rules/drafts/rule-file.ts";
import { parseRule } from "../../../../src/sources/rules/parsing/parse.ts";

const FILE = { name: "a.md", dialect: "continuo" as const };
const draft = (text: string) => {
  const [drafted] = draftsFrom(text, { as: "said" });
  if (drafted === undefined) throw new Error("no draft");
  return drafted.check;
};
const NO_GOTO = draft("never use `goto`");
const NO_FORCE = draft("never run `git push --force`");

async function added(text: string, check = NO_GOTO): Promise<string | undefined> {
  const edit = await editFor(text, check, FILE);
  return edit === undefined || edit === "there" || "code" in edit ? undefined : applyEdit(text, edit);
}

describe("writing a check into a rule's frontmatter", () => {
  it("says that it is there already, and writes it no second time", async () => {
    const text = "---\npriority: 1\n---\nNever run `git push --force`.\n";
    expect(await editFor((await added(text, NO_FORCE)) ?? "", NO_FORCE, FILE)).toBe("there");
  });

  it("adds a key and touches no other byte", async () => {
    const text = '---\nname: one # a comment\nglobs: "src/**/*.c"   \n---\nNever use `goto`.\n';
    const after = await added(text);
    expect(after).toBe(
      text.replace(
        "   \n---",
        `   \nchecks:\n  edits:\n    - never: '\\bgoto\\b'\n      files: [${NO_GOTO.files?.map((one) => `'${one}'`).join(", ")}]\n---`,
      ),
    );
  });

  it("gives a file without frontmatter one, after a byte order mark and with its line ends", async () => {
    expect(await added("\ufeffNever use `goto`.\r\n", NO_FORCE)).toBe(
      "\ufeff---\r\nchecks:\r\n  commands:\r\n    - never: '^git push.*\\s--force(\\s|=|$)'\r\n---\r\n\r\nNever use `goto`.\r\n",
    );
  });

  it.each([
    [
      "---\nchecks:\n  edits:\n    - never: 'x1'\n      message: No # not a comment\n  # of commands\n  commands:\n    - never: 'y1'\n---\nText\n",
    ],
    ["---\nchecks:\n  edits:\n  - never: 'x1'\n\npriority: 3\n---\nText\n"],
    ["---\nchecks: # mine\n    commands:\n        - never: 'y1'\n# the end\n---\nText\n"],
    ["\n\n---\nname: a\n---\nText\n"],
    ["---\n---\nText"],
  ])("adds to what is there: %j", async (text) => {
    for (const check of [NO_GOTO, NO_FORCE]) {
      const after = await added(text, check);
      const [before, read] = [await parseRule(text, FILE), await parseRule(after ?? "", FILE)];
      if (before.kind !== "rule" || read.kind !== "rule") throw new Error("refused");
      expect(read.rule.checks).toHaveLength(before.rule.checks.length + 1);
      for (const line of text.split("\n")) expect(after).toContain(line);
    }
  });

  it.each([
    ["---\nchecks: { edits: [{ never: 'x1' }] }\n---\nText"],
    ["---\nchecks:\n  edits:\n    never: 'x1'\n---\nText"],
    ["---\nname: a\nText without an end"],
    ["---\n{ name: a }\n---\nText"],
    ["---\nchecks:\n\tedits: x\n---\nText"],
    ["---\nwrong: [\n---\nText"],
  ])("leaves what it does not understand to the person: %j", async (text) => {
    expect(await added(text)).toBeUndefined();
  });

  it("is taken back to the same bytes", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.boolean(), (text, hasFront) => {
        const whole = hasFront ? `---\nname: a\n---\n${text}` : text;
        const edit = addCheck(whole, yamlOf(NO_GOTO));
        if (edit === undefined) return;
        expect(applyEdit(applyEdit(whole, edit), inverse(edit))).toBe(whole);
      }),
    );
  });
});

describe("making a check refuse", () => {
  const idOf = async (text: string, at: number) => {
    const parsed = await parseRule(text, FILE);
    return parsed.kind === "rule" ? (parsed.rule.checks[at]?.id ?? "") : "";
  };
  const denied = async (text: string, at: number) => {
    const edit = await denyEdit(text, await idOf(text, at), FILE);
    return edit === undefined ? undefined : applyEdit(text, edit);
  };

  it("changes exactly the check that was asked about", async () => {
    const text =
      "---\nchecks:\n  edits:\n    - never: 'x1'\n    - never: 'x2' # why\n      message: No\n  commands:\n    - never: 'x2'\n---\nText\n";
    expect(await denied(text, 1)).toBe(text.replace("# why\n", "# why\n      reaction: deny\n"));
    expect(await denied(text, 2)).toBe(
      text.replace("    - never: 'x2'\n---", "    - never: 'x2'\n      reaction: deny\n---"),
    );
  });

  it("replaces the reaction that it has", async () => {
    const text = "---\nchecks:\n  edits:\n    never: 'x1'\n    reaction: remind # remind\n---\nText\n";
    expect(await denied(text, 0)).toBe(text.replace("reaction: remind", "reaction: deny"));
  });

  it("changes nothing where that is not clear", async () => {
    expect(await denied("---\nchecks: { edits: [{ never: 'x1' }] }\n---\nText\n", 0)).toBeUndefined();
    expect(await denied("---\nchecks:\n  commands:\n    - ask: 'x1'\n---\nText\n", 0)).toBeUndefined();
  });
});
