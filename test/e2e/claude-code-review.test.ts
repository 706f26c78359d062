import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { PrepareContext } from "../../src/moments/ports/source.ts";
import { findProject } from "../../src/moments/project/project.ts";
import { draftFromRules } from "../../src/sources/rules/drafts/read-rules.ts";
import { requestText } from "../fakes/anthropic-requests.ts";
import { exampleSeed, parsed, proposal } from "../sources/profile/seeds.ts";
import { CLAUDE_CODE, type ClaudeCode, programOf, startClaudeCode } from "../support/claude-code.ts";
import { answerForm, claudeCodeScreen, leave, pressUntilGone } from "../support/claude-code-screen.ts";
import { orSkipReason } from "../support/packages.ts";
import { hasTmux } from "../support/terminal.ts";
import { write } from "../support/world.ts";
import { continuo } from "./continuo.ts";

const missing = !Array.isArray(await orSkipReason(programOf())) || !hasTmux;

async function started(suggestions: string[], before: (host: ClaudeCode) => unknown = () => undefined) {
  const host = await startClaudeCode({ git: true });
  const env = { HOME: host.home, TMPDIR: join(dirname(host.home), "tmp"), PATH: "/usr/bin:/bin" };
  await continuo({ env, project: host.project }, "install", "claude-code");
  const proposals = suggestions.map((text, i) => proposal(`p${i}`, text));
  const seed = join(host.home, ".pai", "seed.json");
  write(dirname(seed), { "seed.json": JSON.stringify(exampleSeed({ state: { proposals } })) });
  write(host.project, { ".continuo/rules/a.md": "Write plain sentences." });
  await before(host);
  const screen = await claudeCodeScreen(host);
  onTestFinished(async () => {
    await leave(screen);
    await host.dispose();
  });
  return { host, screen, seed };
}

describe.skipIf(missing)(`Claude Code ${CLAUDE_CODE} on a screen (needs tmux)`, () => {
  it("shows a line at a start, and a form for each suggestion before any model is asked", async () => {
    const { host, screen, seed } = await started(["MARK-ONE first", "MARK-TWO second", "MARK-THREE third"]);
    await screen.until(/says: Continuo: 1 rule \(\d+ tokens\)\s+3 suggestions to review: \/continuo:review/);
    await screen.type("/continuo:review");
    await screen.until(/continuo:review \(MCP\)/);
    await screen.press("Enter");
    await answerForm(screen, "MARK-ONE first", 0);
    await screen.until(/Accepted "MARK-ONE first"\. 2 suggestions left/);
    await answerForm(screen, "MARK-TWO second", 2);
    await screen.until(/"MARK-THREE third"/);
    expect(host.server.requests).toHaveLength(0);
    await pressUntilGone(screen, "Escape", "MARK-THREE third");
    await expect.poll(() => host.server.requests.length, { timeout: 30_000 }).toBeGreaterThan(0);
    const asked = host.server.requests.map(requestText).join("\n");
    expect(asked).toContain("I reviewed Continuo's suggestions: 1 accepted");
    for (const unseen of ["MARK-", "suggestions to review", "Continuo: 1 rule"])
      expect(asked).not.toContain(unseen);
    const { learned, state } = parsed(seed);
    expect(learned.patterns.map((one) => one.content)).toEqual(["MARK-ONE first"]);
    expect(state.proposals.map(({ content, status }) => [content, status])).toEqual([
      ["MARK-ONE first", "accepted"],
      ["MARK-TWO second", "rejected"],
      ["MARK-THREE third", "pending"],
    ]);
  });

  it("never shows a suggested check again that was accepted, also if its rule suggests another one", async () => {
    const rule = "Never use `any`.\n\nRun `npm test` before you say you are done.\n";
    const { host, screen } = await started([], ({ home, project }) => {
      write(project, { ".continuo/rules/a.md": rule });
      return draftFromRules({ project: findProject(project), cwd: project, at: Date.now() }, {
        home: join(home, ".continuo"),
        env: { HOME: home },
        settings: {},
        readOnly: false,
        signal: new AbortController().signal,
        report: () => undefined,
      } as unknown as PrepareContext);
    });
    await screen.until(/2 suggestions to review: \/continuo:review/);
    await screen.type("/continuo:review");
    await screen.until(/continuo:review \(MCP\)/);
    await screen.press("Enter");
    await answerForm(screen, "Lines that edits add", 0);
    await screen.until(/Accepted: Lines that edits add/);
    await answerForm(screen, "Before the agent says", 0);
    await expect.poll(() => host.server.requests.length, { timeout: 30_000 }).toBeGreaterThan(0);
    const review = await continuo(
      { env: { HOME: host.home, PATH: "/usr/bin:/bin" }, project: host.project },
      "review",
    );
    expect(review).toContain("No pending suggestions");
    const accepted = readFileSync(join(host.project, ".continuo/rules/a.md"), "utf8");
    expect(accepted.match(/^ {4}- /gm)).toHaveLength(2);
  });
});
