import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describePage, lookAt, openWeb } from "../../support/browser.ts";
import { CONTINUO, runScript } from "../../support/child.ts";
import { webWorld } from "../../support/web.ts";
import { temporaryWorld, write } from "../../support/world.ts";

const SETTINGS = '{\n  "model": "opus",\n  "permissions": { "allow": ["Bash(npm test)"] }\n}\n';

function world() {
  const place = temporaryWorld();
  const user = place.env["HOME"] ?? "";
  mkdirSync(user, { recursive: true });
  // No agent's program, whatever this machine has.
  place.env["PATH"] = join(user, "bin");
  write(user, { ".claude/settings.json": SETTINGS, ".config/opencode/opencode.json": "{}\n" });
  return { ...place, user, settings: join(user, ".claude/settings.json") };
}

describePage("connecting", () => {
  it("begins on the first page, shows the edit, makes it, and writes what continuo install writes", async () => {
    const w = world();
    const { page, errors } = await (await openWeb(webWorld(w))).visit("/");
    await page.getByRole("heading", { name: "Welcome to Continuo" }).waitFor();
    await lookAt(page, "first-run");
    const agent = page.getByRole("listitem").filter({ hasText: "Claude Code" }).first();
    await agent.getByRole("button", { name: "Connect…" }).click();
    await page.getByText("SessionStart").first().waitFor();
    expect(readFileSync(w.settings, "utf8")).toBe(SETTINGS);
    await lookAt(page, "connect-edit");
    await page.getByRole("button", { name: "Make this edit" }).click();
    await page.getByText("Claude Code is connected.").waitFor();
    // The other steps stay until the person is done.
    await page.getByRole("heading", { name: "Try it" }).waitFor();
    await page.getByRole("heading", { name: "Welcome to Continuo" }).waitFor();
    await expect.poll(() => agent.evaluate((item) => item === document.activeElement)).toBe(true);
    await page.getByRole("button", { name: "Import now" }).click();
    await page.getByText("There is nothing to import").waitFor();
    await lookAt(page, "first-run-connected");
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("heading", { name: "Home", exact: true }).waitFor();
    const other = world();
    const { code } = await runScript(CONTINUO, ["install", "claude-code"], {
      cwd: other.root,
      env: other.env,
    });
    expect(code).toBe(0);
    for (const file of [".claude/settings.json", ".claude.json"])
      expect(readFileSync(join(w.user, file), "utf8")).toBe(readFileSync(join(other.user, file), "utf8"));

    await page.goto(new URL("/connect", page.url()).href);
    const row = page.getByRole("listitem").filter({ hasText: "Claude Code" }).first();
    await row.getByText("connected", { exact: true }).waitFor();
    await page.getByRole("heading", { name: "Try it" }).waitFor();
    await lookAt(page, "connect");
    await row.getByRole("button", { name: "Disconnect…" }).click();
    await page.getByRole("button", { name: "Disconnect Claude Code" }).click();
    await page.getByText("Claude Code is disconnected.").waitFor();
    expect(readFileSync(w.settings, "utf8")).toBe(SETTINGS);
    expect(existsSync(join(w.user, ".claude.json"))).toBe(false);
    expect(errors).toEqual([]);
  });

  it("refuses when the settings changed after the edit was shown, and shows the new edit", async () => {
    const w = world();
    const { page } = await (await openWeb(webWorld(w))).visit("/connect");
    const agent = page.getByRole("listitem").filter({ hasText: "Claude Code" }).first();
    await agent.getByRole("button", { name: "Connect…" }).click();
    await page.getByRole("button", { name: "Make this edit" }).waitFor();
    const changed = '{ "model": "sonnet" }\n';
    writeFileSync(w.settings, changed);
    await page.getByRole("button", { name: "Make this edit" }).click();
    await page.getByText(/changed since you looked/).waitFor();
    expect(readFileSync(w.settings, "utf8")).toBe(changed);
    await page.getByRole("button", { name: "Make this edit" }).click();
    await page.getByText("Claude Code is connected.").waitFor();
    expect(readFileSync(w.settings, "utf8")).toContain("sonnet");
  });

  it("explains settings that cannot be edited", async () => {
    const w = world();
    writeFileSync(w.settings, "{ broken");
    const { page } = await (await openWeb(webWorld(w))).visit("/connect");
    await page.getByText("problem", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Repair…" }).click();
    await page.getByRole("alert").waitFor();
    await lookAt(page, "connect-problem");
    expect(readFileSync(w.settings, "utf8")).toBe("{ broken");
  });
});
