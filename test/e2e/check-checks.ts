import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { findHome } from "../../src/store/home.ts";
import { write } from "../support/world.ts";
import { check } from "./check.ts";
import { continuo } from "./continuo.ts";
import type { HostDriver } from "./host-driver.ts";
import { count, expectPrefixes, main } from "./seen-requests.ts";

/** A rule's own checks, as each host must hold them. Patterns are written so that they do not match themselves. */

const BAD = "export const a = 1;\nexport const b = 'MARK-BAD';\n";
const FINE = "export const a = 1;\nexport const b = 'fine';\n";
const EDITS = `---
checks:
  edits:
    never: 'MARK-[B]AD'
    message: MARK-ADVICE
---
MARK-RULE: no bad marks.`;

/** Some hosts put it into a tool's result, which may be JSON. */
const told = (where: string, rule: string) => new RegExp(`${where} the rule \\\\?"${rule}\\.md\\\\?"`);
const BROKEN = new RegExp(
  `${told("src/new\\.ts:2 breaks", "no-bad").source}: [^\\n]*MARK-BAD[^\\n]*MARK-ADVICE`,
);
const ANY = /Broken rules|(breaks|broke) the rule/;

export const CHECK_CHECKS = [
  check(
    "broken rule",
    "tells an edit that breaks a rule with its result, once, and nothing if no rule is broken",
    async (driver) => {
      write(driver.project, { ".continuo/rules/no-bad.md": EDITS });
      const first = await driver.turn("write it", { replies: [{ edit: "src/new.ts", content: BAD }] });
      const second = await driver.turn("again", { session: first.session });
      const third = await driver.turn("once more", { session: first.session });
      const all = main([...first.requests, ...second.requests, ...third.requests]);
      expect(existsSync(join(driver.project, "src/new.ts"))).toBe(true);
      expect(all.map((request) => count(request, BROKEN))).toEqual([0, 1, 1, 1]);
      expect(all.map((request) => count(request, ANY) > 0)).toEqual([false, true, true, true]);
      expectPrefixes(all);
      const fine = await driver.turn("write it", { replies: [{ edit: "src/fine.ts", content: FINE }] });
      expect(existsSync(join(driver.project, "src/fine.ts"))).toBe(true);
      for (const request of fine.requests) expect(count(request, ANY)).toBe(0);
    },
  ),

  check(
    "refused edit",
    "does not write a file that a rule of the user's own denies, and the model gets the reason",
    async (driver) => {
      await ownRule(driver, "no-bad", EDITS.replace("message:", "reaction: deny\n    message:"));
      const replies = [
        { edit: "src/new.ts", content: BAD },
        { edit: "src/fine.ts", content: FINE },
      ];
      const requests = main((await driver.turn("write it", { replies })).requests);
      expect(existsSync(join(driver.project, "src/new.ts"))).toBe(false);
      expect(existsSync(join(driver.project, "src/fine.ts"))).toBe(true);
      expect(requests.map((request) => count(request, "MARK-ADVICE") > 0)).toEqual([false, true, true]);
    },
  ),

  check(
    "refused stop",
    "has the agent go on once with the reason, if it stops before what a rule of the user's own wants",
    async (driver) => {
      await ownRule(
        driver,
        "test-first",
        "---\nchecks:\n  commands:\n    before: done\n    ran: echo MARK-TESTED\n    reaction: deny\n    message: MARK-ADVICE\n---\nTest first.",
      );
      const early = await driver.turn("write it", { replies: [{ edit: "src/new.ts", content: FINE }] });
      // The call, its result, and after the first answer the refusal, which Claude Code says twice.
      const told = main(early.requests).map((request) => count(request, "MARK-ADVICE") > 0);
      expect(told).toEqual([false, false, true]);
      const replies = [{ edit: "src/fine.ts", content: FINE }, { shell: "echo MARK-TESTED" }];
      expect(main((await driver.turn("write it", { replies })).requests)).toHaveLength(3);
    },
  ),

  check("answer", "tells at the next prompt, once, that the agent's answer broke a rule", async (driver) => {
    write(driver.project, {
      ".continuo/rules/no-sorry.md":
        "---\nchecks:\n  answer:\n    never: 'MARK-[S]ORRY'\n---\nDo not apologise.",
    });
    const first = await driver.turn("hello", { replies: [{ text: "MARK-SORRY about that." }] });
    // A person takes a while, and some hosts do not wait for what is done when they go idle.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const second = await driver.turn("again", { session: first.session });
    const third = await driver.turn("once more", { session: first.session });
    const all = main([...first.requests, ...second.requests, ...third.requests]);
    expect(all.map((request) => count(request, told("the answer broke", "no-sorry")))).toEqual([0, 1, 1]);
    expectPrefixes(all);
  }),
];

/** A rule that holds in every project, without trust. Hosts that run hooks are told to ask before tool calls. */
async function ownRule(driver: HostDriver, name: string, text: string): Promise<void> {
  write(findHome(driver.env).root, { [`rules/${name}.md`]: text });
  if (driver.sabotages.includes("no runtime")) await continuo(driver, "install", driver.hostName);
}
