import { expect, it } from "vitest";
import {
  describePage,
  lookAt,
  type OpenWeb,
  openWeb,
  pressBoth,
  seriousFindings,
} from "../../support/browser.ts";
import { json, webWorld } from "../../support/web.ts";
import { temporaryWorld } from "../../support/world.ts";

/** The page tries again every ten seconds in the end. */
const RETRIES = { timeout: 60_000 };

/** As an agent or another tab writes one. */
async function writeNote(web: OpenWeb, title: string): Promise<void> {
  const answer = await web.fetch("/api/notes", json("POST", { title, content: "text" }));
  expect(answer.status).toBe(201);
}

const open = () => openWeb(webWorld(temporaryWorld()));

describePage("the page's shell", () => {
  it("shows every place of the navigation, reachable by keys, and loads nothing from elsewhere", async () => {
    const web = await open();
    const { page, errors, strangers } = await web.visit();
    const places = page.getByRole("navigation", { name: "Places" }).getByRole("listitem");
    await expect.poll(() => places.count()).toBeGreaterThan(7);
    await pressBoth(page, "g", "m");
    await page.waitForURL("**/memory");
    await page.goBack();
    await page.waitForURL(`${web.url}/`);
    expect(strangers).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("opens the palette with Ctrl-K, finds a place by its words, and goes there with Enter", async () => {
    const { page } = await (await open()).visit();
    await page.keyboard.press("Control+k");
    const input = page.getByRole("combobox");
    await input.fill("sugg");
    await expect.poll(() => page.getByRole("option").first().textContent()).toContain("Suggestions");
    await lookAt(page, "palette");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/inbox");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("lists the keys with ?, and closes the list with Escape", async () => {
    const { page } = await (await open()).visit();
    await page.getByRole("navigation").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await lookAt(page, "keys");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("keeps a chosen theme over a reload", async () => {
    const { page } = await (await open()).visit("/", { theme: "light" });
    const theme = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await theme();
    const button = page.getByRole("button", { name: /Change to/ });
    await button.click();
    await button.click();
    await expect.poll(theme).not.toBe(light);
    const dark = await theme();
    await page.reload();
    await expect.poll(theme).toBe(dark);
  });

  it("keeps its access over reloads, addresses typed into the tab, and in a tab that is opened from it", async () => {
    const web = await open();
    const { page, context } = await web.visit();
    for (const path of ["/inbox", "/rules", "/memory", "/inbox", "/rules"]) {
      await page.goto(`${web.url}${path}`);
      await page.getByRole("navigation", { name: "Places" }).waitFor();
      await page.reload();
      await page.getByRole("navigation", { name: "Places" }).waitFor();
    }
    const other = await context.newPage();
    await other.goto(`${web.url}/inbox`);
    await other.getByRole("navigation", { name: "Places" }).waitFor();
    const answered = other.waitForResponse((answer) => answer.url().includes("/api/inbox"));
    await other.reload();
    expect((await answered).status()).toBe(200);
  });

  it("says so at an address where nothing is", async () => {
    const { page } = await (await open()).visit("/nowhere/at/all");
    await page.getByRole("heading", { name: "There is nothing at this address" }).waitFor();
    await lookAt(page, "not-found");
  });

  it("reconnects after the server was restarted, and says so", async () => {
    const world = webWorld(temporaryWorld());
    const first = await openWeb(world);
    const { page } = await first.visit();
    await page.getByRole("navigation").waitFor();
    const port = first.server.port;
    await first.close();
    await page.getByText("Disconnected from Continuo's server").waitFor();
    await lookAt(page, "disconnected");
    await openWeb(world, { port });
    await page.getByText("Connected again").waitFor(RETRIES);
  });

  it("shows what changes in eight tabs that share one event stream, all of which can ask", async () => {
    const web = await open();
    const { page, context, errors } = await web.visit("/memory");
    const streams: string[] = [];
    context.on("request", (request) => {
      // The first tab may ask only now.
      if (request.frame().page() !== page && new URL(request.url()).pathname === "/api/events")
        streams.push(request.url());
    });
    const tabs = [page];
    while (tabs.length < 8) {
      const tab = await context.newPage();
      await tab.goto(`${web.url}/memory`);
      await tab.getByRole("heading", { name: "Notes", exact: true }).waitFor();
      tabs.push(tab);
    }
    expect(streams).toEqual([]); // the first tab reads
    await writeNote(web, "Seen in every tab");
    for (const tab of tabs) await tab.getByText("Seen in every tab").first().waitFor();
    for (const tab of tabs)
      expect(
        await tab.evaluate(
          "fetch('/api/overview', { headers: { 'x-continuo-page': sessionStorage.getItem('continuo.page').split('.')[0] } }).then((a) => a.status)",
        ),
      ).toBe(200);

    // The tab that reads is closed: another goes on after the last event that it knows.
    await page.close();
    await expect.poll(() => streams.length).toBe(1);
    expect(streams[0]).toMatch(/\?last=[0-9a-f]+-\d+$/);
    await writeNote(web, "Seen by those that stay");
    for (const tab of tabs.slice(1)) await tab.getByText("Seen by those that stay").first().waitFor();
    expect(errors).toEqual([]);
  });

  it("listens to events before it loads what they are about, so that no change is missed", async () => {
    const web = await open();
    const { page, context } = await web.visit("/rules");
    const order: string[] = [];
    // The stream opens late.
    await context.route("**/api/events*", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    context.on("response", (answer) => {
      if (new URL(answer.url()).pathname === "/api/events") order.push("listens");
    });
    context.on("request", (request) => {
      if (new URL(request.url()).pathname === "/api/notes") order.push("loads");
    });
    await page.goto(`${web.url}/memory`);
    await page.getByText("No notes yet").waitFor();
    expect(order.slice(0, 2)).toEqual(["listens", "loads"]);
  });

  it("reads the events in each tab of a browser that cannot share them", async () => {
    const web = await open();
    const { context } = await web.visit();
    await context.addInitScript("delete Navigator.prototype.locks");
    const tab = await context.newPage();
    const stream = tab.waitForRequest(`${web.url}/api/events`);
    await tab.goto(`${web.url}/memory`);
    await tab.getByRole("heading", { name: "Notes", exact: true }).waitFor();
    await stream;
    await writeNote(web, "Seen without sharing");
    await tab.getByText("Seen without sharing").first().waitFor();
  });

  it("a phone has five places with their names, and the others behind More", async () => {
    const web = await openWeb(webWorld(temporaryWorld()));
    const { page, errors } = await web.visit("/sessions", { width: 390, height: 844 });
    const places = page.getByRole("navigation", { name: "Places" });
    await places.getByRole("button", { name: "More" }).waitFor();
    expect(await places.locator("li:visible").allTextContents()).toEqual([
      "Home",
      "Sessions",
      "Notes",
      "Suggestions",
      "More",
    ]);
    for (const label of await places.locator(".place-label:visible").all()) {
      const box = await label.boundingBox();
      expect((box?.x ?? 0) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= 390).toBe(true);
    }
    await places.getByRole("button", { name: "More" }).click();
    await page.screenshot({ path: "test/screenshots/shell-more-390.png" });
    expect(await seriousFindings(page)).toEqual([]);
    await places.getByRole("link", { name: "Rules" }).click();
    await page.waitForURL("**/rules");
    await expect.poll(() => places.getByRole("link", { name: "Rules" }).isVisible()).toBe(false);
    expect(errors).toEqual([]);
  });

  it("says what to do once its server is another one that does not know it", async () => {
    const first = await openWeb(webWorld(temporaryWorld()));
    const { page } = await first.visit();
    await page.getByRole("navigation").waitFor();
    await first.close();
    await openWeb(webWorld(temporaryWorld()), { port: first.server.port });
    await page.getByRole("heading", { name: "This page has no access any more" }).waitFor();
    await lookAt(page, "no-access");
  });
});
