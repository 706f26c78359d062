import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { troubles } from "../hosts/opencode/turns.ts";
import { CLAUDE_CODE } from "../support/claude-code.ts";
import { startClaudeCodeDriver } from "../support/claude-code-driver.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { cliOf, PI, startPi } from "../support/pi.ts";
import { write } from "../support/world.ts";
import { continuo } from "./continuo.ts";
import type { HostDriver } from "./host-driver.ts";
import { count, expectPrefixes, main } from "./seen-requests.ts";

const claudeCode = await orSkipReason(installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE));
const pi = await orSkipReason(cliOf(PI));
const skip = [claudeCode, pi].flatMap((one) => (typeof one === "object" ? [one.skip] : [])).join("; ");

describe.skipIf(skip !== "")(`Claude Code ${CLAUDE_CODE} and pi ${PI.version} at once${skip}`, () => {
  it("each have every rule once and only their own sets, in one project with one Continuo home", async () => {
    const one = await startClaudeCodeDriver();
    onTestFinished(() => one.dispose());
    const continuoHome = join(String(one.env["HOME"]), ".continuo");
    const other = await startPi(PI, {}, { project: one.project, continuoHome });
    onTestFinished(() => other.dispose());
    write(one.project, {
      ".continuo/rules/always.md": "MARK-ALWAYS: write plain sentences.",
      ".continuo/rules/typed.md": "---\nglobs: '**/*.ts'\n---\nMARK-TYPED: imports end in ts.",
      "src/a.ts": "export const a = 1;\n",
    });

    async function session(driver: HostDriver, note: string) {
      const keep = { call: "set_relevant_context", input: { setName: "notes", items: [note] } };
      const first = await driver.turn("hello", { replies: [{ read: "src/a.ts" }, keep] });
      write(one.project, { ".continuo/rules/late.md": "MARK-LATE: new in mid-session." });
      const second = await driver.turn("again", { session: first.session });
      const third = await driver.turn("once more", { session: first.session });
      return main([...first.requests, ...second.requests, ...third.requests]);
    }
    const sessions = await Promise.all([session(one, "MARK-NOTE-1"), session(other, "MARK-NOTE-2")]);

    for (const [i, requests] of sessions.entries()) {
      expect(requests).toHaveLength(5);
      expectPrefixes(requests);
      const last = requests.at(-1);
      for (const mark of ["MARK-ALWAYS", "MARK-TYPED", "MARK-LATE"]) expect(count(last, mark), mark).toBe(1);
      expect(count(last, `MARK-NOTE-${i + 1}`)).toBe(1); // on the card of the resume
      expect(count(last, `MARK-NOTE-${2 - i}`)).toBe(0);
    }
    const status = JSON.parse(await continuo(one, "status", "--json"));
    const known = status.data.sessions.map(({ host, snapshots }: Record<string, unknown>) => ({
      host,
      snapshots,
    }));
    expect(known).toHaveLength(2);
    expect(known).toEqual(
      expect.arrayContaining([
        { host: "claude-code", snapshots: 1 },
        { host: "pi", snapshots: 1 },
      ]),
    );
    expect(troubles(String(one.env["HOME"]))).toEqual([]);
  });
});
