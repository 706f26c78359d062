import { describe, expect, it } from "vitest";
import { findReferences, readReference } from "../../../src/sources/sessions/references.ts";
import { cpuSeconds } from "../../support/cpu-time.ts";

const UUID = "056d2eda-6037-4f4f-a98d-f2f78f650be4";
const names = (prompt: string) => findReferences(prompt).used.map(({ name }) => name);

describe("references in a prompt", () => {
  it("are read in every form", () => {
    expect(findReferences(`as in @@${UUID}, please`).used).toEqual([
      { written: `@@${UUID}`, name: UUID, ancestors: 0 },
    ]);
    expect(findReferences("(see @@claude-code:fix-login~2)").used).toEqual([
      { written: "@@claude-code:fix-login~2", name: "fix-login", host: "claude-code", ancestors: 2 },
    ]);
    expect(findReferences('like @@"Fix the login" did').used[0]).toMatchObject({ name: "Fix the login" });
    expect(findReferences('@@pi:"Fix the login"').used[0]).toMatchObject({
      name: "Fix the login",
      host: "pi",
    });
    expect(findReferences(`@session:${UUID}`).used[0]).toMatchObject({ name: UUID });
    expect(names("@@ses_3fAb9 and @@last.")).toEqual(["ses_3fAb9", "last"]);
    expect(names("@@überarbeitung-日本")).toEqual(["überarbeitung-日本"]);
  });

  it("include the question after a colon, up to its question mark or the end of the line", () => {
    const questions = (prompt: string) => findReferences(prompt).used.map(({ question }) => question);
    expect(questions("@@login: what about `retry()`? Then go on.")).toEqual(["what about `retry()`?"]);
    expect(questions("@@login: the timeout\nand do it")).toEqual(["the timeout"]);
    expect(questions("@@a-one: first @@b-two: second")).toEqual(["first", "second"]);
    expect(questions("@@login:")).toEqual([undefined]);
    expect(questions("@@login. So: what?")).toEqual([undefined]);
    expect(questions(`@@login: ${"x".repeat(9000)}`)[0]).toHaveLength(500);
  });

  it("are ignored in code, addresses, diffs and words", () => {
    for (const text of [
      "`@@name`",
      "```\n@@name\n```",
      "    @@name",
      "me@@example.com",
      "me@session:abc",
      "@@@name",
      "@@ -1,3 +1,4 @@ function",
      "a/@@name",
      "@@",
      '@@""',
      "@@~2",
    ])
      expect(findReferences(text).used, text).toEqual([]);
  });

  it("are limited to three, each once", () => {
    const many = Array.from({ length: 500 }, (_, i) => `@@name-${i}`).join(" ");
    expect(findReferences(`@@Name-0 ${many}`).used.map(({ written }) => written)).toEqual([
      "@@Name-0",
      "@@name-1",
      "@@name-2",
    ]);
    expect(findReferences(many).leftOut).toBe(47);
    expect(findReferences("@@a @@b @@a").leftOut).toBe(0);
  });

  it("are found in a time that does not depend on the prompt's structure", () => {
    const spent = cpuSeconds(() => {
      for (const piece of ["@@", '@@"', "@@a:", "`@@a", "@@a.", "@session:"])
        findReferences(piece.repeat(300_000 / piece.length));
    });
    expect(spent).toBeLessThan(2);
  });
});

describe("a reference given to a tool or a command", () => {
  it("needs no marks, and may be a name with spaces and punctuation", () => {
    expect(readReference("fix-login~1")).toMatchObject({ name: "fix-login", ancestors: 1 });
    expect(readReference(`@@${UUID}`)).toMatchObject({ name: UUID });
    expect(readReference("  Fix the\nlogin (again)! ")).toMatchObject({ name: "Fix the login (again)!" });
    expect(readReference(" ")).toBeUndefined();
  });
});
