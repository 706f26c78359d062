import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { propose } from "../../../src/sources/profile/learning/propose.ts";
import { learningSuggestions } from "../../../src/sources/profile/learning/suggestions.ts";
import { draftHeard } from "../../../src/sources/rules/drafts/hear.ts";
import { askPerson } from "../../../src/sources/rules/drafts/waiting.ts";
import { readMutes } from "../../../src/store/mutes.ts";
import { exampleSeed, NOW, parsed, proposal } from "../../sources/profile/seeds.ts";
import { edit, writeSession } from "../../sources/rules/try/claude-session.ts";
import { describePage, lookAt, openWeb } from "../../support/browser.ts";
import { webWorld } from "../../support/web.ts";
import { temporaryWorld, write } from "../../support/world.ts";

const WISHES = [
  ["Use pnpm, not npm", "please use pnpm here, not npm, the lockfile is pnpm's"],
  ["Ask before you commit", "ask me before you commit anything"],
  ["Write short commit messages", "keep the commit messages short, one line is enough"],
] as const;

async function world(seed: unknown = exampleSeed()) {
  const place = temporaryWorld();
  const user = place.env["HOME"] ?? "";
  const path = join(user, ".pai/seed.json");
  write(user, { ".pai/seed.json": typeof seed === "string" ? seed : JSON.stringify(seed) });
  const suggest = (content: string, evidence: string, more: object = {}) =>
    propose([{ type: "pattern", content, evidence, turn: "t1", saidAt: Date.now() - 7_200_000, ...more }], {
      place: { seed: path, home: place.home.root },
      sessionId: "5d0c2f7e-9a41-4b0e-8c7a-2f6f1f0e4b11",
      host: "claude-code",
      project: "project:~/work/shop",
      projectName: "shop",
      now: NOW,
    });
  const start = async () => openWeb(webWorld(place));
  return { ...place, path, suggest, start };
}

describePage("the inbox", () => {
  it("is reviewed with the keyboard only: accept, edit, reject, undo, next, and scope", async () => {
    const w = await world();
    for (const [text, quote] of WISHES) await w.suggest(text, quote);
    const web = await w.start();
    const { page, errors } = await web.visit("/inbox");
    const card = page.getByRole("article", { name: "Suggestion" });
    await card.getByText(WISHES[0][0]).waitFor();
    expect(await card.textContent()).toContain(WISHES[0][1]);
    await lookAt(page, "inbox");

    await page.keyboard.press("j");
    await card.getByText(WISHES[1][0]).waitFor();
    await page.keyboard.press("k");
    await card.getByText(WISHES[0][0]).waitFor();

    await page.keyboard.press("e");
    const field = page.getByRole("textbox", { name: "The text to learn" });
    await field.waitFor();
    await expect.poll(() => field.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.keyboard.type(" in this monorepo");
    await lookAt(page, "inbox-edit");
    await page.keyboard.press("Enter");
    await card.getByText(WISHES[1][0]).waitFor();
    await expect
      .poll(() => parsed(w.path).learned.patterns.map(({ content }) => content))
      .toEqual([`${WISHES[0][0]} in this monorepo`]);

    await page.keyboard.press("r");
    await card.getByText(WISHES[2][0]).waitFor();
    const states = () => parsed(w.path).state.proposals.map(({ status }) => status);
    await expect.poll(states).toEqual(["accepted", "rejected", "pending"]);

    const told = page.getByRole("status").getByText(/^Rejected/);
    await told.waitFor();
    await page.keyboard.press("u");
    await card.getByText(WISHES[1][0]).waitFor();
    await page.getByRole("status").getByText("Undone").waitFor();
    await told.waitFor({ state: "detached" });
    await expect.poll(states).toEqual(["accepted", "pending", "pending"]);

    await page.keyboard.press("s");
    await expect.poll(() => page.getByRole("radio", { name: "Only shop" }).isChecked()).toBe(true);
    await page.keyboard.press("a");
    await card.getByText(WISHES[2][0]).waitFor();
    await expect.poll(() => parsed(w.path).learned.patterns.at(-1)?.tags).toEqual(["project:~/work/shop"]);
    await page.keyboard.press("a");
    await page.getByText("Nothing to decide").waitFor();
    await expect.poll(states).toEqual(["accepted", "accepted", "accepted"]);
    expect(errors).toEqual([]);
  });

  it("decides a draft of a check and a question about a rule with the keyboard only", async () => {
    const w = await world();
    const at = Date.now() - 3_600_000;
    const moment = { session: { host: "claude-code" as const, id: "s1" }, project: w.project, at };
    writeSession(w.env["HOME"] ?? "", {
      id: "s2",
      cwd: w.root,
      at: new Date(at).toISOString(),
      steps: [{ user: "Go." }, edit("src/a.ts", "const x: any = 2;")],
    });
    await draftHeard([{ sentence: "I told you not to use any", turn: "t3", at }], moment, {
      home: w.home.root,
      readOnly: false,
      settings: {},
    });
    const rule = ".continuo/rules/no-todo.md";
    write(w.root, { [rule]: "---\nchecks:\n  edits: { never: TODO }\n---\nNo TODO.\n" });
    const question = { rule, name: "no-todo.md", check: "c1", breaches: 4, example: "a.ts:1 // TODO" };
    askPerson(w.home, { ...question, project: w.project }, at + 1);
    const { page, errors } = await (await w.start()).visit("/inbox");
    const card = page.getByRole("article", { name: "Suggestion" });
    await card.getByText("must not contain any as a word").waitFor();
    expect(await card.locator("blockquote").textContent()).toBe("I told you not to use any");
    expect(await card.locator(".suggestion-pattern").textContent()).toBe("Pattern \\bany\\b");
    await card.getByText("it would have matched once:").waitFor();
    await card.getByRole("list", { name: "Where it would have matched" }).getByText("src/a.ts").waitFor();
    await lookAt(page, "inbox-check");

    await page.keyboard.press("j"); // later
    await card.getByText('Refuse what breaks "no-todo.md" from now on?').waitFor();
    for (const choice of ["Refuse it from now on", "Keep checking", "Stop checking", "Later"])
      await card.getByRole("button", { name: choice }).waitFor();
    await lookAt(page, "inbox-question");
    await page.keyboard.press("e"); // a question has no text to edit
    expect(await page.getByRole("textbox", { name: "The pattern to check" }).count()).toBe(0);
    await page.keyboard.press("m");
    await page
      .getByRole("status")
      .getByText(/^Muted the rule/)
      .waitFor();
    await expect.poll(() => readMutes(w.home).mutes.map(({ what }) => what)).toEqual([`rules/${rule}`]);
    await page.keyboard.press("u");
    await card.getByText("at least 4 times in one session").waitFor();
    await expect.poll(() => readMutes(w.home).mutes).toEqual([]);
    await page.keyboard.press("r");
    await page
      .getByRole("status")
      .getByText(/is still checked/)
      .waitFor();

    await card.getByText("must not contain any").waitFor();
    await page.keyboard.press("e");
    const field = page.getByRole("textbox", { name: "The pattern to check" });
    await expect.poll(() => field.evaluate((node) => node === document.activeElement)).toBe(true);
    await field.fill("as any");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing to decide").waitFor();
    const written = join(w.home.root, "rules", "no-any.md");
    await expect.poll(() => existsSync(written) && readFileSync(written, "utf8")).toContain("as any");
    await page.keyboard.press("u");
    await card.getByText("must not contain any").waitFor();
    await expect.poll(() => existsSync(written)).toBe(false);
    expect(errors).toEqual([]);
  });

  it("says so if a check cannot be tried on past sessions, and tries again", async () => {
    const w = await world();
    const moment = { session: { host: "pi" as const, id: "s1" }, project: w.project, at: NOW };
    await draftHeard([{ sentence: "never use any" }], moment, {
      home: w.home.root,
      readOnly: false,
      settings: {},
    });
    const { page } = await (await w.start()).visit("/memory");
    await page.route("**/tried", (route) => route.abort());
    await page.goto(`${new URL(page.url()).origin}/inbox`);
    await page.getByText("It could not be tried on your past sessions").waitFor();
    await page.unroute("**/tried");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("it would have found nothing").waitFor();
  });

  it("shows markup in suggestions and quotes as text, and runs none of it", async () => {
    const script = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const w = await world(
      exampleSeed({ state: { proposals: [proposal("p1", `${script} ${"long ".repeat(800)}`)] } }),
    );
    const { page, errors, strangers } = await (await w.start()).visit("/inbox");
    await page.getByRole("article").getByText("<img src=x").waitFor();
    await lookAt(page, "inbox-hostile");
    await expect.poll(() => page.title()).toBe("(1) Suggestions · Continuo");
    expect(strangers).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("says what happened when another window decided first, and shows the next", async () => {
    const w = await world(
      exampleSeed({ state: { proposals: [proposal("p1", "Use pnpm"), proposal("p2", "Use tabs")] } }),
    );
    const { page } = await (await w.start()).visit("/inbox");
    const card = page.getByRole("article");
    await card.getByText("Use pnpm").waitFor();
    // Nothing that the page asks for comes back before it decided: as if the event had not arrived yet.
    const decided = page.waitForRequest((request) => request.url().endsWith("/p1/accept"));
    await page.route("**/api/inbox", async (route) => {
      await decided;
      await route.continue();
    });
    await learningSuggestions({ home: w.home.root, env: w.env }).reject("p1");
    await page.keyboard.press("a");
    await page.getByText(/was rejected in another window/).waitFor();
    await card.getByText("Use tabs").waitFor();
    expect(parsed(w.path).learned.patterns).toEqual([]);
  });

  it("lists decisions, rejected wishes and learnings, and takes each back", async () => {
    const w = await world();
    for (const [text, quote] of WISHES) await w.suggest(text, quote);
    const inbox = learningSuggestions({ home: w.home.root, env: w.env });
    const [first, second] = inbox.list();
    await inbox.accept(first?.id ?? "");
    await inbox.reject(second?.id ?? "");
    const { page } = await (await w.start()).visit("/inbox?tab=decided");
    await page.getByText("accepted").first().waitFor();
    await lookAt(page, "inbox-decided");
    await page.getByRole("tab", { name: /Rejected/ }).click();
    await page.getByText(WISHES[1][0]).waitFor();
    await lookAt(page, "inbox-rejected");
    await page.getByRole("button", { name: "Allow again" }).click();
    await page.getByText("Nothing is rejected").waitFor();
    expect(inbox.list().map(({ text }) => text)).toContain(WISHES[1][0]);
    await page.getByRole("tab", { name: /Learnings/ }).click();
    await page.getByText(WISHES[0][0]).waitFor();
    await lookAt(page, "inbox-learned");
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("No learnings yet").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText(WISHES[0][0]).waitFor();
  });

  it("explains a damaged seed, and goes on when it is repaired", async () => {
    const w = await world("{ broken");
    const web = await w.start();
    const { page } = await web.visit("/inbox");
    await page
      .getByRole("alert")
      .getByText(/is damaged/)
      .waitFor();
    expect(await page.getByRole("alert").textContent()).toContain("continuo seed repair");
    await lookAt(page, "inbox-damaged");
    const good = JSON.stringify(exampleSeed({ state: { proposals: [proposal("p1", "Use pnpm")] } }));
    writeFileSync(w.path, good);
    web.web.publish({ type: "inbox" });
    await page.getByRole("article").getByText("Use pnpm").waitFor();
    expect(readFileSync(w.path, "utf8")).toBe(good);
  });

  it("says where suggestions come from while there are none", async () => {
    const { page } = await (await world()).start().then((web) => web.visit("/inbox"));
    await page.getByText("No suggestions yet").waitFor();
    await lookAt(page, "inbox-empty");
  });
});
