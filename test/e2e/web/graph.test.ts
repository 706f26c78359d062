import { join } from "node:path";
import { expect, it } from "vitest";
import { describePage, lookAt, openWeb } from "../../support/browser.ts";
import { NOTES } from "../../support/demo/notes.ts";
import { webWorld } from "../../support/web.ts";
import { temporaryWorld, write } from "../../support/world.ts";

async function open(notes: Record<string, string>) {
  const world = temporaryWorld();
  write(join(world.home.root, "memory"), notes);
  return openWeb(webWorld(world));
}

const demo = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(NOTES).map(([title, text], i) => [
      `${title}.md`,
      `---\ntitle: ${title}\nproject: ${i % 2 === 0 ? "project" : "other"}\n---\n${text}\n`,
    ]),
  );

/** Where a concept is on the canvas, asked as a person finds it: the view moves there when it is searched for. */
const ready = '[data-layout-ms]:not([data-layout-ms=""])';

describePage("the graph in the page", () => {
  it("is drawn; a concept that is searched for shows its context, which leads to notes", async () => {
    const web = await open(demo());
    const { page, errors, strangers } = await web.visit("/graph");
    await page.locator(ready).waitFor();
    await lookAt(page, "graph");
    await page.keyboard.press("/");
    await page.keyboard.type("mon");
    await page.getByRole("option", { name: "money", exact: true }).waitFor();
    await page.keyboard.press("Enter");
    const panel = page.getByRole("complementary", { name: "Concept" });
    await panel.getByRole("heading", { name: "money" }).waitFor();
    await panel.getByRole("link", { name: /Tax per line/ }).waitFor();
    expect(page.url()).toContain("concept=money");
    await lookAt(page, "graph-concept");
    await page.getByLabel("How far from the chosen concept").selectOption("1");
    await page.getByText(/ shown$/).waitFor();
    await panel.getByRole("link", { name: /Tax per line/ }).click();
    await page.getByRole("heading", { name: "Tax per line", level: 1 }).waitFor();
    await page.goBack();
    await panel.getByRole("heading", { name: "money" }).waitFor();
    expect(errors).toEqual([]);
    expect(strangers).toEqual([]);
  });

  it("shows a concept's context when it is clicked in the picture", async () => {
    const web = await open({ "one.md": "[[only one]]\n" });
    const { page } = await web.visit("/graph");
    await page.locator(ready).waitFor();
    const box = await page.locator(".graph-canvas").boundingBox();
    if (box === null) throw new Error("no picture");
    // One concept alone is in the middle.
    await expect
      .poll(
        async () => {
          await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
          return page.url();
        },
        { timeout: 20_000, interval: 500 },
      )
      .toContain("concept=only-one");
    await page
      .getByRole("complementary", { name: "Concept" })
      .getByRole("link", { name: /one/ })
      .first()
      .waitFor();
  });

  it("is also a table, whose concepts and communities are chosen by keyboard", async () => {
    const web = await open(demo());
    const { page, errors } = await web.visit("/graph");
    await page.locator(ready).waitFor(); // the keys of the graph act once it is shown
    await page.keyboard.press("t");
    const table = page.getByRole("table");
    await table.waitFor();
    await lookAt(page, "graph-table");
    const rows = await table.getByRole("row").count();
    const legend = page.getByRole("list", { name: "Communities" }).getByRole("button").first();
    await legend.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => table.getByRole("row").count()).toBeLessThan(rows);
    await table.getByRole("button").first().focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toContain("concept=");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.url()).not.toContain("concept=");
    expect(errors).toEqual([]);
  });

  it("shows only the concepts of this project when asked", async () => {
    const web = await open(demo());
    const { page } = await web.visit("/graph?view=table");
    const count = page.locator(".graph-count");
    await count.waitFor();
    const all = await count.textContent();
    await page.getByLabel("Notes of").selectOption(".");
    await expect.poll(() => count.textContent()).not.toBe(all);
    expect(page.url()).toContain("project=.");
  });

  it("falls back to the table where there is no WebGL", async () => {
    const web = await open(demo());
    const { page, context } = await web.visit("/memory");
    await context.addInitScript("HTMLCanvasElement.prototype.getContext = () => null");
    await page.goto(`${web.url}/graph`);
    await page.getByText("This browser has no WebGL").waitFor();
    await page.getByRole("table").waitFor();
  });

  it("says what would fill it when no note has a link", async () => {
    const { page } = await (await open({ "a.md": "# A\n" })).visit("/graph");
    await page.getByText("No concepts yet").waitFor();
    await lookAt(page, "graph-empty");
  });

  it("of names with markup shows them as text", async () => {
    const web = await open({ "a.md": "[[<img src=x onerror=window.hacked=1>]] [[b]] [[c]]\n" });
    const { page, strangers } = await web.visit("/graph");
    await page.locator(ready).waitFor();
    await page.keyboard.press("t");
    await page.getByRole("button", { name: "<img-src=x-onerror=window.hacked=1>" }).click();
    await page.getByRole("complementary", { name: "Concept" }).waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(strangers).toEqual([]);
  });
});
