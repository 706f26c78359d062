import { describe, expect, it } from "vitest";
import { readTrust } from "../../../src/store/trust.ts";
import { lookAt, missingBrowser, openWeb } from "../../support/browser.ts";
import { webWorld } from "../../support/web.ts";
import { temporaryWorld } from "../../support/world.ts";

const missing = await missingBrowser();

const FILES = {
  ".continuo/rules/money.md": '---\nglobs: ["src/**/*.ts"]\n---\nAmounts are whole cents.\n',
  ".continuo/rules/tests.md": "Run the tests before you say done.\n",
  ".continuo/rules/release.md":
    '---\nkeywords: [release]\nguard:\n  - { action: deny, tool: Bash, match: "push --force", message: "Never force-push" }\n---\nHow to release.\n',
  ".cursor/rules/style.mdc": "---\ndescription: How we write CSS\n---\nUse tokens.\n",
  ".continuo/rules/broken.md": "---\nglobs: [unclosed\n---\nText\n",
  "src/cart.ts": "export {};\n",
};

describe.skipIf(missing !== undefined)(`rules${missing ? ` (${missing})` : ""}`, () => {
  it("shows what is active, waiting and refused, and tries a path, a prompt and a command", async () => {
    const w = temporaryWorld(FILES);
    const { page, errors } = await (await openWeb(webWorld(w))).visit("/rules");
    await page.getByRole("heading", { name: /^Active/ }).waitFor();
    await page.getByRole("heading", { name: /^Waiting/ }).waitFor();
    await page.getByText("broken.md").waitFor();
    await lookAt(page, "rules");
    await page.locator("summary", { hasText: "money" }).click();
    await page.getByText("a file matching src/**/*.ts is touched").last().waitFor();
    await page.getByLabel("A file is touched").fill("src/cart.ts");
    await page.keyboard.press("Enter");
    await page.getByText("applies now").waitFor();
    // It applies in what is tried, so it does not wait.
    await page.locator("summary", { hasText: "money" }).waitFor({ state: "detached" });
    await page.getByText(/not apply: why\?/).waitFor();
    expect(new URL(page.url()).searchParams.get("path")).toBe("src/cart.ts");
    await page.getByLabel("A command is run").fill("git push --force");
    await page.keyboard.press("Enter");
    await page.getByText(/would be stopped: Never force-push/).waitFor();
    await lookAt(page, "rules-try");
    expect(errors).toEqual([]);
  });

  it("trusts a project's checks after it showed them, and revokes that", async () => {
    const w = temporaryWorld(FILES);
    const { page } = await (await openWeb(webWorld(w))).visit("/rules");
    await page.getByRole("button", { name: "Show checks" }).click();
    const checks = page.getByRole("region", { name: "Checks of this project" });
    await checks.getByText("Never force-push").waitFor();
    await lookAt(page, "rules-trust");
    expect(readTrust(w.home).projects).toEqual([]);
    await page.getByRole("button", { name: "Trust this check" }).click();
    await checks.getByText("1 check of this project may stop the agent.").waitFor();
    expect(readTrust(w.home).projects).toEqual([w.root]);
    await checks.getByRole("button", { name: "Revoke" }).click();
    await checks.getByRole("button", { name: "Turn off" }).click();
    await page.getByRole("button", { name: "Show checks" }).waitFor();
    expect(readTrust(w.home).projects).toEqual([]);
  });

  it("shows names with markup as text", async () => {
    const w = temporaryWorld({
      ".continuo/rules/a.md": "---\nname: '<img src=x onerror=\"document.title=1\">'\n---\nHi\n",
    });
    const { page, errors } = await (await openWeb(webWorld(w))).visit("/rules");
    await page.getByRole("heading", { name: /^Active/ }).waitFor();
    expect(await page.title()).toBe("Rules · Continuo");
    expect(errors).toEqual([]);
  });

  it("says how to add a first rule", async () => {
    const { page } = await (await openWeb(webWorld(temporaryWorld()))).visit("/rules");
    await page.getByText("No rules here yet").waitFor();
    await lookAt(page, "rules-empty");
  });
});
