import { expect } from "vitest";
import { write } from "../support/world.ts";
import { type Check, check } from "./check.ts";
import { configure, continuo } from "./continuo.ts";
import type { HostDriver, ScriptedReply } from "./host-driver.ts";
import { count, expectPrefixes, main } from "./seen-requests.ts";

/** What one source adds to the contract that every host must meet. A new source adds one of these. */
export interface SourceLines<Name extends string = string> {
  /** The files in the project before any session begins. */
  readonly files: Readonly<Record<string, string>>;
  /** What the model does in its first turn, so that the source has something to deliver. */
  readonly replies: readonly ScriptedReply[];
  /** What a person does between the first turn and the next. */
  readonly meanwhile?: (driver: HostDriver) => Promise<void>;
  /** Given to the model, once, in the first request after any compaction. */
  readonly lasting: readonly RegExp[];
  /** Given to a subagent, once. */
  readonly forChildren: readonly RegExp[];
  /** Never given to a subagent. */
  readonly notForChildren: readonly RegExp[];
  readonly checks: readonly Check<Name>[];
}

const lines = <Name extends string>(one: SourceLines<Name>): SourceLines<Name> => one;

const rules = lines({
  files: {
    ".continuo/rules/always.md": "MARK-ALWAYS: write plain sentences.",
    ".continuo/rules/typed.md": "---\nglobs: '**/*.ts'\n---\nMARK-TYPED: imports end in ts.",
    "src/a.ts": "export const a = 1;\n",
  },
  replies: [{ read: "src/a.ts" }],
  lasting: [/MARK-ALWAYS/, /MARK-TYPED/],
  forChildren: [/MARK-ALWAYS/],
  notForChildren: [],
  checks: [
    check("addition", "delivers a rule that is new in mid-session once, at the tail", async (driver) => {
      const first = await driver.turn("hello");
      write(driver.project, { ".continuo/rules/late.md": "MARK-LATE: new in mid-session." });
      const second = await driver.turn("again", { session: first.session });
      const third = await driver.turn("once more", { session: first.session });
      for (const request of main([...second.requests, ...third.requests]))
        expect(count(request, "MARK-LATE")).toBe(1);
      expectPrefixes(main([...first.requests, ...second.requests, ...third.requests]));
    }),
    check("file rule", "delivers a rule for a file once that file was read", async (driver) => {
      const first = await driver.turn("read it", { replies: [{ read: "src/a.ts" }] });
      const second = await driver.turn("again", { session: first.session });
      expect(count(main(second.requests).at(-1), "MARK-TYPED")).toBe(1);
    }),
    check("mention", "delivers a rule for a file once, with the prompt that mentions it", async (driver) => {
      const first = await driver.turn("ask @types/node, @@src/a.ts and sam@example.org");
      for (const request of main(first.requests)) expect(count(request, "MARK-TYPED")).toBe(0);
      const second = await driver.turn("explain @src/a.ts, please", { session: first.session });
      const third = await driver.turn("and @src/a.ts again", { session: first.session });
      for (const request of main([...second.requests, ...third.requests]))
        expect(count(request, "MARK-TYPED")).toBe(1);
      const fresh = await driver.turn("explain @src/a.ts");
      expect(count(main(fresh.requests)[0], "MARK-TYPED")).toBe(1);
    }),
  ],
});

const context = lines({
  files: { "docs/PINNED-PLAN.md": "the plan" },
  replies: [],
  meanwhile: async (driver) => {
    await continuo(driver, "sets", "set", "files", "docs/PINNED-PLAN.md");
  },
  // Some hosts put it into a tool's result, which may be JSON.
  lasting: [/Relevant files:(\s|\\n)*- [^\s\\]*PINNED-PLAN\.md/],
  forChildren: [],
  notForChildren: [/PINNED-PLAN/],
  checks: [
    check("resume card", "tells a resumed session once which of its files changed", async (driver) => {
      const first = await driver.turn("read it", { replies: [{ read: "src/a.ts" }] });
      // A user waits a little after the answer; OpenCode does not wait for what is done when it goes idle.
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      write(driver.project, { "src/a.ts": "export const a = 1;\nexport const b = 2;\n" });
      const second = await driver.turn("again", { session: first.session });
      const third = await driver.turn("once more", { session: first.session });
      for (const request of main([...second.requests, ...third.requests]))
        expect(count(request, "idle: src/a.ts (+1 line)")).toBe(1);
    }),
    check("tools", "lists its tools, and a call's result is in the next request", async (driver) => {
      configure(driver, { tools: "all" });
      const input = { setName: "notes", items: ["MARK-NOTE"] };
      const replies = [
        { call: "set_relevant_context", input },
        { call: "get_relevant_context", input: { setName: "notes" } },
      ];
      const requests = main((await driver.turn("remember it", { replies })).requests);
      expect(requests).toHaveLength(3);
      for (const { call } of replies)
        expect(requests[0]?.tools.filter((name) => name.endsWith(call))).toHaveLength(1);
      expect(requests[1]?.text).toContain("Set notes: 1 item");
      // Its lines may be separated by an escaped \n if a host passes on JSON.
      expect(requests[2]?.text).toMatch(/notes(\W|n)+MARK-NOTE/);
    }),
  ],
});

/** One long sentence, so that the line at a start ends before the mark. */
const ROLLBACK =
  "If the error rate doubles, the last release is always rolled back within five minutes by whoever is on call, without asking anybody first, the incident channel hears of it at once, and the [[database]] stays: MARK-ROLLBACK.";
/** In the list at a start, and nowhere else. */
const TOLD = /- Cart rounding: Totals are always rounded once/;

const notes = lines({
  files: {},
  replies: [],
  lasting: [],
  forChildren: [],
  notForChildren: [/MARK-ROLLBACK/],
  checks: [
    check(
      "project note",
      "tells of a note of the project at a start, and again after a compaction",
      async (driver) => {
        await continuo(
          driver,
          "write",
          "--title",
          "Cart rounding",
          "Totals are always rounded once, see [[cart]].",
        );
        await continuo(
          driver,
          "write",
          "--project",
          "elsewhere",
          "--title",
          "Soup",
          "Never boil [[leek]] for long.",
        );
        const first = await driver.turn("hello");
        await driver.compact(first.session);
        const after = await driver.turn("again", { session: first.session });
        for (const request of main([...first.requests, ...after.requests])) {
          expect(count(request, TOLD)).toBe(1);
          expect(count(request, "Soup")).toBe(0);
        }
      },
    ),
    check(
      "other words",
      "adds a note to a prompt that is near it and has none of its words",
      async (driver) => {
        await continuo(driver, "write", "--title", "Rollback of a release", ROLLBACK);
        const first = await driver.turn("hello");
        const second = await driver.turn("how do I undo a bad deploy of the service", {
          session: first.session,
        });
        const third = await driver.turn("thanks", { session: first.session });
        for (const request of main(first.requests)) expect(count(request, "MARK-ROLLBACK")).toBe(0);
        for (const request of main([...second.requests, ...third.requests]))
          expect(count(request, "MARK-ROLLBACK")).toBe(1);
        expectPrefixes(main([...first.requests, ...second.requests, ...third.requests]));
      },
    ),
  ],
});

/** The last sentence of a session, as a new one receives it. */
const LEFT_OFF = "Receipts show whole cents, and test_refund still fails.";

const sessions = lines({
  files: {},
  replies: [],
  lasting: [],
  forChildren: [],
  notForChildren: [/Last sessions when/],
  checks: [
    check(
      "left off",
      "tells a new session how the last one ended, also after a compaction, and a resumed one nothing of others",
      async (driver) => {
        write(driver.project, { "src/a.ts": "export const a = 1;\n" });
        const first = await driver.turn("Round the prices in the cart half to even", {
          // Without any work, a script's question would not be told of.
          replies: [{ read: "src/a.ts" }, { text: `Done. ${LEFT_OFF}` }],
        });
        for (const request of main(first.requests)) expect(count(request, "Last sessions when")).toBe(0);
        const second = await driver.turn("hello");
        for (const request of main(second.requests)) {
          expect(count(request, "Last sessions when")).toBe(1);
          expect(count(request, LEFT_OFF)).toBe(1);
        }
        await driver.compact(second.session);
        const third = await driver.turn("and on", { session: second.session });
        expect(count(main(third.requests)[0], LEFT_OFF)).toBe(1);
        const resumed = await driver.turn("again", { session: first.session });
        for (const request of main(resumed.requests)) expect(count(request, "Last sessions when")).toBe(0);
      },
    ),
  ],
});

export const SOURCES: readonly SourceLines[] = [rules, context, notes, sessions];
export const SOURCE_CHECKS = [...rules.checks, ...context.checks, ...notes.checks, ...sessions.checks];
