import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { writeLinkPage } from "../../../src/cli/commands/web/web.ts";
import { browser, describePage, openWeb } from "../../support/browser.ts";
import { webWorld } from "../../support/web.ts";
import { temporaryWorld } from "../../support/world.ts";

describePage("the page that leads to the link", () => {
  it("signs the browser in, and is removed then", { timeout: 90_000 }, async () => {
    const place = temporaryWorld();
    const web = await openWeb(webWorld(place));
    const path = writeLinkPage(place.home, web.server.link());
    const context = await (await browser()).newContext();
    const page = await context.newPage();
    await page.goto(pathToFileURL(path).href);
    await page.getByRole("link", { name: "Sessions" }).first().waitFor();
    expect(page.url().startsWith(web.url)).toBe(true);
    await expect.poll(() => existsSync(path)).toBe(false);
    await context.close();
  });
});
