import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { describePage, openWeb, pressBoth } from "../../support/browser.ts";
import { indexSessions, writeSession, writeState } from "../../support/many-sessions.ts";
import { webWorld } from "../../support/web.ts";
import { temporaryWorld, write } from "../../support/world.ts";

const NOW = Date.now();

async function open() {
  const place = temporaryWorld();
  for (const [id, asked] of [
    ["first", "The retry queue loses jobs"],
    ["second", "Round prices half to even"],
  ] as const)
    writeSession(place, { id, asked, at: NOW - 60_000 });
  await indexSessions(place);
  write(place.home.root, { "memory/refunds.md": "# Refunds\n\nThey are divided.\n" });
  return { ...place, web: await openWeb(webWorld(place)) };
}

const press = async (page: Page, keys: string): Promise<void> => {
  const [first = "", second] = keys.split(" ");
  await (second === undefined ? page.keyboard.press(first) : pressBoth(page, first, second));
};
const focused = (field: Locator): Promise<boolean> => field.evaluate((one) => one.matches(":focus"));
const focus = (page: Page): Promise<string> => page.evaluate("document.activeElement.id");

describePage("keys of the page", () => {
  it("act at once in places with a search field; / or a letter that is no key begins the search", async () => {
    const { web } = await open();
    const { page } = await web.visit("/");
    await press(page, "g s");
    const sessions = page.getByRole("searchbox", { name: "Search sessions" });
    await page.locator(".session-row >> nth=1").waitFor();
    await expect.poll(() => focus(page)).toBe("content");
    await press(page, "?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await press(page, "Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await press(page, "j");
    await expect.poll(() => page.locator(".session-row-selected").count()).toBe(1);
    await press(page, "g m");
    await page.waitForURL("**/memory");
    const notes = page.getByRole("searchbox", { name: "Search notes" });
    await page.locator("a.note-row").first().waitFor();
    await expect.poll(() => focus(page)).toBe("content");
    await press(page, "n");
    await page.waitForURL("**/memory/?view=new*");
    await page.goBack();
    await notes.waitFor();
    await press(page, "/");
    await expect.poll(() => focused(notes)).toBe(true);
    await page.keyboard.type("g s?");
    await expect.poll(() => notes.inputValue()).toBe("g s?");
    await press(page, "Escape");
    await press(page, "g s");
    await page.locator(".session-row >> nth=1").waitFor();
    await page.keyboard.type("prices");
    await expect.poll(() => sessions.inputValue()).toBe("prices");
    await expect.poll(() => page.locator("mark").first().textContent()).toBe("prices");
  });

  it("the palette opens a note at the address that every other link has, and its content has the focus", async () => {
    const { web } = await open();
    const { page } = await web.visit("/memory");
    const linked = await page.locator("a.note-row").first().getAttribute("href");
    await press(page, "g h");
    await page.waitForURL(`${web.url}/`);
    await press(page, "Control+k");
    await page.getByRole("combobox").fill("refunds");
    await page.getByRole("option", { name: /^Note/ }).click();
    await page.getByRole("heading", { name: "Refunds", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(linked);
    await expect.poll(() => focus(page)).toBe("content");
  });

  it("the tab's title counts agents that went idle unseen, until somebody looks", async () => {
    const { web, ...place } = await open();
    mkdirSync(place.home.state, { recursive: true });
    writeFileSync(
      join(place.home.state, "observed-since.json"),
      JSON.stringify({ since: "2020-01-01T00:00:00Z" }),
    );
    writeState(place, { id: "first", idleAt: NOW - 50_000 });
    const { page } = await web.visit("/sessions");
    await expect.poll(() => page.title()).toBe("(1) Sessions · Continuo");
    writeState(place, { id: "second", idleAt: NOW - 40_000 });
    web.web.publish({
      type: "session",
      session: { host: "claude-code", id: "second" },
      reason: "state",
    });
    await expect.poll(() => page.title()).toBe("(2) Sessions · Continuo");
    await page.goto(`${web.url}/sessions/claude-code/second`);
    await expect.poll(() => page.title()).toMatch(/^\(1\) .*Continuo$/);
  });
});
