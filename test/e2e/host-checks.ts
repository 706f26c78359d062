import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { tokensOf } from "../../bench/tools/as-sent.ts";
import { exampleSeed, parsed, proposal } from "../sources/profile/seeds.ts";
import { OFFERED } from "../support/offered.ts";
import { wireUsualTimeouts } from "../support/patience.ts";
import { write } from "../support/world.ts";
import { check } from "./check.ts";
import { continuo } from "./continuo.ts";
import type { HostDriver } from "./host-driver.ts";
import { afterCompactions, count, expectPrefixes, main } from "./seen-requests.ts";
import { SOURCES } from "./source-checks.ts";

/** A session of one turn, in which every source has something to deliver. */
async function prepared(driver: HostDriver): Promise<string> {
  const replies = SOURCES.flatMap((source) => source.replies);
  const { session } = await driver.turn("begin", { replies });
  for (const source of SOURCES) await source.meanwhile?.(driver);
  return session;
}

const LASTING = SOURCES.flatMap((source) => source.lasting);

export const HOST_CHECKS = [
  check("start", "shows the snapshot before the first answer, once", async (driver) => {
    const { requests } = await driver.turn("hello");
    for (const request of main(requests)) expect(count(request, "MARK-ALWAYS")).toBe(1);
    expect(main(requests).length).toBeGreaterThan(0);
    expect(count(main(requests)[0], "MARK-TYPED")).toBe(0);
  }),

  check(
    "small",
    "adds no text and at most 300 tokens of tools where there are no rules, notes and sessions",
    async (driver) => {
      const [request] = main((await driver.turn("hello")).requests);
      // Of a deferred tool the host names only the name.
      const deferred = request?.text.match(/mcp__continuo__\w+\n?/g) ?? [];
      // The server's one sentence of instructions, where a host gives it to the model, counts with the tools.
      const instructions = request?.text.match(/#* ?continuo\n+Call propose_learning[^\n]*/g) ?? [];
      const text = instructions
        .reduce((left, one) => left.replace(one, ""), request?.text ?? "")
        .replace(/mcp__continuo__\w+/g, "");
      expect(text).toContain("hello");
      expect(text).not.toMatch(/<continuo|\bcontinuo\b(?!-test-cache)/i);
      const isOurs = new RegExp(`"name":"[\\w-]*(${OFFERED.tools.map(({ name }) => name).join("|")})"`);
      const ours = request?.definitions.filter((one) => isOurs.test(one)) ?? [];
      expect(ours.join()).toContain("write_memory");
      // A tool's title and annotations are for the client.
      expect(ours.join()).not.toMatch(/Hint|Write a note/);
      expect(tokensOf([...ours, ...deferred, ...instructions])).toBeLessThanOrEqual(300);
    },
    "empty",
  ),

  check(
    "resume",
    "shows the same snapshot, once, when the session is resumed in a new process",
    async (driver) => {
      const first = await driver.turn("hello");
      const second = await driver.turn("again", { session: first.session });
      const block = /<continuo>[\s\S]*?<\/continuo>/.exec(main(first.requests)[0]?.text ?? "")?.[0];
      expect(block).toContain("MARK-ALWAYS");
      expect(count(main(second.requests)[0], block ?? "none")).toBe(1);
      expect(count(main(second.requests)[0], "MARK-ALWAYS")).toBe(1);
    },
  ),

  check(
    "prefix",
    "keeps the prefix of consecutive requests, tool calls and resumes included",
    async (driver) => {
      const first = await driver.turn("read it", { replies: [{ read: "src/a.ts" }] });
      const second = await driver.turn("again", { session: first.session });
      const third = await driver.turn("once more", { session: first.session });
      const all = main([...first.requests, ...second.requests, ...third.requests]);
      expect(all.length).toBeGreaterThanOrEqual(4);
      expectPrefixes(all);
    },
  ),

  check("compaction", "has all that lasts, once, in the first turn after a compaction", async (driver) => {
    const session = await prepared(driver);
    await driver.turn("again", { session });
    const compaction = await driver.compact(session);
    expect(compaction.map(({ kind }) => kind)).toContain("compaction");
    const [after] = main((await driver.turn("go on", { session })).requests);
    for (const mark of LASTING) expect(count(after, mark), String(mark)).toBe(1);
  }),

  check(
    "automatic compaction",
    "has all that lasts, once, in the first request after the host compacted of its own accord",
    async (driver) => {
      const session = await prepared(driver);
      const full = await driver.overflow(session);
      const next = await driver.turn("go on", { session });
      const after = afterCompactions([...full, ...next.requests]);
      expect(after.length).toBeGreaterThan(0);
      for (const request of [...after, main(next.requests)[0]])
        for (const mark of LASTING) expect(count(request, mark), String(mark)).toBe(1);
    },
  ),

  check("child", "gives a subagent what is for it and nothing else", async (driver) => {
    const session = await prepared(driver);
    const { requests } = await driver.turn("delegate it", { session, replies: [{ delegate: "do the job" }] });
    for (const mark of LASTING)
      expect(count(main(requests)[0], mark), `parent ${mark}`).toBeGreaterThanOrEqual(1);
    const children = requests.filter((request) => request.kind === "child");
    expect(children.length).toBeGreaterThan(0);
    for (const child of children)
      for (const { forChildren, notForChildren } of SOURCES) {
        for (const mark of forChildren) expect(count(child, mark), String(mark)).toBe(1);
        for (const mark of notForChildren) expect(count(child, mark), String(mark)).toBe(0);
      }
  }),

  check("line", "shows its user a line at a start, which is in no request", async (driver) => {
    if (driver.watch === undefined) throw new Error("this driver cannot watch: say why in its skips");
    const { shown, requests } = await driver.watch(["hello"]);
    expect(shown).toMatch(/Continuo: \d+ rules?[^\n]* \(\d+ tokens\)/);
    expect(main(requests).length).toBeGreaterThan(0);
    for (const request of requests) expect(request.text).not.toMatch(/Continuo: \d+ rule/);
  }),

  check(
    "added line",
    "shows its user one line for what a tool call adds, and for what a prompt adds, which is in no request",
    async (driver) => {
      if (driver.watch === undefined) throw new Error("this driver cannot watch: say why in its skips");
      const word = "---\nkeywords: [refund]\n---\nMARK-WORD: refunds are rare.";
      write(driver.project, { ".continuo/rules/word.md": word });
      const { shown, requests } = await driver.watch(["read it", "refund it"], [{ read: "src/a.ts" }]);
      for (const line of [/Continuo: rule typed\.md \(src\/a\.ts\)/g, /Continuo: rule word\.md/g])
        expect(shown.match(line), shown).toHaveLength(1);
      for (const mark of ["MARK-TYPED", "MARK-WORD"])
        expect(requests.map(({ text }) => text).join(), mark).toContain(mark);
      for (const request of requests) expect(request.text).not.toContain("Continuo: ");
    },
  ),

  check("decide", "lets its user decide on a suggestion, which no model sees before", async (driver) => {
    if (driver.decide === undefined) throw new Error("this driver cannot decide: say why in its skips");
    const seed = join(driver.env["HOME"] ?? "", ".pai", "seed.json");
    const proposals = [proposal("p1", "MARK-WISH: small commits.")];
    write(dirname(seed), { "seed.json": JSON.stringify(exampleSeed({ state: { proposals } })) });
    for (const request of await driver.decide()) expect(count(request, "MARK-WISH")).toBe(0);
    expect(parsed(seed).learned.patterns.map((one) => one.content)).toEqual(["MARK-WISH: small commits."]);
    const { requests } = await driver.turn("hello");
    expect(count(main(requests)[0], "MARK-WISH")).toBe(1);
  }),

  check("title", "puts nothing into requests for a title", async (driver) => {
    const { requests } = await driver.turn("hello");
    const titles = requests.filter((request) => request.kind === "title");
    expect(titles.length).toBeGreaterThan(0);
    for (const title of titles) expect(count(title, "MARK-ALWAYS")).toBe(0);
  }),

  check(
    "sabotage",
    "answers every turn when we throw, refuse, print garbage, hang or are gone",
    async (driver) => {
      const replies = [{ read: "src/a.ts" }];
      const { session } = await driver.turn("hello");
      if (driver.sabotages.includes("no runtime")) await wireUsualTimeouts(driver);
      for (const how of driver.sabotages) {
        await driver.sabotage(how);
        const before = Date.now();
        const { requests } = await driver.turn(`still there, ${how}?`, { session, replies });
        expect(main(requests), how).toHaveLength(2);
        for (const request of requests) expect(count(request, "MARK-BROKEN"), how).toBe(0);
        // Far above what the wired timeouts allow (test/hosts/shared/time-limits.test.ts): it only distinguishes a hang from an answer.
        expect(Date.now() - before, how).toBeLessThan(45_000);
      }
    },
  ),

  check(
    "killed",
    "finishes its turn when our processes are killed in mid-write, and the next ones go on",
    async (driver) => {
      const { session } = await driver.turn("hello");
      await driver.sabotage("killed");
      write(driver.project, { ".continuo/rules/late.md": "MARK-LATE: new in mid-session." });
      const input = { setName: "ports", items: ["8080"] };
      const killed = await driver.turn("again", {
        session,
        replies: [{ call: "set_relevant_context", input }],
      });
      expect(main(killed.requests)).toHaveLength(2);
      expect(count(main(killed.requests)[1], "MARK-LATE")).toBe(0);
      await continuo(driver, "install", driver.hostName);
      const { requests } = await driver.turn("once more", { session });
      expect(count(main(requests)[0], "MARK-LATE")).toBe(1);
    },
  ),

  check(
    "uninstall",
    "finishes its turns after we were uninstalled in mid-session, with as many requests as with us",
    async (driver) => {
      const replies = [{ read: "src/a.ts" }];
      const first = await driver.turn("read it", { replies });
      await continuo(driver, "uninstall", driver.hostName);
      write(driver.project, { ".continuo/rules/late.md": "MARK-LATE: new in mid-session." });
      const second = await driver.turn("again", { session: first.session });
      expect(main(second.requests)).toHaveLength(1);
      expect(count(main(second.requests)[0], "MARK-LATE")).toBe(0);
      const without = await driver.turn("read it", { replies });
      for (const request of without.requests) expect(count(request, "MARK-ALWAYS")).toBe(0);
      const kinds = ({ requests }: typeof first) => requests.map(({ kind }) => kind).sort();
      expect(kinds(first)).toEqual(kinds(without));
    },
  ),

  check(
    "network",
    "connects to nothing but its model, and itself where it is a server, with our hooks and tools",
    async (driver) => {
      const folder = join(driver.project, "..", "traces");
      mkdirSync(folder);
      await driver.trace(folder);
      const input = { setName: "endpoints", items: ["http://example.com:9"] };
      const replies = [{ read: "src/a.ts" }, { call: "set_relevant_context", input }];
      const { requests } = await driver.turn("read it", { replies });
      expect(count(main(requests)[0], "MARK-ALWAYS")).toBe(1);
      const traces = readdirSync(folder);
      expect(traces.length).toBeGreaterThan(0);
      const calls = traces.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
      const known = (await driver.addresses()).map((url) => `htons(${new URL(url).port})`);
      const elsewhere = /\b(connect|sendto|sendmsg)\(.*AF_INET/;
      expect(
        calls.filter((line) => elsewhere.test(line) && !known.some((one) => line.includes(one))),
      ).toEqual([]);
    },
  ),
];
