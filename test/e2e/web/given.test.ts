import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readMutes } from "../../../src/store/mutes.ts";
import type { GivenTimeline } from "../../../src/web/api/given.ts";
import { describePage, lookAt, openWeb } from "../../support/browser.ts";
import { givenWorld, wholeSession } from "../../support/given-world.ts";
import { webWorld } from "../../support/web.ts";
import { temporaryWorld } from "../../support/world.ts";

const GIVEN = "/sessions/claude-code/s1?tab=given";

/** A session as Claude Code stores it: with the model's usage. */
function writeTranscript({ root, env }: { root: string; env: NodeJS.ProcessEnv }): void {
  const folder = join(env["HOME"] ?? "", ".claude", "projects", root.replace(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  const common = (n: number) => ({
    sessionId: "s1",
    cwd: root,
    version: "2.1.0",
    uuid: `u${n}`,
    parentUuid: n === 0 ? null : `u${n - 1}`,
    timestamp: new Date(Date.parse("2026-01-01T00:00:01Z") + n * 1000).toISOString(),
  });
  const usage = {
    input_tokens: 100,
    cache_read_input_tokens: 9_000,
    cache_creation_input_tokens: 900,
    output_tokens: 20,
  };
  const lines = [
    { ...common(0), type: "user", message: { role: "user", content: "total the cart" } },
    {
      ...common(1),
      type: "assistant",
      message: { id: "m1", role: "assistant", model: "m", content: [{ type: "text", text: "Done." }], usage },
    },
  ];
  writeFileSync(join(folder, "s1.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

async function open() {
  const world = temporaryWorld();
  const engine = givenWorld(world);
  const texts = await wholeSession(engine);
  writeTranscript(world);
  const web = await openWeb(webWorld(world, { now: () => Date.parse("2026-01-01T12:00:00Z") }));
  await (await web.web.sessions()).sync();
  return { ...web, world, engine, texts };
}

describePage("what was given", () => {
  it("a session's timeline shows each delivery; an entry opens to its exact text and reasons", async () => {
    const { visit, texts } = await open();
    const { page, errors, strangers } = await visit(GIVEN);
    const rows = page.locator(".entry-title");
    await expect
      .poll(() => rows.allTextContents())
      .toEqual([
        "Added at the start",
        "Added at Edit",
        "Added at a prompt",
        "Instructions for the summary",
        "Compaction 1",
        "Restored after the compaction",
        "Replayed at a resume",
        "Session ended",
      ]);
    await expect.poll(() => page.locator(".figures").textContent()).toContain("90%");
    const tops = await page
      .locator(".figures > div")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    await page.getByRole("button", { name: /Added at Edit/ }).click();
    await expect.poll(() => page.locator(".entry-text pre").textContent()).toBe(texts.atTool);
    await expect
      .poll(() => page.locator(".given-item-why").first().textContent())
      .toContain("src/cart.ts was touched");
    expect(
      await page.getByRole("link", { name: "Open the source of money.md" }).getAttribute("href"),
    ).toContain("applet=text-editor");
    await lookAt(page, "given-entry");
    await page.getByRole("button", { name: /Compaction 1/ }).click();
    await page.getByRole("heading", { name: /Restored by Continuo/ }).waitFor();
    await page.getByText("Files that it names").waitFor();
    await page.getByRole("heading", { name: /Restored by Continuo/ }).scrollIntoViewIfNeeded();
    await lookAt(page, "given-compaction");
    expect([errors, strangers]).toEqual([[], []]);
  });

  it("shows a broken rule with its file, line, text and reaction, and mutes the rule there", async () => {
    const world = temporaryWorld({
      ".continuo/rules/no-any.md":
        "---\nchecks:\n  edits: { never: '\\bany\\b', files: 'src/**/*.ts' }\n---\nNever use any.\n",
    });
    const engine = givenWorld(world);
    await engine.start();
    const hunks = [{ text: 'const a = 1;\nlet b: any = "<img src=x>";', line: 7 }];
    await engine.call({ edits: () => [{ path: "src/cart.ts", kind: "part", hunks }] });
    writeTranscript(world);
    const web = await openWeb(webWorld(world, { now: () => Date.parse("2026-01-01T12:00:00Z") }));
    await (await web.web.sessions()).sync();
    const { page, errors } = await web.visit(GIVEN);
    const row = page.getByRole("button", { name: /Rule broken: no-any\.md/ });
    await row.waitFor();
    expect(await row.textContent()).toContain("src/cart.ts:8");
    await row.click();
    const body = page.locator(".entry-broken .entry-body");
    await body.getByText("The agent was told").waitFor();
    expect(await body.locator(".broken-text").textContent()).toBe('let b: any = "<img src=x>";');
    expect(await body.textContent()).toContain("src/cart.ts, line 8");
    await lookAt(page, "given-broken");
    await body.getByRole("button", { name: "Mute no-any.md" }).click();
    await page.getByRole("button", { name: "In this project" }).click();
    await body.getByText("muted in this project").waitFor();
    expect(readMutes(world.home).mutes).toMatchObject([{ what: "rules/.continuo/rules/no-any.md" }]);
    expect(errors).toEqual([]);
  });

  it("what was known at a time is found by a link, a time, or from an entry", async () => {
    const { visit, fetch } = await open();
    const answer = await fetch("/api/sessions/claude-code/s1/given");
    const { entries } = (await answer.json()) as GivenTimeline;
    const { page } = await visit(`${GIVEN}&at=${encodeURIComponent(entries[1]?.at ?? "")}`);
    const known = page.getByRole("region", { name: "Known at this point" });
    await expect.poll(() => known.textContent()).toContain("money.md");
    expect(await known.textContent()).not.toContain("release.md");
    expect(await page.locator(".entry-marked .entry-title").textContent()).toBe("Added at Edit");
    await lookAt(page, "given-known");
    await page.getByRole("button", { name: /Added at a prompt/ }).click();
    await page.getByRole("button", { name: "What was known here?" }).click();
    await expect.poll(() => known.textContent()).toContain("release.md");
    await known.getByRole("button", { name: /style\.md/ }).click();
    await page.locator("#given-0 .entry-text pre").waitFor();
    const field = page.getByLabel("What did it know at");
    expect(await field.inputValue()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    await page.getByRole("button", { name: "Show the whole timeline" }).click();
    await known.waitFor({ state: "detached" });
    expect(page.url()).not.toContain("at=");
  });

  it("a rule is muted in three presses, holds for the next session, and is undone", async () => {
    const { visit, world, engine } = await open();
    const { page } = await visit(GIVEN);
    await page.getByRole("button", { name: /Added at the start/ }).click();
    await page.getByRole("button", { name: "Mute style.md" }).click();
    await page.getByRole("group", { name: "Mute style.md: where?" }).waitFor();
    await lookAt(page, "given-mute");
    await page.getByRole("button", { name: "In this project" }).click();
    await page.getByText("muted in this project").first().waitFor();
    expect(readMutes(world.home).mutes).toMatchObject([
      { what: "rules/.continuo/rules/style.md", in: "project", project: world.project.id },
    ]);
    expect(await engine.start("next")).not.toContain("Use tabs");
    await page.getByRole("button", { name: "Undo: unmute style.md" }).first().click();
    await page.getByRole("button", { name: "Mute style.md" }).waitFor();
    expect(readMutes(world.home).mutes).toEqual([]);
    expect(await engine.start("after")).toContain("Use tabs");
  });

  it("the days have figures, a chart, a table, and what is muted", async () => {
    const { visit, fetch } = await open();
    await fetch("/api/mutes", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ what: "memory", in: "everywhere" }),
    });
    const { page, errors } = await visit("/given");
    await page.getByRole("table").waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
    await expect
      .poll(() => page.locator(".figures").textContent())
      .toContain("none unless you configure a model");
    expect(await page.getByRole("img", { name: /Tokens added/ }).count()).toBe(1);
    await lookAt(page, "given-days");
    await page.getByRole("tab", { name: "Time added" }).click();
    await page.getByRole("img", { name: /Time added/ }).waitFor();
    await page.getByRole("button", { name: "Unmute notes" }).click();
    await page.getByText("Nothing is muted.").waitFor();
    expect(errors).toEqual([]);
  });

  it("says why nothing is there, and what would be", async () => {
    const world = temporaryWorld();
    writeTranscript(world);
    const web = await openWeb(webWorld(world));
    await (await web.web.sessions()).sync();
    const { page } = await web.visit(GIVEN);
    await page.getByText("Continuo added nothing to this session").waitFor();
    await lookAt(page, "given-nothing");
    await page.goto(`${web.url}/given`);
    await page.getByText("Nothing was added in the last 30 days").waitFor();
  });
});
