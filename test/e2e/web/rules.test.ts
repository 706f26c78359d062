import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { appendLedger } from "../../../src/moments/state/ledger.ts";
import { readTrust, setTrust } from "../../../src/store/trust.ts";
import { edit, writeSession } from "../../sources/rules/try/claude-session.ts";
import { describePage, lookAt, openWeb } from "../../support/browser.ts";
import { webWorld } from "../../support/web.ts";
import { temporaryWorld } from "../../support/world.ts";

const FILES = {
  ".continuo/rules/money.md": '---\nglobs: ["src/**/*.ts"]\n---\nAmounts are whole cents.\n',
  ".continuo/rules/tests.md": "Run the tests before you say done.\n",
  ".continuo/rules/release.md":
    '---\nkeywords: [release]\nguard:\n  - { action: deny, tool: Bash, match: "push --force", message: "Never force-push" }\n---\nHow to release.\n',
  ".cursor/rules/style.mdc": "---\ndescription: How we write CSS\n---\nUse tokens.\n",
  ".continuo/rules/broken.md": "---\nglobs: [unclosed\n---\nText\n",
  "src/cart.ts": "export {};\n",
};

const NO_ANY = `---
checks:
  edits:
    - never: '\\bany\\b'
      files: src/**/*.ts, "!**/*.test.ts"
      except: any-ok
      reaction: deny
      message: Use unknown.
  commands:
    - ask: terraform apply
    - before: done
      ran: npm test
---
Never use any.
`;

describePage("rules", () => {
  it("shows what is active, waiting and refused, and tries a path, a prompt and a command", async () => {
    const w = temporaryWorld(FILES);
    const { page, errors } = await (await openWeb(webWorld(w))).visit("/rules");
    await page.getByRole("heading", { name: /^Active/ }).waitFor();
    await page.getByRole("heading", { name: /^Waiting/ }).waitFor();
    await page.getByText("broken.md").waitFor();
    await lookAt(page, "rules");
    await page.locator("summary", { hasText: "money" }).click();
    await page.getByText("a file matching src/**/*.ts is read, edited or mentioned").last().waitFor();
    await page.getByLabel("A file is read, edited or mentioned").fill("src/cart.ts");
    await page.keyboard.press("Enter");
    await page.getByText("applies now").waitFor();
    // It applies in what is tried, so it does not wait.
    await page.locator("summary", { hasText: "money" }).waitFor({ state: "detached" });
    await page.getByText(/not apply: why\?/).waitFor();
    expect(new URL(page.url()).searchParams.get("path")).toBe("src/cart.ts");
    await page.getByLabel("A command is run").fill("git push --force");
    await page.keyboard.press("Enter");
    const found = page.getByRole("list", { name: "What the checks would do" });
    await found.getByText(/Never force-push/).waitFor();
    // Nobody trusts this project yet, so its check cannot refuse.
    expect(await found.textContent()).toContain(
      "The command breaks a rule, and the agent would be reminded.",
    );
    await page.getByText("stop nothing until you trust it").waitFor();
    await lookAt(page, "rules-try");
    expect(errors).toEqual([]);
  });

  it("tries an edit against the checks, and shows a rule's checks in words with their reaction", async () => {
    const w = temporaryWorld({ ...FILES, ".continuo/rules/no-any.md": NO_ANY });
    const { page, errors } = await (await openWeb(webWorld(w))).visit("/rules");
    await page.locator("summary", { hasText: "no-any" }).click();
    const checks = page.locator("details[open] .checks li");
    await expect
      .poll(() => checks.allTextContents())
      .toEqual([
        "denyEdits of src/**/*.ts but not **/*.test.ts must not add \\bany\\b except any-okUse unknown.What breaks it is refused",
        "askCommands need your consent if they match terraform applyYou are asked first",
        "remindDone only after npm testThe agent is reminded",
      ]);
    await lookAt(page, "rules-checks");
    await page.getByLabel("An edit adds this text").fill("const a = 1;\nlet b: any;");
    await page.getByRole("button", { name: "Try", exact: true }).click();
    // Without a file the browser asks for one.
    const file = page.getByLabel("A file is read, edited or mentioned");
    await expect.poll(() => file.evaluate((node) => node.matches(":invalid:focus"))).toBe(true);
    await file.fill("src/cart.ts");
    await page.getByRole("button", { name: "Try", exact: true }).click();
    const found = page.getByRole("list", { name: "What the checks would do" });
    await found.getByText('src/cart.ts:2 breaks the rule "no-any.md": let b: any; (Use unknown.)').waitFor();
    await setTrust(w.home, w.root, "shown", 1);
    await page.getByRole("button", { name: "Try", exact: true }).click();
    await found.getByText("The edit would be refused.").waitFor();
    await lookAt(page, "rules-try-edit");
    await page.getByLabel("An edit adds this text").fill("let b: unknown;");
    await page.getByRole("button", { name: "Try", exact: true }).click();
    await page.getByText("The checks find nothing.").waitFor();
    expect(new URL(page.url()).searchParams.get("text")).toBe("let b: unknown;");
    expect(errors).toEqual([]);
  });

  it("shows how rules are followed, the worst first, and opens the rule", async () => {
    const w = temporaryWorld({ ...FILES, ".continuo/rules/no-any.md": NO_ANY });
    const DAY = 24 * 3_600_000;
    const line = { host: "pi", session: "s1", project: w.root, epoch: 1 };
    const key = ".continuo/rules/no-any.md";
    const breach = { kind: "broken", check: "c1", on: "edits", reaction: "remind", text: "any" } as const;
    for (const daysAgo of [9, 8, 1]) {
      const at = Date.now() - daysAgo * DAY;
      const counts = { [`${key}#c1`]: daysAgo === 1 ? 8 : 2, ".continuo/rules/release.md#c1": 1 };
      appendLedger(w.home, at, { ...line, kind: "checked", counts });
      appendLedger(w.home, at, { ...line, ...breach, rule: key, name: "no-any.md", isAfterReminder: true });
    }
    const { page, errors } = await (await openWeb(webWorld(w))).visit("/rules");
    const table = page.getByRole("region", { name: "How rules are followed" }).getByRole("table");
    await table.waitFor();
    const rows = table.locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(2);
    const first = (await rows.first().textContent()) ?? "";
    expect(first).toContain("no-any.md");
    expect(first).toContain("3 after a reminder");
    expect(first).toContain("13%, before 50% better");
    await lookAt(page, "rules-report");
    await rows.first().getByRole("button", { name: "no-any.md" }).click();
    await page.locator("details[open]", { hasText: "Use unknown." }).waitFor();
    expect(errors).toEqual([]);
  });

  it("says so if the report cannot be read, and if there is nothing to report", async () => {
    const { visit } = await openWeb(webWorld(temporaryWorld({ ".continuo/rules/a.md": "Text\n" })));
    const { page } = await visit("/rules");
    await page.getByText("No rule here has a check.").waitFor();
    await page.route("**/api/rules/report*", (route) => route.abort());
    await page.reload();
    await page.getByRole("alert").waitFor();
    // The rules themselves are still there.
    await page.getByRole("heading", { name: /^Active/ }).waitFor();
    await page.unroute("**/api/rules/report*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("No rule here has a check.").waitFor();
  });

  it("shows the commands that would run, exactly, before it trusts them", async () => {
    const w = temporaryWorld({
      ".continuo/rules/lint.md":
        "---\nchecks:\n  run: { command: \"npx eslint --rule 'a  b'\", files: src/**/*.ts, timeout: 5 }\n---\nLint.\n",
    });
    const { page } = await (await openWeb(webWorld(w))).visit("/rules");
    await page.getByText("1 command of rules does not run until you trust this project.").waitFor();
    await page.getByRole("button", { name: "Show checks" }).click();
    const runs = page.locator(".trust-runs");
    expect(await runs.locator("code").textContent()).toBe("npx eslint --rule 'a  b'");
    expect(await runs.textContent()).toContain("on src/**/*.ts; at most 5 s");
    await lookAt(page, "rules-trust-run");
    await page.getByRole("button", { name: "Trust this check" }).click();
    await page.getByRole("button", { name: "Revoke" }).waitFor();
    expect(readTrust(w.home).runs[w.root]?.join()).toContain("a  b");
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
    await expect.poll(() => page.title()).toBe("Rules · Continuo");
    expect(errors).toEqual([]);
  });

  it("edits a rule with a try on past sessions beside it, and puts suggested checks into its text", async () => {
    const w = temporaryWorld({ ".continuo/rules/any.md": "Never use `any` in TypeScript.\n" });
    mkdirSync(w.env["HOME"] ?? "", { recursive: true });
    const steps = [{ user: "Add a cart." }, edit("src/a.ts", "const x: any = 1;")];
    writeSession(w.env["HOME"] ?? "", { id: "s1", cwd: w.root, steps, title: "A cart" });
    const { page, errors } = await (await openWeb(webWorld(w))).visit("/rules");
    await page.locator("summary", { hasText: "any" }).click();
    await page.getByRole("button", { name: "Edit and try any" }).click();
    const tried = page.getByRole("region", { name: "Try on past sessions" });
    await tried.getByRole("button", { name: "Try on past sessions" }).click();
    await tried.getByText("1 place").waitFor();
    await tried.getByText("const x: any = 1;").waitFor();
    await tried.getByRole("link", { name: "A cart" }).waitFor();
    await lookAt(page, "rules-edit");
    await tried.getByRole("button", { name: "Put these checks into the rule" }).click();
    const field = page.getByRole("textbox", { name: "Text of any.md" });
    await expect.poll(() => field.inputValue()).toContain("checks:");
    await tried.getByText("The text has changed since it was tried.").waitFor();
    await page.getByRole("button", { name: "Save", exact: false }).click();
    // The list has the rule as it is now.
    await page.locator("summary", { hasText: "1 check" }).waitFor();
    expect(readFileSync(join(w.root, ".continuo/rules/any.md"), "utf8")).toContain("checks:");
    expect(errors).toEqual([]);
  });

  it("tries a rule on past sessions before it is added", async () => {
    const w = temporaryWorld();
    const { page, errors } = await (await openWeb(webWorld(w))).visit("/rules");
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByLabel("The rule").fill("Be kind.");
    await page.getByRole("button", { name: "Try on past sessions" }).click();
    await page.getByText("Nothing to try: this text has no checks").waitFor();
    await page.getByText("never: '\\bany\\b'").waitFor();
    await page.getByLabel("The rule").fill("Never use `any` in TypeScript.");
    await page.getByRole("button", { name: "Try on past sessions" }).click();
    await page.getByText("It would have said nothing").waitFor();
    await page.getByLabel("Only for these files").fill("src/**/*.ts");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText(/^Added the rule .*: given when a file matching /).waitFor();
    expect(errors).toEqual([]);
  });

  it("says how to add a first rule", async () => {
    const { page } = await (await openWeb(webWorld(temporaryWorld()))).visit("/rules");
    await page.getByText("No rules here yet").waitFor();
    await lookAt(page, "rules-empty");
  });
});
