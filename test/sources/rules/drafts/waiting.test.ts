import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Question } from "../../../../src/sources/rules/checks/person.ts";
import type { Draft } from "../../../../src/sources/rules/drafts/records.ts";
import {
  askPerson,
  changeWaiting,
  MAX_OF_PROJECT,
  MAX_WAITING,
  questionKey,
  readWaiting,
  roomForDrafts,
  waitingPath,
} from "../../../../src/sources/rules/drafts/waiting.ts";
import { readHealth } from "../../../../src/store/health.ts";
import { temporaryWorld } from "../../../support/world.ts";

const PROJECT = { id: "/shop/.git", root: "/shop", label: "shop" };
const QUESTION: Question = {
  rule: ".continuo/rules/no-any.md",
  name: "no-any",
  check: "c1",
  project: PROJECT,
  breaches: 4,
  example: "src/a.ts:12 const x: any = 1",
};
const draft = (id: string): Draft => ({
  id,
  check: { on: "edits", never: "\\bany\\b", literal: "any" },
  sentence: "Never use any",
  from: { kind: "said", host: "pi", session: "s1", scope: "everywhere" },
  project: PROJECT,
});
const WAIT = { lockWaitMs: 5_000 };
const add = (home: string, ...ids: string[]) =>
  changeWaiting(
    home,
    () => ({ records: ids.map((id) => ({ kind: "draft" as const, at: 1, draft: draft(id) })) }),
    WAIT,
  );

describe("what waits", () => {
  it("keeps a question once per rule and project, and not after it was answered with no", async () => {
    const { home } = temporaryWorld();
    expect(askPerson(home, QUESTION, 1)).toBe(true);
    expect(askPerson(home, { ...QUESTION, breaches: 9 }, 2)).toBe(true);
    askPerson(home, { ...QUESTION, project: { ...PROJECT, id: "/other/.git" } }, 3);
    const { questions } = readWaiting(home.root);
    expect(questions.map(({ question }) => [question.project.id, question.breaches])).toEqual([
      ["/shop/.git", 4],
      ["/other/.git", 4],
    ]);
    const id = questionKey(QUESTION);
    const decided = {
      kind: "decided" as const,
      at: 4,
      batch: "b1",
      id,
      what: "reject" as const,
      message: "",
    };
    await changeWaiting(home.root, () => ({ records: [{ ...decided, keys: [id] }] }), WAIT);
    expect(askPerson(home, QUESTION, 5)).toBe(false);
    expect(readWaiting(home.root).questions).toHaveLength(1);
    await changeWaiting(home.root, () => ({ records: [{ kind: "undone", at: 6, batch: "b1" }] }), WAIT);
    expect(readWaiting(home.root).questions).toHaveLength(2);
  });

  it("keeps no secret and no hidden character of the offending line", () => {
    const { home } = temporaryWorld();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    askPerson(home, { ...QUESTION, example: `a.ts:1 x\u202e\n = "${secret}"` }, 1);
    const [asked] = readWaiting(home.root).questions;
    expect(asked?.question.example).toContain("a.ts:1");
    expect(readFileSync(waitingPath(home.root), "utf8")).not.toContain(secret);
    expect(asked?.question.example).not.toMatch(/[\u202e\n]/);
  });

  it("never throws, and records why a question was not kept", () => {
    const { home } = temporaryWorld();
    askPerson(home, QUESTION, 1);
    writeFileSync(waitingPath(home.root), Buffer.alloc(9 * 1024 * 1024, 32));
    expect(askPerson(home, QUESTION, 2)).toBe(false);
    expect(readHealth(home.logs).records.map(({ code }) => code)).toContain("checks-unreadable");
  });

  it("keeps damaged lines in the file and reads the others", async () => {
    const { home } = temporaryWorld();
    await add(home.root, "d1");
    const before = readFileSync(waitingPath(home.root), "utf8");
    writeFileSync(waitingPath(home.root), `${before}{"kind":"draft"}\nnot json\n`);
    await add(home.root, "d2");
    const { drafts, damaged } = readWaiting(home.root);
    expect(drafts.map((one) => one.draft.id)).toEqual(["d1", "d2"]);
    expect(damaged).toEqual(['{"kind":"draft"}', "not json"]);
  });

  it("is bounded: questions are not added while 200 wait", () => {
    const { home } = temporaryWorld();
    for (let i = 0; i <= MAX_WAITING; i++)
      askPerson(home, { ...QUESTION, project: { ...PROJECT, id: `p${i}` } }, i);
    expect(readWaiting(home.root).questions).toHaveLength(MAX_WAITING);
  });

  it("has room for the user's own and for other projects, however many questions one project has", () => {
    const { home } = temporaryWorld();
    const asked = Array.from({ length: 30 }, (_, i) => askPerson(home, { ...QUESTION, rule: `r${i}` }, i));
    expect(asked.filter(Boolean)).toHaveLength(MAX_OF_PROJECT);
    expect(readWaiting(home.root).questions).toHaveLength(MAX_OF_PROJECT);
    for (let i = 0; i < MAX_WAITING; i++)
      askPerson(home, { ...QUESTION, project: { ...PROJECT, id: `p${i}` } }, i);
    expect(askPerson(home, { ...QUESTION, rule: "own", isUsers: true }, 1)).toBe(true);
    expect(readWaiting(home.root).questions.some(({ question }) => question.rule === "own")).toBe(true);
  });

  it("has room for what the user said, however many drafts projects' rules gave", async () => {
    const { home } = temporaryWorld();
    const from = {
      kind: "rule",
      key: "k",
      name: "n",
      path: "/p",
      scope: "project",
      dialect: "continuo",
      hash: "h",
    } as const;
    const drafts = Array.from({ length: MAX_WAITING + 5 }, (_, i) => ({ ...draft(`d${i}`), from }));
    const records = drafts.map((one) => ({ kind: "draft" as const, at: 1, draft: one }));
    await changeWaiting(home.root, () => ({ records }), WAIT);
    await add(home.root, "said");
    const waiting = readWaiting(home.root);
    expect(waiting.drafts).toHaveLength(MAX_WAITING + 1);
    expect(waiting.drafts.at(-1)?.draft.id).toBe("said");
    expect([roomForDrafts(waiting, false), roomForDrafts(waiting, true)]).toEqual([0, MAX_WAITING - 1]);
  });

  it("shortens a long file without losing what waits, what was rejected and what is damaged", async () => {
    const { home } = temporaryWorld();
    await add(home.root, "d1");
    const reject = { kind: "decided" as const, at: 2, what: "reject" as const, message: "x".repeat(900) };
    const many = Array.from({ length: 1_500 }, (_, i) => ({
      ...reject,
      id: `gone${i}`,
      batch: `b${i}`,
      keys: [`key${i}`],
    }));
    await changeWaiting(home.root, () => ({ records: many }), WAIT);
    writeFileSync(waitingPath(home.root), `${readFileSync(waitingPath(home.root), "utf8")}odd\n`);
    await add(home.root, "d2");
    const { drafts, rejected, damaged } = readWaiting(home.root);
    expect(drafts.map((one) => one.draft.id)).toEqual(["d1", "d2"]);
    expect(rejected.has("key0") && rejected.has("key1499")).toBe(true);
    expect(damaged).toEqual(["odd"]);
  });
});
