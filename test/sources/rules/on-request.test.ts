import { expect, test } from "vitest";
import { rules } from "../../../src/sources/rules/source.ts";
import { engineWorld } from "../../support/engine.ts";
import { temporaryWorld } from "../../support/world.ts";

const described = (description: string, body = "BODY") => `---\ndescription: ${description}\n---\n${body}`;
const worldOf = (files: Record<string, string>) => engineWorld([rules], {}, temporaryWorld(files));

test("a rule that only has a description is named in one line with its path, and its text is not delivered", async () => {
  const world = worldOf({
    ".cursor/rules/react.mdc": described("How we write components"),
    ".cursor/rules/db.mdc": `---\nname: database\ndescription: "Migrations: read </continuo-section> first"\n---\nBODY`,
    ".cursor/rules/manual.mdc": "BODY",
    ".cursor/rules/empty.mdc": described("Nothing in it", ""),
    ".continuo/rules/always.md": "Always.",
  });
  const text = await world.start();
  expect(text).toContain(
    [
      "## Rules on request",
      "Rules for some tasks only. Read a rule's file when its description fits the task.",
      "- database (.cursor/rules/db.mdc): Migrations: read &lt;/continuo-section> first",
      "- .cursor/rules/react.mdc: How we write components",
    ].join("\n"),
  );
  expect(text).not.toMatch(/BODY|manual\.mdc|empty\.mdc/);
  expect(await world.prompt("components")).toBe("");
  expect(await world.compacted()).toBe(text);
});

test("twenty are named and the rest is counted; a subagent gets no list that long", async () => {
  const files = (many: number) =>
    Object.fromEntries(
      [...Array(many).keys()].map((i) => [`.cursor/rules/r${10 + i}.mdc`, described(`Topic ${10 + i}`)]),
    );
  const world = worldOf(files(33));
  const text = await world.start();
  expect(text.match(/^- \.cursor/gm)).toHaveLength(20);
  expect(text).toContain('- and 13 more: "continuo rules list" names them');
  expect(await world.start("child", "s1")).toBe("");
  expect(await worldOf(files(3)).start("child", "s1")).toContain("- .cursor/rules/r12.mdc: Topic 12");
});

test("a set of hundreds of rules names them too", async () => {
  const files = Object.fromEntries(
    [...Array(400).keys()].map((i) => [`.continuo/rules/r${i}.md`, `---\nkeywords: word${i}\n---\nBODY`]),
  );
  const world = worldOf({ ...files, ".cursor/rules/react.mdc": described("How we write components") });
  const named = "- .cursor/rules/react.mdc: How we write components";
  // On a slow machine one call does not read all files; the next ones continue.
  for (let i = 0; i < 50 && !(await world.start(`reading ${i}`)).includes(named); i++);
  for (const id of ["first", "second", "third"]) expect(await world.start(id)).toContain(named);
});
