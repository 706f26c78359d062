import { expect, it } from "vitest";
import { allSuggestions } from "../../../src/sources/suggestions.ts";
import type { ConnectPreview } from "../../../src/web/api/connect.ts";
import { describePage, lookAt, openWeb } from "../../support/browser.ts";
import { demoWorld } from "../../support/demo/world.ts";
import { json, webWorld } from "../../support/web.ts";
import { temporaryFolder } from "../../support/world.ts";

describePage("the first page", () => {
  it("shows what waits and the last sessions, live, and opens a session", async () => {
    const demo = await demoWorld(temporaryFolder(), Date.now());
    const web = await openWeb(webWorld(demo));
    const send = async <T>(step: string, body: object) => {
      const answer = await web.fetch(`/api/connect/claude-code/${step}`, json("POST", body));
      return (await answer.json()) as T;
    };
    const { plan } = await send<ConnectPreview>("preview", { action: "connect" });
    await send("apply", { action: "connect", plan });
    const { page, errors } = await web.visit("/");
    await page.getByRole("heading", { name: "Last sessions" }).waitFor();
    const waits = page.getByRole("region", { name: "Waits for you" });
    await waits.getByText(/suggestions? to decide/).waitFor();
    await lookAt(page, "home");
    const inbox = await allSuggestions({ home: demo.env["CONTINUO_HOME"] ?? "", env: demo.env });
    for (const { id } of inbox.list()) await inbox.reject(id);
    web.web.publish({ type: "inbox" });
    await waits.getByText(/suggestions? to decide/).waitFor({ state: "detached" });
    await page.getByRole("region", { name: "Last sessions" }).getByRole("link").nth(1).click();
    await page.waitForURL("**/sessions/**");
    expect(errors).toEqual([]);
  });

  it("finds a session with the palette by a word of its name", async () => {
    const demo = await demoWorld(temporaryFolder(), Date.now());
    const { page } = await (await openWeb(webWorld(demo))).visit("/");
    await page.getByRole("heading", { name: "Last sessions" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("refund");
    await page.getByRole("option").filter({ hasText: "Session" }).first().waitFor();
    await page.getByRole("option").filter({ hasText: "Note" }).first().waitFor();
    await lookAt(page, "palette-found");
  });
});
