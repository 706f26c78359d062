import { expect, it } from "vitest";
import { parseRule } from "../../../../src/sources/rules/parsing/parse.ts";

it.each([
  ["checks:\n  commands:\n    - { never: 'git push', deny: true }", 'did you mean "reaction: deny"?'],
  ["checks:\n  commands:\n    - { never: 'git push', block: yes }", 'did you mean "reaction: deny"?'],
  ["checks:\n  edits:\n    - { never: 'any', confirm: true }", 'did you mean "reaction: ask"?'],
  ["checks:\n  edits:\n    - { never: 'any', action: deny }", 'did you mean "reaction"?'],
  ["checks:\n  deny: true", 'did you mean "reaction: deny" in one of its checks?'],
  ["deny: true", 'did you mean "reaction: deny" in one of its checks?'],
  ["guard: { tool: Bash, deny: true }", 'did you mean "action: deny"?'],
  ["guard: { tool: Bash, reaction: deny }", 'did you mean "action"?'],
  ["guard: { tool: Bash, action: deny, colour: red }", "the keys are action, tool, tools, match, message"],
])("a reaction in a form that is not read is named in the one that is: %s", async (frontmatter, hint) => {
  const text = `---\n${frontmatter}\n---\nNo force push.`;
  const parsed = await parseRule(text, { name: "r.md", dialect: "continuo" });
  const lints = parsed.kind === "rule" ? parsed.lints : [];
  expect(lints.map((one) => one.hint)).toContain(hint);
});
