import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { browser, describePage, lookAt, openWeb } from "../../support/browser.ts";
import { webWorld } from "../../support/web.ts";
import { temporaryWorld, write } from "../../support/world.ts";
import { CLOCK } from "./hostile-applet.ts";
import { asked, realisticSession, SESSION, sessionWorld } from "./session-world.ts";

const ADDRESS = `/sessions/claude-code/${SESSION}`;
/** What has the focus once the page has answered a click, before it paints. */
const focusedByClick = async (button: unknown): Promise<string | undefined> => {
  (button as { click(): void }).click();
  await Promise.resolve();
  return (globalThis as { document?: { activeElement?: { tagName: string } } }).document?.activeElement
    ?.tagName;
};
/** As the browser computes it; its types are not known here. */
const opacityOf = (one: unknown): string =>
  (globalThis as unknown as { getComputedStyle(of: unknown): { opacity: string } }).getComputedStyle(one)
    .opacity;
const PATIENT = { timeout: 20_000 };

/** The realistic session, in a repository that exists. No hook of Continuo ran in it. */
async function realProject() {
  const place = temporaryWorld({ "src/round.ts": "export const old = 1;\n", "CHANGELOG.md": "# Changes\n" });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], {
      cwd: place.root,
      env: { ...place.env, PATH: process.env["PATH"] },
    });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "first");
  write(place.root, { "src/round.ts": "export const round = Math.round;\n" });
  write(place.env["HOME"] ?? "", {
    [`.claude/projects/-work-shop/${SESSION}.jsonl`]: realisticSession()
      .join("")
      .replaceAll("/work/shop", place.root),
  });
  write(join(place.home.root, "applets"), CLOCK);
  const web = await openWeb(webWorld(place));
  await (await web.web.sessions()).sync();
  return { ...place, web };
}

describePage("what a session's page opens", () => {
  it("an edit opens its file and its diff beside the conversation, which stays where it is", async () => {
    const { web } = await realProject();
    const { page, errors } = await web.visit(ADDRESS);
    await page.keyboard.press("Home");
    const edit = page
      .locator(".row-with-actions")
      .filter({ hasText: "Edit" })
      .filter({ hasText: "round.ts" });
    await edit.first().hover();
    await lookAt(page, "session-row-actions");
    await edit
      .first()
      .getByRole("link", { name: /^Open file/ })
      .click();
    const editor = page.getByRole("region", { name: "Text editor" });
    await editor.getByText("Math.round").first().waitFor();
    expect(new URL(page.url()).pathname).toBe(ADDRESS);
    await edit.first().hover();
    await edit
      .first()
      .getByRole("link", { name: /^Git diff/ })
      .click();
    const diff = page.getByRole("region", { name: "Git diff" });
    await diff.getByText("1 file changed on main").waitFor();
    await edit.first().waitFor();
    expect(errors).toEqual([]);
  });

  it("the side panel and the palette open every applet, also one of the person's own", async () => {
    const { web } = await realProject();
    const { page } = await web.visit(ADDRESS);
    const menu = page.locator(".open-menu");
    await page.getByRole("button", { name: "Show context" }).click();
    await menu.getByText("Open", { exact: true }).click();
    await menu.getByRole("link", { name: /^World clock/ }).waitFor();
    expect(await menu.getByRole("link").count()).toBe(6);
    await lookAt(page, "session-open-menu");
    await page.keyboard.press("Escape");
    await expect.poll(() => menu.getByRole("link").count()).toBe(0);
    await menu.getByText("Open", { exact: true }).click();
    await menu.getByRole("link", { name: /^Git diff/ }).click();
    await page.getByRole("region", { name: "Git diff" }).waitFor();
    await expect.poll(() => menu.getByRole("link").count()).toBe(0);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /^Search/ }).fill("open rules");
    await page.getByRole("option", { name: /^Open\s*Rules/ }).click();
    await page.getByRole("region", { name: "Rules", exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get("applet")).toBe("rules");
  });

  it("“Edit” in the text editor takes the focus, and Save shows its key", async () => {
    const { web, root } = await realProject();
    const path = join(root, "src/round.ts");
    const { page } = await web.visit(`${ADDRESS}?${new URLSearchParams({ applet: "text-editor", path })}`);
    const panel = page.getByRole("region", { name: "Text editor" });
    // In the task of the click itself: a key that is pressed right after it is not lost, however slow the page paints.
    const focused = await panel.getByRole("button", { name: "Edit", exact: true }).evaluate(focusedByClick);
    expect(focused).toBe("TEXTAREA");
    await page.keyboard.type("// first\n");
    const field = panel.getByRole("textbox", { name: /Text of round/ });
    expect(await field.inputValue()).toBe("// first\nexport const round = Math.round;\n");
    expect(await panel.getByRole("button", { name: "Save", exact: true }).textContent()).toContain("Ctrl S");
  });

  it("asks what it knew at every turn and tool call: on hover, with the keyboard, and always on touch", async () => {
    const { web } = await realProject();
    const { page } = await web.visit(ADDRESS);
    await page.keyboard.press("Home");
    const edit = page.locator(".row-with-actions").filter({ hasText: "Edit" }).first();
    const link = edit.getByRole("link", { name: "What did it know here?" });
    const opacity = () => edit.locator(".row-actions").evaluate(opacityOf);
    await page.mouse.move(0, 0);
    await expect.poll(opacity).toBe("0");
    await link.focus();
    await expect.poll(opacity).toBe("1");
    await link.click();
    await page.waitForURL(/tab=given&at=2026-11-15T/);

    const touch = await (await browser()).newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    try {
      const phone = await touch.newPage();
      await phone.goto(web.server.link(ADDRESS));
      await phone.locator(".row-actions").first().waitFor();
      const hidden = await phone.evaluate(
        `[...document.querySelectorAll(".row-actions, .known-link")]
          .filter((one) => getComputedStyle(one).opacity !== "1" || one.getClientRects().length === 0).length`,
      );
      expect(hidden).toBe(0);
      expect(await phone.locator(".said .known-link").count()).toBe(await phone.locator(".said").count());
      await phone.screenshot({ path: "test/screenshots/session-touch.png" });
    } finally {
      await touch.close();
    }
  });

  it("its name keeps its room beside a wide panel", async () => {
    const { web } = await realProject();
    const { page } = await web.visit(`${ADDRESS}?applet=git-diff`, { width: 1280 });
    await page.getByRole("button", { name: "Make the panel wide" }).click();
    const width = async () => (await page.locator(".session-title").boundingBox())?.width;
    await expect.poll(width, PATIENT).toBeGreaterThan(280);
  });

  it("its head counts prompts as they are asked", async () => {
    const { web, path } = await sessionWorld([asked("one"), asked("two")]);
    const { page } = await web.visit(ADDRESS);
    await page.getByText("2 prompts").waitFor();
    appendFileSync(path, asked("three"));
    await page.getByText("3 prompts").waitFor();
  });
});
