import { readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCatalog } from "../../../../src/sources/rules/catalog/catalog.ts";
import { compileChecks } from "../../../../src/sources/rules/checks/check-set.ts";
import { NOTHING_SO_FAR } from "../../../../src/sources/rules/checks/commands-so-far.ts";
import { judgeStop } from "../../../../src/sources/rules/checks/judge.ts";
import { MAX_COUNTED } from "../../../../src/sources/rules/checks/memo.ts";
import { countOccasions } from "../../../../src/sources/rules/checks/occasions.ts";
import { isTooLong } from "../../../../src/sources/rules/files/folders.ts";
import { PATIENT_LIMITS } from "../../../../src/sources/rules/files/limits.ts";
import { readMemo } from "../../../../src/sources/rules/memo.ts";
import { write } from "../../../support/world.ts";
import { checkedWorld, linesOf, noAny, ruleWith } from "./checked-world.ts";

const MINE = ruleWith(
  "{ answer: { never: absolutely, reaction: deny }, edits: { never: MYBAD }, commands: { before: done, ran: '^npm test', reaction: deny } }",
  "mine",
);
const ANSWER = "You are absolutely right";

describe("the user's own rule in a project that they do not trust", () => {
  it.each([
    ["of the same path", { "mine.md": "Something else." }],
    ["with the same content", { "other.md": MINE }],
    ["of the same path and content", { "mine.md": MINE, "second.md": MINE }],
  ])("is not replaced by a rule %s when calls and stops are checked", async (_, project) => {
    const { edit, idle, broken } = await checkedWorld(project, { own: { "mine.md": MINE } });
    expect(linesOf(await edit("MYBAD"))).toEqual(['- src/a.ts:12 breaks the rule "mine": MYBAD']);
    const verdict = await idle({ answer: ANSWER });
    expect(verdict?.action).toBe("deny");
    expect(verdict?.message).toContain("npm test");
    expect(new Set(broken().map(({ rule }) => rule))).toEqual(new Set(["CONTINUO_HOME/rules/mine.md"]));
  });

  it.each([
    ["guards", "guard: { action: deny, match: '.' }"],
    ["edits", "checks: { edits: { never: '.' } }"],
    ["reports", "checks: { edits: { never: '.', reaction: report } }"],
  ])("is told and recorded first, however many of its %s are broken by the same call", async (_, check) => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`r${i}.md`, `---\nname: r${i}\n${check}\n---\nr${i}`]),
    );
    const { edit, broken } = await checkedWorld(many, { own: { "mine.md": MINE } });
    expect(linesOf(await edit("MYBAD"))[0]).toBe('- src/a.ts:12 breaks the rule "mine": MYBAD');
    expect(broken().map(({ rule }) => rule)).toContain("CONTINUO_HOME/rules/mine.md");
  });

  it("is known as replaced from the digest of a large set too", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 320 }, (_, i) => [
        `r${i}.md`,
        ruleWith(`{ commands: { never: zz${i} } }`, `r${i}`),
      ]),
    );
    const { home, root, env } = await checkedWorld(
      { ...many, "mine.md": "Else." },
      { own: { "mine.md": MINE } },
    );
    // Later, so that the files are old enough for a digest.
    const now = Date.now() + 60_000;
    const place = { root, home: home.root, env, settings: {}, host: "pi", readOnly: false, now };
    const read = () => readCatalog({ ...place, wanted: { kind: "checks" }, limits: PATIENT_LIMITS });
    for (const { replaced, tested } of [await read(), await read()]) {
      expect(replaced.map(({ file }) => file.key)).toEqual(["CONTINUO_HOME/rules/mine.md"]);
      if (tested !== undefined) return; // from the digest
    }
    expect.unreachable("there is no digest");
  });

  it("is replaced once they trust it", async () => {
    const { edit, idle, trust } = await checkedWorld({ "mine.md": "Else." }, { own: { "mine.md": MINE } });
    await trust();
    expect(await edit("MYBAD")).toBe("");
    expect(await idle({ answer: ANSWER })).toBeUndefined();
  });
});

describe("what ran before, of the user's own checks", () => {
  it("is not forgotten because a project has many such checks", async () => {
    const list = (i: number) =>
      Array.from(
        { length: 50 },
        (_, j) => `{ before: done, ran: '^(zz${i}-${j}|npm test)', reaction: report }`,
      );
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [
        `h${i}.md`,
        ruleWith(`{ commands: [${list(i).join(", ")}] }`, `h${i}`),
      ]),
    );
    const own = {
      "mine.md": ruleWith(
        "{ commands: [{ before: done, ran: '^npm test', reaction: deny }, { before: '^git commit', ran: '^npm test', reaction: deny }, { before: '^git push', ran: '^npm test', reaction: deny, files: '*.ts' }] }",
      ),
    };
    const { edit, run, idle, guardRun, state } = await checkedWorld(many, { own });
    await edit("const x = 1;", { path: "a.ts" });
    expect(await guardRun("git push")).toMatchObject({ action: "deny" });
    expect(await idle({ answer: "done" })).toMatchObject({ action: "deny" });
    await run("npm test");
    expect(await guardRun("git commit -m x")).toBeUndefined();
    expect(await idle({ answer: "done" })).toBeUndefined();
    const { soFar } = readMemo(state()?.memos["rules"]).checks ?? {};
    expect(soFar).toMatchObject({ ran: { length: 503 } });
  });
});

describe("two breaches at the same time", () => {
  const own = { "mine.md": ruleWith("{ commands: { never: foo } }", "mine") };
  const asks = (notices: readonly string[]) => notices.filter((line) => line.includes("three reminders"));

  it("do not lose the question to the person", async () => {
    const { run, notices, home } = await checkedWorld({}, { own });
    await run("foo 1");
    await run("foo 2");
    await Promise.all([run("foo 3"), run("foo 4")]);
    for (const n of [5, 6, 7]) await run(`foo ${n}`);
    expect(asks(notices)).toHaveLength(1);
    expect(readFileSync(join(home.root, "checks.jsonl"), "utf8")).toContain("mine");
  });
});

describe("a rule whose path is very long", () => {
  it("is left out and reported, so that the state of a session stays small", async () => {
    const deep = Array.from({ length: 10 }, () => "d".repeat(200)).join("/");
    const list = Array.from({ length: 50 }, (_, j) => `{ never: 'l(s|z${j})', reaction: report }`).join(", ");
    const text = ruleWith(`{ commands: [${list}] }`);
    const long = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`${deep}/r${i}.md`, `${text}${i}`]),
    );
    const { run, statePath, trouble } = await checkedWorld({ ...long, "fine.md": text });
    await run("ls");
    expect(statSync(statePath).size).toBeLessThan(100_000);
    expect(trouble.map(({ error }) => String(error)).join("\n")).toContain("too long a path");
    expect(readFileSync(statePath, "utf8")).toContain(".continuo/rules/fine.md#");
  });

  it("counts as it is written to the state", () => {
    expect(isTooLong("a".repeat(200))).toBe(false);
    expect(isTooLong("a".repeat(201))).toBe(true);
    expect(isTooLong("\u0001".repeat(40))).toBe(true);
    expect(isTooLong("漢".repeat(70))).toBe(true);
  });
});

it("without time, the user's own checks are judged, and of a project's only the first 100", () => {
  const check = { id: "1", on: "answer", reaction: "deny", never: "BADWORD" } as const;
  const rule = (key: string, isUsers: boolean) => ({ key, name: key, checks: [check], isUsers });
  const own = Array.from({ length: 110 }, (_, i) => rule(`mine${i}`, true));
  const projects = Array.from({ length: 105 }, (_, i) => rule(`theirs${i}`, false));
  const set = compileChecks([...own, ...projects]);
  const unknown = (isOver: boolean) =>
    judgeStop(set, { answer: "BADWORD", soFar: NOTHING_SO_FAR }, { isOver: () => isOver })
      .breaches.filter((one) => one.isUnknown === true)
      .map((one) => one.rule);
  expect(unknown(false)).toEqual([]);
  expect(unknown(true)).toEqual(projects.slice(100).map(({ key }) => key));
});

describe("the user's own deny for some files", () => {
  const own = { "no-any.md": noAny("deny") };
  const OFFENDING = "const x: any = 1;";

  it("cannot be evaded through a linked folder or a linked file", async () => {
    const { guardEdit, root } = await checkedWorld({}, { own });
    write(root, { "src/deep/a.ts": "" });
    symlinkSync("src", join(root, "lib"));
    symlinkSync(join(root, "src/deep/a.ts"), join(root, "innocent.txt"));
    for (const path of ["lib/a.ts", "lib/new/b.ts", "innocent.txt"])
      expect(await guardEdit(OFFENDING, { path }), path).toMatchObject({ action: "deny" });
    expect(await guardEdit(OFFENDING, { path: "docs/a.md" })).toBeUndefined();
  });

  it("cannot be evaded through a link that its exceptions name", async () => {
    const rule = ruleWith(
      "{ edits: { never: '\\bany\\b', files: ['**/*.ts', '!vendor/**'], reaction: deny } }",
    );
    const { guardEdit, root } = await checkedWorld({}, { own: { "r.md": rule } });
    write(root, { "src/a.ts": "" });
    symlinkSync("src", join(root, "vendor"));
    expect(await guardEdit(OFFENDING, { path: "vendor/a.ts" })).toMatchObject({ action: "deny" });
  });
});

describe("how often the user's own checks had something to look at", () => {
  it("is counted although a project has more checks than are counted", () => {
    const occasions = (refs: readonly string[], ownOccasions: number) => ({
      breaches: [],
      occasions: refs,
      ownOccasions,
    });
    const others = Array.from({ length: MAX_COUNTED + 50 }, (_, i) => `r${i}#edits`);
    const full = countOccasions({}, occasions(others, 0));
    expect(Object.keys(full)).toHaveLength(MAX_COUNTED);
    const seen = countOccasions(full, occasions(["mine#edits", ...others], 1));
    expect(seen["mine#edits"]).toEqual([1, 1, 0]);
    expect(Object.keys(seen)).toHaveLength(MAX_COUNTED + 1);
  });
});
