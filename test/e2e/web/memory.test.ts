import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describePage, lookAt, type OpenWeb, openWeb, seriousFindings } from "../../support/browser.ts";
import { NOTES } from "../../support/demo/notes.ts";
import { webWorld } from "../../support/web.ts";
import { temporaryWorld, write } from "../../support/world.ts";

interface Notes extends OpenWeb {
  readonly folder: string;
}

async function open(notes: Record<string, string> = demoNotes(), config?: object): Promise<Notes> {
  const world = temporaryWorld();
  const folder = join(world.home.root, "memory");
  write(folder, notes);
  if (config !== undefined) write(world.home.root, { "config.json": JSON.stringify(config) });
  return { ...(await openWeb(webWorld(world))), folder };
}

function demoNotes(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(NOTES).map(([title, text], i) => {
      const project = i % 3 === 0 ? "other-shop" : "project";
      const folder = ["money/", "ops/", ""][i % 3] ?? "";
      const tags = i % 4 === 0 ? "tags: [decision]\n" : "";
      return [
        `${folder}${title.toLowerCase().replaceAll(" ", "-")}.md`,
        `---\ntitle: ${title}\nproject: ${project}\n${tags}---\n# ${title}\n\n${text}\n`,
      ];
    }),
  );
}

describePage("notes in the page", () => {
  it("are listed with those of this project first, searched while typing, and opened by keys", async () => {
    const web = await open();
    const { page, errors, strangers } = await web.visit("/memory");
    await page.getByRole("heading", { name: "This project" }).waitFor();
    await lookAt(page, "memory");
    const field = page.getByRole("searchbox", { name: "Search notes" });
    await field.fill("undo a bad deploy");
    const first = page.getByRole("list", { name: "Notes found" }).getByRole("link").first();
    await expect.poll(() => first.textContent()).toContain("Rollback of a release");
    expect(page.url()).toContain("q=undo");
    await lookAt(page, "memory-search");
    await field.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Rollback of a release", level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(() => field.inputValue()).toBe("undo a bad deploy");
    expect(errors).toEqual([]);
    expect(strangers).toEqual([]);
  });

  it("are narrowed by folder and tag, and the address keeps it", async () => {
    const web = await open();
    const { page } = await web.visit("/memory");
    await page.getByRole("button", { name: /^decision/ }).click();
    await expect.poll(() => page.url()).toContain("tag=decision");
    await expect.poll(() => page.locator("a.note-row").count()).toBe(5);
    await page.getByRole("button", { name: /tag decision.*remove/ }).click();
    await expect.poll(() => page.locator("a.note-row").count()).toBe(Object.keys(NOTES).length);
    await page.keyboard.press("Tab");
    await page.locator("h1").click();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await expect.poll(() => page.evaluate("document.activeElement.className")).toContain("note-row");
  });

  it("show links, backlinks and concepts, and links are followed without loading the page again", async () => {
    const web = await open();
    const { page, errors } = await web.visit(`/memory/${encodeURIComponent("money/money-is-integer-cents")}`);
    await page.getByRole("heading", { name: "Money is integer cents", level: 1 }).waitFor();
    await page.evaluate("window.isSamePage = true");
    await page.getByRole("heading", { name: "Linked from" }).waitFor();
    await lookAt(page, "note");
    await page.getByRole("article").getByRole("link", { name: "Refunds" }).click();
    await page.getByRole("heading", { name: "Refunds", level: 1 }).waitFor();
    await page.getByRole("article").getByRole("link", { name: "store credit" }).click();
    await expect.poll(() => page.getByLabel("Title").inputValue()).toBe("store credit");
    expect(await page.evaluate("window.isSamePage")).toBe(true);
    expect(errors).toEqual([]);
  });

  it("are written in the page, with completed links, and found at once", async () => {
    const web = await open();
    const { page, errors } = await web.visit("/memory");
    await page.getByRole("heading", { name: "This project" }).waitFor();
    await page.locator("h1").click();
    await page.keyboard.press("n");
    await page.getByLabel("Title").fill("Café <b>closing</b> time");
    const text = page.getByRole("textbox", { name: "Text of the note" });
    await text.click();
    await page.keyboard.type("The zebra crossing is painted. See [[refu");
    await page.getByRole("option", { name: /Refunds/ }).waitFor();
    await lookAt(page, "note-new");
    await page.keyboard.press("Enter");
    await expect.poll(() => text.inputValue()).toBe("The zebra crossing is painted. See [[Refunds]]");
    await page.reload();
    await expect.poll(() => text.inputValue()).toBe("The zebra crossing is painted. See [[Refunds]]");
    await page.getByLabel("Title").fill("Café <b>closing</b> time");
    await page.keyboard.press("Control+s");
    await page.getByRole("heading", { name: "Café <b>closing</b> time", level: 1 }).waitFor();
    await page.getByRole("article").getByRole("link", { name: "Refunds" }).waitFor();
    await page.keyboard.press("/");
    await page.getByRole("searchbox").fill("zebra");
    await page.getByRole("link", { name: /Café/ }).waitFor();
    expect(errors).toEqual([]);
  });

  it("are edited; two tabs that edit one note see each other's text and choose", async () => {
    const web = await open({ "plan.md": "# Plan\n\nfirst line\n" });
    const { page, context } = await web.visit("/memory/plan?edit=true");
    const other = await context.newPage();
    await other.goto(`${web.url}/memory/plan?edit=true`);
    const mine = page.getByRole("textbox", { name: "Text of the note" });
    const theirs = other.getByRole("textbox", { name: "Text of the note" });
    await mine.waitFor();
    await theirs.waitFor();
    await mine.fill("# Plan\n\nof the first tab\n");
    await theirs.fill("# Plan\n\nof the second tab\n");
    await other.keyboard.press("Control+s");
    await other.getByText("No unsaved changes").waitFor();
    expect(readFileSync(join(web.folder, "plan.md"), "utf8")).toBe("# Plan\n\nof the second tab\n");
    await page.keyboard.press("Control+s");
    await page.getByText("This note was changed elsewhere").waitFor();
    await page.getByText("of the second tab").first().waitFor();
    await lookAt(page, "note-conflict");
    expect(readFileSync(join(web.folder, "plan.md"), "utf8")).toBe("# Plan\n\nof the second tab\n");
    await page.getByRole("button", { name: "Save mine over it" }).click();
    await expect
      .poll(() => readFileSync(join(web.folder, "plan.md"), "utf8"))
      .toBe("# Plan\n\nof the first tab\n");
    // The other tab had nothing unsaved, so it shows the new text.
    await expect.poll(() => theirs.inputValue()).toBe("# Plan\n\nof the first tab\n");
  });

  it("keep unsaved changes over reloads and other places", async () => {
    const web = await open({ "plan.md": "# Plan\n" });
    const { page } = await web.visit("/memory/plan");
    await page.getByRole("heading", { name: "Plan", level: 1 }).waitFor();
    await page.keyboard.press("e");
    const text = page.getByRole("textbox", { name: "Text of the note" });
    await text.fill("# Plan\n\nnot saved yet\n");
    await page.reload();
    await expect.poll(() => text.inputValue()).toBe("# Plan\n\nnot saved yet\n");
    await lookAt(page, "note-edit");
    await text.press("Escape");
    await page.getByRole("button", { name: "Continue editing" }).click();
    await expect.poll(() => text.inputValue()).toBe("# Plan\n\nnot saved yet\n");
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Edit", exact: false }).first().waitFor();
    expect(readFileSync(join(web.folder, "plan.md"), "utf8")).toBe("# Plan\n");
  });

  it("are moved, deleted, and brought back", async () => {
    const web = await open({ "plan.md": "# Plan\n", "other.md": "# Other\n" });
    const { page } = await web.visit("/memory/plan");
    await page.getByRole("button", { name: "Rename or move" }).click();
    await page.getByLabel("New address").fill("archive/old plan");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/memory/archive%2Fold-plan");
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText('Deleted "Plan"').waitFor();
    expect(() => readFileSync(join(web.folder, "archive/old-plan.md"))).toThrow();
    await page.locator(".notice", { hasText: "Deleted" }).getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "Plan", level: 1 }).waitFor();
    expect(readFileSync(join(web.folder, "archive/old-plan.md"), "utf8")).toBe("# Plan\n");
  });

  it("that are changed or deleted by another program while they are shown change in the page too", async () => {
    const web = await open({ "plan.md": "# Plan\n\nold text\n" });
    const { page } = await web.visit("/memory/plan");
    await page.getByText("old text").waitFor();
    writeFileSync(join(web.folder, "plan.md"), "# Plan\n\nnew text\n");
    await page.getByText("new text").waitFor();
    rmSync(join(web.folder, "plan.md"));
    await page.getByText(/there is no note/i).waitFor();
    await page.getByText("new text").waitFor();
  });

  it("with HTML and every trick of Markdown are shown and run nothing, and no request leaves", async () => {
    const tricks = [
      "<script>window.hacked = 1</script>",
      '<img src="https://evil.example/x.png" onerror="window.hacked = 2">',
      "![picture](https://evil.example/pixel.png)",
      "[click](javascript:window.hacked=3)",
      '<a href="javascript:window.hacked=4">x</a>',
      "<iframe src='https://evil.example'></iframe>",
      "<svg onload=window.hacked=5></svg>",
      '<form action="https://evil.example"><input autofocus onfocus="window.hacked=6"></form>',
      "<style>@import url(https://evil.example/a.css)</style>",
      "[[<img src=x onerror=window.hacked=7>]] [[a|<script>window.hacked=8</script>]]",
      "[ref]: javascript:window.hacked=9\n[go][ref]",
      "<math><mtext></form><form><mglyph><style></math><img src onerror=window.hacked=10>",
      "# <img src=x onerror=window.hacked=11>",
      "| <img src=x onerror=window.hacked=12> | b |\n|---|---|\n| [x](data:text/html,<script>1</script>) | c |",
    ].join("\n\n");
    const name = 'a "quoted" <img src=x onerror=window.hacked=13> name';
    const web = await open({
      [`${name}.md`]: `---\ntitle: '<img src=x onerror=window.hacked=14>'\ntags: ['<b>x</b>']\n'<i>key</i>': '<img src=x onerror=window.hacked=15>'\n---\n${tricks}\n`,
      "links.md": `[[${name}]] window`,
    });
    const { page, errors, strangers } = await web.visit("/memory");
    await page.locator("a.note-row").first().waitFor();
    await page.getByRole("searchbox").fill("window hacked");
    await page.getByRole("list", { name: "Notes found" }).waitFor();
    await page.goto(`${web.url}/memory/${encodeURIComponent(name)}`);
    await page.getByRole("article").getByText("window.hacked = 1", { exact: false }).first().waitFor();
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "Text of the note" }).waitFor();
    await page.goto(`${web.url}/graph?view=table`);
    await page.getByRole("table").waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(strangers).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("say what would fill an empty page, and that notes are turned off", async () => {
    const empty = await open({});
    const { page } = await empty.visit("/memory");
    await page.getByText("No notes yet").waitFor();
    await lookAt(page, "memory-empty");
    const off = await open({ "a.md": "# A\n" }, { sources: { memory: { enabled: false } } });
    const second = await off.visit("/memory");
    await second.page.getByText("Notes are turned off").waitFor();
    expect(await seriousFindings(second.page)).toEqual([]);
  });

  it("of thousands are all reached by scrolling", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1200 }, (_, i) => [`n${i}.md`, `# Note number ${i}\n`]),
    );
    const web = await open(many);
    const { page } = await web.visit("/memory?order=title");
    const rows = page.locator("a.note-row");
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBeGreaterThanOrEqual(100);
    await expect
      .poll(
        async () => {
          await page.evaluate("document.getElementById('content').scrollTo(0, 1e7)");
          return rows.count();
        },
        { timeout: 30_000 },
      )
      .toBe(1200);
  });
});
