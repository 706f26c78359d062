import { appendFileSync, rmSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { claudeCodeHistory } from "../../hosts/shared/history/histories/claude-code.ts";
import { codexHistory } from "../../hosts/shared/history/histories/codex.ts";
import { copilotHistory } from "../../hosts/shared/history/histories/copilot.ts";
import { geminiHistory } from "../../hosts/shared/history/histories/gemini.ts";
import { opencodeHistory } from "../../hosts/shared/history/histories/opencode.ts";
import { piHistory } from "../../hosts/shared/history/histories/pi.ts";
import { describePage, lookAt, openWeb } from "../../support/browser.ts";
import { webWorld } from "../../support/web.ts";
import { temporaryWorld } from "../../support/world.ts";
import { answered, asked, realisticSession, SESSION, sessionWorld } from "./session-world.ts";

const ADDRESS = `/sessions/claude-code/${SESSION}`;

/** Code for the browser is text: these tests are checked without its types. */
const clipboard = (page: Page): Promise<string> => page.evaluate("navigator.clipboard.readText()");
/** Returns when the page knows that it was scrolled, which browsers tell it before the next frame. */
const scrollBy = (page: Page, pixels: number): Promise<void> =>
  page.evaluate(`new Promise((done) => {
    document.querySelector(".session-scroll").scrollBy(0, ${pixels});
    requestAnimationFrame(() => requestAnimationFrame(() => done()));
  })`);
const FAR = 10_000_000;
const PATIENT = { timeout: 20_000 };

const scrolled = (page: Page): Promise<{ top: number; toEnd: number }> =>
  page.evaluate(`(() => {
    const one = document.querySelector(".session-scroll");
    return { top: one.scrollTop, toEnd: one.scrollHeight - one.scrollTop - one.clientHeight };
  })()`);

describePage("the page of a session", () => {
  it("shows the conversation in a readable column, opened at its end", async () => {
    const { web } = await sessionWorld(realisticSession());
    const { page, errors, strangers } = await web.visit(ADDRESS);
    await page.getByText("Anything else for this release?").waitFor();
    await page.locator(".diff-line-added").first().waitFor();
    await expect.poll(async () => (await scrolled(page)).toEnd).toBeLessThan(5);
    await lookAt(page, "session-end");
    await page.keyboard.press("Home");
    await page.getByText("Prices on invoices are off by a cent").waitFor();
    await page.getByText("8 tool calls").click();
    await page.getByText("Thinking").click();
    await page.getByText("half to even.", { exact: false }).first().waitFor();
    await lookAt(page, "session-start");
    await page.getByText("npm test -- round").click();
    await page.getByText("expected 13 to be 12").waitFor();
    await lookAt(page, "session-call");
    await page.keyboard.press("3");
    await page.getByRole("heading", { name: "Goal" }).waitFor();
    expect(page.url()).toContain("tab=record");
    await lookAt(page, "session-record");
    await page
      .getByRole("link", { name: /Prices on invoices/ })
      .first()
      .click();
    await page.locator('[data-turn="p1"]').waitFor();
    expect(page.url()).toContain("#p1");
    expect(strangers).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("is renamed in its place, copies the command to resume and the handoff, and finds passages", async () => {
    const { web } = await sessionWorld(realisticSession());
    const { page } = await web.visit(ADDRESS);
    await page.getByRole("heading", { name: "Invoices off by a cent" }).waitFor();
    await page.keyboard.press("n");
    await page.getByLabel("Name of the session").fill("Half to even");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Half to even" }).waitFor();
    await expect
      .poll(async () => (await web.web.sessions()).get({ host: "claude-code", id: SESSION })?.name, PATIENT)
      .toBe("Half to even");
    await page.getByRole("button", { name: "Copy command to resume" }).click();
    await page.getByText("Copied").waitFor();
    expect(await clipboard(page)).toBe(`cd /work/shop && claude --resume ${SESSION}`);
    await page.getByRole("button", { name: "Copy handoff" }).click();
    await expect.poll(() => clipboard(page), PATIENT).toContain("Handoff");
    await page.keyboard.press("/");
    await page.keyboard.type("release notes");
    await page.locator(".find-hits button").first().waitFor();
    await lookAt(page, "session-find");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".block-shown").count(), PATIENT).toBe(1);
  });

  it("opens sessions of every host, and a session whose transcript is gone", async () => {
    const place = temporaryWorld();
    const user = place.env["HOME"] ?? "";
    const histories = [
      claudeCodeHistory,
      opencodeHistory,
      piHistory,
      copilotHistory,
      codexHistory,
      geminiHistory,
    ];
    for (const history of histories) history.write(user);
    const web = await openWeb(webWorld(place));
    const library = await web.web.sessions();
    await library.sync();
    const { page, errors } = await web.visit("/sessions");
    for (const { reader, session } of histories) {
      await page.goto(`${web.url}/sessions/${reader.host}/${encodeURIComponent(session)}`);
      await page.getByText("Round half to even.").waitFor();
      await page.getByText("Compacted here").waitFor();
      await page.locator(".call-verb, .call-group").first().waitFor();
    }
    for (const { path } of library.transcripts({ host: "claude-code", id: claudeCodeHistory.session }))
      rmSync(path);
    await page.goto(`${web.url}/sessions/claude-code/${claudeCodeHistory.session}`);
    await page.getByText("What follows is the text that the index kept").waitFor();
    await page.getByText("In round.ts").waitFor();
    await lookAt(page, "session-gone");
    expect(errors).toEqual([]);
    await page.goto(`${web.url}/sessions/claude-code/nobody`);
    await page.getByText("There is no session nobody").waitFor();
    await lookAt(page, "session-unknown");
    for (const error of errors) expect(error).toContain("/nobody");
  });

  it("follows a session that goes on, without moving what is being read, and keeps it when it is deleted", async () => {
    const long = Array.from({ length: 40 }, (_, i) => [
      asked(`question ${i}`),
      answered(`answer ${i}\n\n`.repeat(6)),
    ]);
    const { web, path } = await sessionWorld(long.flat());
    const { page } = await web.visit(ADDRESS);
    await page.getByText("question 39").waitFor();
    appendFileSync(path, asked("one more question"));
    await page.getByText("one more question").waitFor();
    await expect.poll(async () => (await scrolled(page)).toEnd, PATIENT).toBeLessThan(5);
    await scrollBy(page, -1500);
    const seen = page.getByText("question 36");
    await seen.waitFor();
    const before = await seen.boundingBox();
    appendFileSync(path, answered("an answer that nobody waits for"));
    const newTurns = page.getByRole("button", { name: "New turns below" });
    await newTurns.waitFor();
    const column = await page.locator(".conversation").boundingBox();
    const button = await newTurns.boundingBox();
    const foot = await page.locator(".chat-hand-off").boundingBox();
    if (column === null || button === null || foot === null) throw new Error("one of them is not shown");
    expect(button.width).toBeLessThan(200);
    expect(Math.abs(button.x + button.width / 2 - (column.x + column.width / 2))).toBeLessThan(2);
    expect(button.y + button.height).toBeLessThanOrEqual(foot.y);
    expect(Math.abs(((await seen.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(3);
    await newTurns.click();
    await expect.poll(async () => (await scrolled(page)).toEnd, PATIENT).toBeLessThan(5);
    rmSync(path);
    await page.getByText("The agent deleted this transcript while it was open").waitFor();
    expect(await page.getByText("an answer that nobody waits for").count()).toBe(1);
  });

  it("pages through 10,000 turns in both directions with a bounded page", async () => {
    const lines = Array.from({ length: 10_000 }, (_, i) => asked(`number ${i} of many`, `n${i}`));
    const { web } = await sessionWorld(lines);
    const { page } = await web.visit(ADDRESS);
    await page.getByText("number 9999 of many").waitFor();
    for (let i = 0; i < 12; i++) {
      const first = await page.locator("[data-turn]").first().getAttribute("data-turn");
      await scrollBy(page, -FAR);
      await expect
        .poll(() => page.locator("[data-turn]").first().getAttribute("data-turn"), PATIENT)
        .not.toBe(first);
    }
    expect(await page.locator("[data-turn]").count()).toBeLessThanOrEqual(600);
    await page.keyboard.press("Home");
    await page.getByText("number 0 of many", { exact: true }).waitFor();
    await expect.poll(async () => (await scrolled(page)).top).toBe(0);
    await scrollBy(page, FAR);
    await page.getByText("number 60 of many").waitFor({ state: "attached" });
    await page.goto(`${web.url}${ADDRESS}#n5000`);
    await page.getByText("number 5000 of many").waitFor();
    await page.keyboard.press("End");
    await page.getByText("number 9999 of many").waitFor();
  });
});
