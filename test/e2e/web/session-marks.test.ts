import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { appendLedger } from "../../../src/moments/state/ledger.ts";
import { describePage, lookAt } from "../../support/browser.ts";
import {
  answered,
  asked,
  call,
  line,
  realisticSession,
  result,
  SESSION,
  sessionWorld,
} from "./session-world.ts";

const ADDRESS = `/sessions/claude-code/${SESSION}`;
const PATIENT = { timeout: 20_000 };

const shown = (page: Page): Promise<string | null> =>
  page.evaluate(`(() => {
    const one = document.querySelector(".block-shown");
    const box = one?.getBoundingClientRect();
    return box && box.top >= 0 && box.top < innerHeight ? one.textContent : null;
  })()`);

describePage("times and marks of a session", () => {
  it("each turn has its time of day, each day its heading, calls and prompts how long they took", async () => {
    const usage = { input_tokens: 100, cache_read_input_tokens: 900, output_tokens: 30 };
    const lines = [
      asked("first question", "p1", { timestamp: "2026-11-14T10:00:00Z" }),
      line("assistant", {
        timestamp: "2026-11-14T10:00:05Z",
        message: {
          id: "m1",
          role: "assistant",
          model: "m",
          usage,
          content: [call("c1", "Bash", { command: "npm test" })],
        },
      }),
      asked([{ type: "tool_result", tool_use_id: "c1", content: "ok" }], "r1", {
        timestamp: "2026-11-14T10:00:47Z",
        toolUseResult: {},
      }),
      line("assistant", {
        timestamp: "2026-11-14T10:02:05Z",
        message: {
          id: "m2",
          role: "assistant",
          model: "m",
          usage,
          content: [{ type: "text", text: "All pass." }],
        },
      }),
      asked("a question of the next day", "p2", { timestamp: "2026-11-15T09:00:00Z" }),
    ];
    const { web } = await sessionWorld(lines);
    const { page, errors } = await web.visit(ADDRESS);
    await page.getByText("a question of the next day").waitFor();
    const clocks = await page.locator(".turn-link time, .call-time time").allTextContents();
    expect(clocks).toHaveLength(4);
    for (const clock of clocks) expect(clock).toMatch(/^\d\d:\d\d:\d\d$/);
    await expect.poll(() => page.locator(".boundary-day").count(), PATIENT).toBe(2);
    expect(await page.locator(".call-time").textContent()).toContain("42 s");
    await expect
      .poll(() => page.locator(".turn-totals").allTextContents(), PATIENT)
      .toEqual(["2 min 5 s · 2 model calls · 2,000 tokens in (90% from the cache) · 60 out"]);
    expect(errors).toEqual([]);
  });

  it("a bar beside 5,000 turns goes to failed calls, compactions and broken rules, by mouse and by keyboard", async () => {
    const turns = Array.from({ length: 2_500 }, (_, i) =>
      i % 500 === 250
        ? [answered(call(`c${i}`, "Bash", { command: `run ${i}` })), result(`c${i}`, `broke at ${i}`, true)]
        : [asked(`question ${i}`, `q${i}`), answered(`answer ${i}`)],
    ).flat();
    const timestamp = JSON.parse(turns[2_000] ?? "").timestamp;
    const summary = asked("We looked at rounding.", "summary", { timestamp, isCompactSummary: true });
    const { web, home } = await sessionWorld([...turns.slice(0, 2_000), summary, ...turns.slice(2_000)]);
    const at = Date.parse(JSON.parse(turns[1_001] ?? "").timestamp);
    appendLedger(home, at + 1, {
      ...{ kind: "broken", host: "claude-code", session: SESSION, project: "/work/shop", epoch: 1 },
      ...{
        rule: "rules/money.md",
        name: "money.md",
        check: "c",
        on: "edits",
        reaction: "remind",
        text: "x",
      },
    });
    const { page, errors } = await web.visit(ADDRESS);
    const bar = page.getByRole("navigation", { name: "Compactions, errors and broken rules" });
    await bar.waitFor();
    await expect.poll(() => bar.getByRole("link").count(), PATIENT).toBe(7);
    await lookAt(page, "session-marks");
    await bar.getByRole("link", { name: /broken rule: money\.md/ }).click();
    await expect.poll(() => shown(page), PATIENT).toContain("answer 500");
    // One stop of the Tab key; arrow keys move inside.
    expect(await bar.locator('a[tabindex="0"]').count()).toBe(1);
    await bar.locator('a[tabindex="0"]').focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => shown(page), PATIENT).toContain("run 750");
    await page.keyboard.press("]");
    await expect.poll(() => shown(page), PATIENT).toContain("Compacted here");
    await page.keyboard.press("[");
    await expect.poll(() => shown(page), PATIENT).toContain("run 750");
    expect(await page.locator("[data-turn]").count()).toBeLessThanOrEqual(600);
    // There is no room for it on a phone: the text has all of the width.
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await bar.isVisible()).toBe(false);
    expect(errors).toEqual([]);
  });

  it("the head uses the room, and an empty panel leaves its room until it is asked for", async () => {
    const { web } = await sessionWorld(realisticSession());
    const { page } = await web.visit(ADDRESS);
    await page.getByText("Anything else for this release?").waitFor();
    await page.keyboard.press("n");
    const name =
      "A name that is long enough to need two lines in the narrow column of the text, but not at this width";
    await page.getByLabel("Name of the session").fill(name);
    await page.keyboard.press("Enter");
    const heading = page.getByRole("heading", { name });
    await heading.waitFor();
    const side = page.getByRole("complementary", { name: "Context" });
    const isEmpty = (await page.locator(".card-filled").count()) === 0;
    expect(isEmpty).toBe(true);
    expect(await side.isVisible()).toBe(false);
    expect((await page.locator(".session-title").boundingBox())?.width).toBeGreaterThan(500);
    await page.getByRole("button", { name: "Show context" }).click();
    await side.waitFor();
    await page.getByRole("button", { name: "Show context" }).click();
    await side.waitFor({ state: "hidden" });
  });
});
