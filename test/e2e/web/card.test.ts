import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { describePage, lookAt } from "../../support/browser.ts";
import { appletsWorld } from "./applets-world.ts";

async function listening(): Promise<string> {
  const server = createServer((socket) => socket.end());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return String(typeof address === "object" ? address?.port : 0);
}

describePage("the context card", () => {
  it("shows files, applet, ports and endpoints with their state, and is one line when it is collapsed", async () => {
    const world = await appletsWorld();
    const port = await listening();
    world.change("set", "ports", port, "1");
    writeFileSync(world.at("docs/refunds.md"), "# Refunds\n\nOne\n\nTwo\n");
    const { page, errors, strangers } = await world.web.visit(world.page);
    const card = page.getByRole("region", { name: "Session context" });
    await card
      .getByRole("link", { name: /split\.ts/ })
      .first()
      .waitFor();
    const item = (text: string | RegExp) => card.getByRole("listitem").filter({ hasText: text });
    await expect.poll(() => item(port).textContent()).toContain("open");
    await expect.poll(() => item(/^1\s*closed/).count()).toBe(1);
    await expect.poll(() => item("refunds.md").textContent()).toContain("lines");
    await expect.poll(() => card.getByRole("region", { name: "Endpoints" }).textContent()).toContain("POST");
    await lookAt(page, "card");
    const line = card.getByRole("button", { name: /Context/ });
    await line.click();
    await expect.poll(() => line.textContent()).toContain("3 files · 1 applet · 2 ports · 1 endpoint");
    await expect.poll(() => card.getByRole("link").count()).toBe(0);
    await page.reload();
    await expect.poll(() => line.getAttribute("aria-expanded")).toBe("false");
    expect([errors, strangers]).toEqual([[], []]);
  });

  it("changes in place when another process changes a set", async () => {
    const world = await appletsWorld();
    const { page } = await world.web.visit(world.page, { reducedMotion: false });
    const card = page.getByRole("region", { name: "Session context" });
    await card
      .getByRole("link", { name: /split\.ts/ })
      .first()
      .waitFor();
    world.change("set", "tickets", "REF-12");
    const item = card.getByRole("listitem").filter({ hasText: "REF-12" });
    // In one look: it is marked for a moment only.
    await card.locator("li.card-fresh", { hasText: "REF-12" }).waitFor();
    await expect.poll(() => item.getAttribute("class"), { timeout: 20_000 }).not.toContain("card-fresh");
    world.change("clear", "tickets");
    await item.waitFor({ state: "detached" });
  });

  it("pins, unpins and adds, each with undo", async () => {
    const world = await appletsWorld();
    const { page } = await world.web.visit(world.page);
    const card = page.getByRole("region", { name: "Session context" });
    const before = world.sets()["files"] ?? [];
    await card.getByRole("button", { name: "Unpin docs/refunds.md" }).click();
    await expect
      .poll(() => world.sets()["files"])
      .toEqual(before.filter((path) => !path.endsWith("refunds.md")));
    await page.getByText("Unpinned refunds.md").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Unpinned refunds.md").waitFor({ state: "detached" });
    await expect.poll(() => world.sets()["files"]).toEqual(before);
    const pin = card.getByRole("region", { name: "In use" }).getByRole("button").first();
    const name = (await pin.getAttribute("aria-label"))?.replace("Pin ", "") ?? "";
    await pin.click();
    await expect.poll(() => world.sets()["files"]).toEqual([...before, world.at(name)]);
    await card.getByRole("button", { name: "Add" }).click();
    await card.getByLabel("Set").selectOption("ports");
    await card.getByLabel("Item for ports").fill("70000");
    await page.keyboard.press("Enter");
    await page.getByText(/Not added: .*70000/).waitFor();
    await card.getByLabel("Item for ports").fill("8080");
    await page.keyboard.press("Enter");
    await expect.poll(() => world.sets()["ports"]).toContain("8080");
    await card.getByLabel("Set").selectOption("files");
    await card.getByLabel("Item for files").fill("docs/nowhere.md");
    await page.keyboard.press("Enter");
    await page.getByText("Pinned nowhere.md, but there is no such file").waitFor();
  });

  it("opens a file in the text editor, and restores the applet with its parameters", async () => {
    const world = await appletsWorld();
    const { page } = await world.web.visit(world.page);
    const card = page.getByRole("region", { name: "Session context" });
    await card.getByRole("link", { name: "Restore" }).click();
    await page.getByRole("region", { name: "Git diff" }).getByText("1 file changed on main").waitFor();
    expect(new URL(page.url()).searchParams.get("path")).toBe(world.root);
    await page.goBack();
    await card
      .getByRole("link", { name: /split\.ts/ })
      .first()
      .click();
    await page.getByRole("region", { name: "Text editor" }).getByText("splitRefund").waitFor();
    await page.goBack();
    await page.getByRole("region", { name: "Text editor" }).waitFor({ state: "detached" });
    // The file was only looked at: what is restored stays.
    expect(world.sets()["applet"]?.[0]).toBe("git-diff");
  });
});
