import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describePage, lookAt, openWeb } from "../../support/browser.ts";
import { fillIndex, indexSessions, writeSession, writeState } from "../../support/many-sessions.ts";
import { webWorld } from "../../support/web.ts";
import { temporaryWorld } from "../../support/world.ts";

const HOUR = 3_600_000;
const NOW = Date.now();
const HOSTILE = `<img src=x onerror="document.title='hacked'"> "quoted" 'and'`;

async function open(count = 0) {
  const place = temporaryWorld();
  const day = new Date(NOW).setHours(0, 0, 0, 0);
  writeSession(place, {
    id: "working",
    at: NOW - 60_000,
    asked: "The retry queue loses jobs when Redis restarts",
  });
  writeSession(place, {
    id: "finished",
    at: NOW - 120_000,
    asked: "Review the changes in this branch",
    project: "checkout-api",
  });
  writeSession(place, { id: "older", at: day - 5 * HOUR, asked: "Round prices in the cart half to even" });
  writeSession(place, {
    id: "oldest",
    at: day - 80 * HOUR,
    asked: "Write a migration for tax rates",
    project: "docs",
  });
  // As another program stores a name.
  mkdirSync(join(place.home.state, "claude-code"), { recursive: true });
  writeFileSync(
    join(place.home.state, "claude-code", "finished.meta.json"),
    JSON.stringify({ name: HOSTILE.replace(" ", "\n\u0000") }),
  );
  await indexSessions(place);
  if (count > 0) fillIndex(place, count, day - 100 * HOUR);
  // The page was first opened long ago.
  mkdirSync(place.home.state, { recursive: true });
  writeFileSync(
    join(place.home.state, "observed-since.json"),
    JSON.stringify({ since: "2020-01-01T00:00:00Z" }),
  );
  writeState(place, { id: "working", idleAt: NOW - 3 * HOUR, promptAt: NOW - 60_000 });
  writeState(place, { id: "finished", idleAt: NOW - 120_000 });
  const web = await openWeb(webWorld(place));
  return { ...place, web };
}

describePage("the list of sessions", () => {
  it("shows ten thousand sessions by day with few of them in the document, and scrolls to the last", async () => {
    const { web } = await open(10_000);
    const { page, errors, strangers } = await web.visit("/sessions");
    await page.getByRole("heading", { name: "Today" }).waitFor();
    await page
      .getByRole("link", { name: "The retry queue loses jobs when Redis restarts", exact: true })
      .waitFor();
    expect(await page.locator(".sessions-total").textContent()).toBe("10,004");
    const rows = page.locator(".session-row");
    expect(await rows.count()).toBeLessThan(80);
    await lookAt(page, "sessions");
    const list = page.locator(".sessions-scroll");
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight / 2;
    });
    await page.locator(".session-row:not(.session-row-coming) >> nth=5").waitFor();
    expect(await rows.count()).toBeLessThan(80);
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await page.getByRole("link", { name: /\(9999\)$/ }).waitFor();
    expect(await rows.count()).toBeLessThan(80);
    expect(errors).toEqual([]);
    expect(strangers).toEqual([]);
  });

  it("is used by keys: / searches, j and k move, Enter opens, Esc leaves; back returns to the place", async () => {
    const { web } = await open(300);
    const { page } = await web.visit("/sessions");
    const field = page.getByRole("searchbox", { name: "Search sessions" });
    await field.waitFor();
    await page.locator(".session-row >> nth=3").waitFor();
    await page.keyboard.press("j");
    const selected = page.locator(".session-row-selected .session-name");
    await expect.poll(() => selected.textContent()).toContain("retry queue");
    await page.keyboard.press("j");
    await expect.poll(() => selected.textContent()).toBe(HOSTILE);
    await page.keyboard.press("k");
    await expect.poll(() => selected.textContent()).toContain("retry queue");
    await expect.poll(() => selected.evaluate((one) => one.matches(":focus"))).toBe(true);
    for (let i = 0; i < 60; i++) await page.keyboard.press("j");
    await expect.poll(() => selected.count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/sessions/*/*");
    await page.goBack();
    await page.locator(".session-row >> nth=3").waitFor();
    await expect
      .poll(() => page.locator(".sessions-scroll").evaluate((one) => one.scrollTop))
      .toBeGreaterThan(500);
    await page.keyboard.press("/");
    expect(await field.evaluate((one) => one.matches(":focus"))).toBe(true);
    await page.keyboard.type("redis");
    await expect.poll(() => page.locator(".session-passage mark").first().textContent()).toBe("Redis");
    await page.locator(".sessions-scroll[aria-busy=false]").waitFor(); // of the whole word
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/sessions/claude-code/working*");
  });

  it("names its columns; a search shows copies once and weaker matches on request", async () => {
    const place = temporaryWorld();
    const asked = "Refunds of split payments are off by a cent";
    for (let at = 0; at < 4; at++) writeSession(place, { id: `copy${at}`, at: NOW - at * HOUR, asked });
    for (let at = 0; at < 30; at++)
      writeSession(place, {
        id: `weak${at}`,
        at: NOW - at * HOUR,
        asked: `Number ${at}: payments page is slow`,
      });
    await indexSessions(place);
    const web = await openWeb(webWorld(place));
    const { page } = await web.visit("/sessions");
    const columns = page.locator(".sessions-columns");
    await expect.poll(() => columns.textContent()).toBe("SessionProjectBranchAgentTurnsLast active");
    const [heading, cell] = [columns.getByText("Project"), page.locator(".session-project").first()];
    expect((await heading.boundingBox())?.x).toBe((await cell.boundingBox())?.x);
    await page.goto(`${web.url}/sessions?q=refunds+of+split+payments+cent`);
    await page.locator(".session-passage mark").first().waitFor();
    expect(await page.locator(".session-row").count()).toBe(1);
    await page.getByText("3 copies with the same text").click();
    await page.locator(".session-copies a").nth(2).waitFor();
    await page.getByRole("button", { name: /^Show \d+ weaker match/ }).click();
    await expect.poll(() => page.locator(".session-row").count()).toBeGreaterThan(1);
    await lookAt(page, "sessions-copies");
    await page.locator(".session-copies a").first().click();
    await page.waitForURL("**/sessions/claude-code/copy*");
  });

  it("keeps filters in the address, goes back through them, and says when nothing matches", async () => {
    const { web } = await open(50);
    const { page } = await web.visit("/sessions");
    await page.getByRole("combobox", { name: "Agent" }).selectOption("pi");
    await page.waitForURL("**/sessions?*host=pi*");
    await expect.poll(() => page.locator(".session-host").first().textContent()).toBe("pi");
    await page.getByRole("combobox", { name: "Time" }).selectOption("1d");
    await page.getByText("No session matches these filters").waitFor();
    await lookAt(page, "sessions-nothing");
    await page.goBack();
    await page.locator(".session-row >> nth=1").waitFor();
    expect(new URL(page.url()).searchParams.get("since")).toBe(null);
    await page.goForward();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page
      .getByRole("link", { name: "The retry queue loses jobs when Redis restarts", exact: true })
      .waitFor();
    expect(new URL(page.url()).search).toBe("");
    const toggle = page.getByRole("button", { name: /^Not looked at/ });
    await toggle.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**unobserved=true**");
    await expect.poll(() => page.locator(".session-name").allTextContents()).toEqual([HOSTILE]);
  });

  it("finds by words with the passages highlighted, while typing, and keeps the query in the address", async () => {
    const { web } = await open(50);
    const { page, errors } = await web.visit("/sessions");
    const field = page.getByRole("searchbox");
    await field.pressSequentially("rounding prices", { delay: 10 });
    await page.locator("mark").first().waitFor();
    // What is found for the first letters may be shown before.
    await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe("rounding prices");
    await expect.poll(() => page.locator(".session-name").first().textContent()).toContain("Round prices");
    await lookAt(page, "sessions-search");
    await field.fill("zzzqqq xkcdvv");
    await page.getByText('Nothing found for "zzzqqq xkcdvv"').waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Today" }).waitFor();
    expect(errors).toEqual([]);
  });

  it("shows names with quotes, line breaks and markup as text, renames inline, and undoes it", async () => {
    const { web } = await open();
    const { page, errors } = await web.visit("/sessions");
    await page.getByRole("link", { name: HOSTILE }).waitFor();
    await expect.poll(() => page.title()).toBe("(1) Sessions · Continuo");
    expect(await page.locator(".sessions-list img").count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("r");
    const name = page.getByRole("textbox", { name: /^Name of the session/ });
    await name.fill(`<script>document.title="hacked"</script> "Cents" & sense`);
    await page.keyboard.press("Enter");
    await page
      .getByRole("link", { name: `<script>document.title="hacked"</script> "Cents" & sense` })
      .waitFor();
    await page.getByText(/^Renamed to/).waitFor();
    const sessions = await web.web.sessions();
    expect(sessions.get({ host: "claude-code", id: "working" })?.namedBy).toBe("given");
    expect(sessions.find(`cents sense`).kind).toBe("found");
    await page.getByRole("button", { name: "Undo" }).click();
    await page
      .getByRole("link", { name: "The retry queue loses jobs when Redis restarts", exact: true })
      .waitFor();
    // The page shows the old name before the server has it.
    await expect.poll(() => sessions.get({ host: "claude-code", id: "working" })?.namedBy).toBe("us");
    await expect.poll(() => page.title()).toBe("(1) Sessions · Continuo");
    await lookAt(page, "sessions-renamed");
    expect(errors).toEqual([]);
  });

  it("shows what agents do and what nobody looked at, and follows both live; the selection stays", async () => {
    const place = await open();
    const { page } = await place.web.visit("/sessions");
    await page.getByRole("img", { name: /^Working since/ }).waitFor();
    await page.getByRole("img", { name: "Finished, not looked at yet" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    const selected = page.locator(".session-row-selected .session-name");
    await expect.poll(() => selected.textContent()).toBe(HOSTILE);
    await place.web.fetch("/api/sessions/claude-code/finished/observe", { method: "POST" });
    await page.getByRole("img", { name: "Finished, not looked at yet" }).waitFor({ state: "detached" });
    expect(await selected.textContent()).toBe(HOSTILE);
    writeState(place, { id: "working", idleAt: Date.now() });
    place.web.web.publish({
      type: "session",
      session: { host: "claude-code", id: "working" },
      reason: "state",
    });
    await page.getByRole("img", { name: "Finished, not looked at yet" }).waitFor();
    expect(await selected.textContent()).toBe(HOSTILE);
  });

  it("says what fills an empty list, and how far the reading is", async () => {
    const web = await openWeb(webWorld(temporaryWorld()));
    const { page } = await web.visit("/sessions");
    await page.getByText("No past sessions yet").waitFor();
    await lookAt(page, "sessions-empty");
    web.web.publish({ type: "import", done: 120, total: 900, isComplete: false });
    await page
      .getByText(/120 of 900 sessions/)
      .first()
      .waitFor();
    await lookAt(page, "sessions-reading");
  });
});
