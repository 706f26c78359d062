import { createSocket } from "node:dgram";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type Browser, chromium, type Request } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { describePage, lookAt } from "../../support/browser.ts";
import { appletsWorld, FILES } from "./applets-world.ts";
import { CLOCK, FLOOD, hostile, LOOP } from "./hostile-applet.ts";

const PATIENT = { timeout: 20_000 };

describePage("built-in applets", () => {
  it("text-editor: shows a file with colours, edits it and saves it with Ctrl-S", async () => {
    const world = await appletsWorld();
    const path = world.at("src/refunds/split.ts");
    const { page, errors } = await world.web.visit(world.address("text-editor", { path }));
    const panel = page.getByRole("region", { name: "Text editor" });
    await panel.locator(".hljs-keyword").first().waitFor();
    await lookAt(page, "text-editor");
    await panel.getByRole("button", { name: "Edit", exact: true }).click();
    const field = panel.getByRole("textbox", { name: /Text of split/ });
    await field.fill("export const changed = 1;\n");
    await panel.getByText("not saved").waitFor();
    await lookAt(page, "text-editor-edit");
    // Data that is loaded again does not touch what was typed.
    world.change("set", "tickets", "T-1");
    await page.getByRole("region", { name: "Session context" }).getByText("1 tickets").waitFor();
    expect(await field.inputValue()).toBe("export const changed = 1;\n");
    await field.press("Control+s");
    await page.getByText("Saved split.ts").waitFor();
    expect(readFileSync(path, "utf8")).toBe("export const changed = 1;\n");
    await panel.getByText("not saved").waitFor({ state: "detached" });
    expect(errors).toEqual([]);
  });

  it("text-editor: two tabs edit one file; the second sees the difference and decides, and nothing is lost", async () => {
    const world = await appletsWorld();
    const path = world.at("docs/refunds.md");
    const address = world.address("text-editor", { path });
    const { page: first, context } = await world.web.visit(address);
    const second = await context.newPage();
    await second.goto(`${world.web.url}${address}`);
    // Both before anything is typed: a tab that opens later begins with the unsaved text of the other.
    for (const page of [first, second]) await page.getByRole("button", { name: "Edit", exact: true }).click();
    for (const [page, text] of [
      [first, "# From the first tab\n"],
      [second, "# From the second tab\n"],
    ] as const)
      await page.getByRole("textbox", { name: /Text of refunds/ }).fill(text);
    await first.getByRole("button", { name: "Save", exact: true }).click();
    await first.getByText("Saved refunds.md").waitFor();
    // It may have heard of the new text already: then there is nothing to save until the person has chosen.
    await second
      .getByRole("button", { name: "Save", exact: true })
      .click({ timeout: 2000 })
      .catch(() => undefined);
    const conflict = second.getByRole("alert").filter({ hasText: "changed on the disk" });
    await conflict.getByText("# From the first tab").waitFor();
    await conflict.getByText("# From the second tab").waitFor();
    expect(readFileSync(path, "utf8")).toBe("# From the first tab\n");
    await lookAt(second, "text-editor-conflict");
    // The text of the second tab also survives a reload.
    second.on("dialog", () => expect.unreachable("the browser asked"));
    await second.reload();
    await conflict.getByText("# From the second tab").waitFor();
    await conflict.getByRole("button", { name: "Save mine over it" }).click();
    await second.getByText("Saved refunds.md").waitFor();
    expect(readFileSync(path, "utf8")).toBe("# From the second tab\n");
    await first.bringToFront();
    await first.evaluate(() => dispatchEvent(new Event("focus")));
    const shown = () => first.getByRole("textbox", { name: /Text of refunds/ }).inputValue();
    await expect.poll(shown, PATIENT).toBe("# From the second tab\n");
  });

  it("text-editor: follows the disk, keeps what is typed, and says that the file was deleted", async () => {
    const world = await appletsWorld();
    const path = world.at("docs/refunds.md");
    const { page } = await world.web.visit(world.address("text-editor", { path }));
    const panel = page.getByRole("region", { name: "Text editor" });
    await panel.getByText("A refund is divided").waitFor();
    writeFileSync(path, "# Written by an agent\n");
    await panel.getByText("# Written by an agent").waitFor(PATIENT);
    await panel.getByRole("button", { name: "Edit", exact: true }).click();
    const field = panel.getByRole("textbox", { name: /Text of refunds/ });
    // Nothing is typed yet, or nothing is left of it.
    await field.fill("# Something\n");
    await field.fill("# Written by an agent\n");
    writeFileSync(path, "# Written again\n");
    await expect.poll(() => field.inputValue(), PATIENT).toBe("# Written again\n");
    await field.fill("# Mine\n");
    writeFileSync(path, "# Theirs\n");
    const conflict = panel.getByRole("alert").filter({ hasText: "changed on the disk" });
    await conflict.getByText("# Theirs").waitFor(PATIENT);
    await conflict.getByRole("button", { name: "Take the saved text" }).click();
    await panel.getByText("# Theirs").waitFor(PATIENT);
    rmSync(path);
    await panel.getByText("refunds.md was deleted").waitFor(PATIENT);
    await panel.getByText("# Theirs").waitFor();
    await panel.getByRole("button", { name: "Save as a new file" }).click();
    await expect.poll(() => existsSync(path), PATIENT).toBe(true);
    // Deleted while something is typed: the text also survives a reload, and is saved as a new file.
    await panel.getByRole("button", { name: "Edit", exact: true }).click();
    await field.fill("# Mine again\n");
    rmSync(path);
    await panel.getByText("refunds.md was deleted. This is your text").waitFor(PATIENT);
    await page.reload();
    await panel.getByText("refunds.md was deleted. This is your text").waitFor(PATIENT);
    await panel.getByRole("button", { name: "Save as a new file" }).click();
    await page.getByText("Saved refunds.md").waitFor();
    expect(readFileSync(path, "utf8")).toBe("# Mine again\n");
  });

  it("text-editor: of a large file the beginning is shown, more on demand, and a line far down at once", async () => {
    const world = await appletsWorld();
    const path = world.at("large.ts");
    const lines = Array.from({ length: 50_000 }, (_, at) => `export const name${at} = "a value ${at}";`);
    writeFileSync(path, `${lines.join("\n")}\n`);
    const { page } = await world.web.visit(world.address("text-editor", { path }));
    const view = page.locator(".editor-view");
    await view.locator(".hljs-keyword").first().waitFor();
    const shown = async () => (await view.locator("pre").textContent())?.length ?? 0;
    const first = await shown();
    expect(first).toBeGreaterThan(40_000);
    expect(first).toBeLessThanOrEqual(100_000);
    expect(await page.getByRole("button", { name: "Edit", exact: true }).count()).toBe(0);
    await view.getByRole("button", { name: /Show more lines/ }).click();
    await expect.poll(shown, PATIENT).toBeGreaterThan(first);
    expect(await shown()).toBeLessThanOrEqual(200_000);
    await page.goto(`${world.web.url}${world.address("text-editor", { path, line: "30001" })}`);
    await view.getByText("name30000").waitFor();
    expect(await view.locator("pre").evaluate((block) => block.scrollTop)).toBeGreaterThan(0);
    expect(await shown()).toBeLessThanOrEqual(100_000);
    const place = () => view.getByText("name30000").boundingBox();
    const before = await place();
    await view.getByRole("button", { name: /Show earlier lines/ }).click();
    await expect.poll(shown, PATIENT).toBeGreaterThan(100_000);
    expect(Math.abs(((await place())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(5);
  });

  it("text-editor: says what it cannot show or edit", async () => {
    const world = await appletsWorld();
    writeFileSync(world.at("logo.bin"), Buffer.from([0, 1, 2]));
    writeFileSync(world.at("mixed.txt"), "a\r\nb\n<script>document.title = 'ran'</script>");
    const { page } = await world.web.visit(world.address("text-editor", { path: world.at("logo.bin") }));
    await page.getByText("This file is not UTF-8 text").waitFor();
    await page.goto(`${world.web.url}${world.address("text-editor", { path: world.at("mixed.txt") })}`);
    await page.getByText(/Read-only: it has different line ends/).waitFor();
    await page.getByText("<script>document.title").waitFor();
    expect(await page.title()).not.toBe("ran");
    expect(await page.getByRole("button", { name: "Edit", exact: true }).count()).toBe(0);
    await page.goto(`${world.web.url}${world.address("text-editor", { path: "/etc/passwd" })}`);
    await page.getByText("This path is in no known project").waitFor();
    await page.goto(`${world.web.url}${world.address("text-editor", { path: world.at("gone.ts") })}`);
    await page.getByText(/gone\.ts does not exist/).waitFor();
  });

  it("git-diff: shows what changed, and opens a file from its list; back and forward work", async () => {
    const world = await appletsWorld();
    writeFileSync(world.at("new.ts"), "export {};\n");
    const { page, errors } = await world.web.visit(world.address("git-diff"));
    const panel = page.getByRole("region", { name: "Git diff" });
    await panel.getByText("1 file changed on main").waitFor();
    await panel.getByText("The total's tax is rounded once").waitFor();
    await panel.getByRole("button", { name: "Make the panel wide" }).click();
    await lookAt(page, "git-diff");
    writeFileSync(world.at("docs/refunds.md"), "# Written by an agent\n");
    await panel.getByText("2 files changed on main").waitFor(PATIENT);
    writeFileSync(world.at("docs/refunds.md"), FILES["docs/refunds.md"]);
    await panel.getByText("1 file changed on main").waitFor(PATIENT);
    await panel.getByLabel("Compare with").selectOption("staged");
    await panel.getByText("Nothing changed").waitFor();
    expect(new URL(page.url()).searchParams.get("against")).toBe("staged");
    await panel.getByLabel("Compare with").selectOption("HEAD");
    await panel.getByRole("link", { name: "new.ts" }).click();
    await page.getByRole("region", { name: "Text editor" }).getByText("export").waitFor();
    await page.goBack();
    await panel.getByText("1 file changed on main").waitFor();
    await page.goForward();
    await page.getByRole("region", { name: "Text editor" }).waitFor();
    expect(errors).toEqual([]);
  });

  it("search, rules and concept-graph are there, and a name that nobody has is explained", async () => {
    const world = await appletsWorld();
    const { page } = await world.web.visit(world.address("search", { q: "refund" }));
    await page
      .getByRole("region", { name: "Search" })
      .getByRole("region", { name: "Sessions" })
      .getByRole("link")
      .first()
      .waitFor();
    await lookAt(page, "search-applet");
    for (const [slug, title] of [
      ["rules", "Rules"],
      ["concept-graph", "Concept graph"],
    ] as const) {
      await page.goto(`${world.web.url}${world.address(slug)}`);
      await page.getByRole("region", { name: title, exact: true }).waitFor();
    }
    await page.goto(`${world.web.url}${world.address("burndown")}`);
    await page.getByText("There is no applet burndown").waitFor();
  });

  it("a session may be named by its id alone", async () => {
    const world = await appletsWorld();
    const { page } = await world.web.visit(`/?session=${world.session.id}&applet=git-diff`);
    await page.getByRole("region", { name: "Git diff" }).getByText("1 file changed on main").waitFor();
  });
});

describePage("the state of an applet", () => {
  it("is kept with its session when another applet is shown, and when the page is left", async () => {
    const world = await appletsWorld();
    const path = world.at("docs/refunds.md");
    const { page } = await world.web.visit(world.address("text-editor", { path, line: "2" }));
    // What only an address says is not kept: the person does something in it.
    await page.getByRole("region", { name: "Text editor" }).getByText("A refund is divided").click();
    await page.goto("about:blank");
    await expect
      .poll(() => world.sets()["applet"], PATIENT)
      .toEqual(["text-editor", `path=${path}`, "line=2"]);
    await page.goto(`${world.web.url}${world.address("git-diff", { against: "staged" })}`);
    await page.getByText("Nothing changed").click();
    await page.getByRole("button", { name: "Close Git diff" }).click();
    await expect.poll(() => world.sets()["applet"], PATIENT).toEqual(["git-diff", "against=staged"]);
    await page.getByRole("link", { name: "Restore" }).click();
    await page.getByText("Nothing changed").waitFor();
    expect(new URL(page.url()).searchParams.get("against")).toBe("staged");
    // When the session goes idle, while the applet stays open.
    await page.getByLabel("Compare with").selectOption("HEAD");
    await page.getByText("1 file changed on main").waitFor();
    world.writeState({ seenAt: new Date().toISOString() });
    await expect.poll(() => world.sets()["applet"], PATIENT).toEqual(["git-diff"]);
  });

  it("is kept while it stays open, without a word of the session or the browser", async () => {
    const world = await appletsWorld();
    const { page } = await world.web.visit(world.address("git-diff", { against: "staged" }));
    await page.getByText("Nothing changed").click();
    await expect.poll(() => world.sets()["applet"], PATIENT).toEqual(["git-diff", "against=staged"]);
  });

  it("is kept while it stays open also if the person begins to work in it late", async () => {
    const world = await appletsWorld();
    const { page } = await world.web.visit(world.page);
    await page.clock.install();
    await page.goto(`${world.web.url}${world.address("git-diff", { against: "staged" })}`);
    await page.getByText("Nothing changed").waitFor();
    await page.clock.fastForward(10_000); // only looked at until now
    await page.getByText("Nothing changed").click();
    await page.clock.fastForward(10_000);
    await expect.poll(() => world.sets()["applet"], PATIENT).toEqual(["git-diff", "against=staged"]);
  });

  it("is never written to another session, also if that one is shown when the request arrives", async () => {
    const world = await appletsWorld();
    const { page, context } = await world.web.visit(world.address("git-diff", { against: "staged" }));
    const { other } = world;
    // The request waits until the other session is shown. It may also be sent before, while the applet is open.
    const bodies: string[] = [];
    const { promise: waits, resolve: letGo } = Promise.withResolvers<void>();
    await context.route("**/api/sessions/**", async (route, request) => {
      if (request.method() === "PATCH") {
        bodies.push(`${new URL(request.url()).pathname} ${request.postData()}`);
        await waits;
      }
      await route.continue();
    });
    await page.getByText("Nothing changed").click();
    await page.evaluate((to) => {
      const link = document.createElement("a");
      link.href = to;
      document.querySelector("main")?.append(link);
      link.click();
    }, `/sessions/${other.host}/${other.id}`);
    await page.getByRole("heading", { name: other.name }).first().waitFor();
    letGo();
    await expect.poll(() => world.sets()["applet"], PATIENT).toEqual(["git-diff", "against=staged"]);
    expect(bodies).toEqual([
      `/api/sessions/${world.session.host}/${world.session.id} {"setContext":{"setName":"applet","items":["git-diff","against=staged"]}}`,
    ]);
    expect(world.sets(other)).toEqual({});
  });
});

describePage("a user's applet", () => {
  it("receives parameters, theme and its session's sets, and changes its parameters", async () => {
    const world = await appletsWorld(CLOCK);
    const { page, errors } = await world.web.visit(world.address("clock", { zone: "Europe/Berlin" }));
    const frame = page.frameLocator("iframe[title='World clock']");
    await expect.poll(() => frame.getByLabel("Zone").inputValue(), PATIENT).toBe("Europe/Berlin");
    await frame.getByText("3 pinned files").waitFor();
    await lookAt(page, "user-applet");
    await frame.getByLabel("Zone").fill("Asia/Tokyo");
    await frame.getByLabel("Zone").press("Tab");
    await expect.poll(() => new URL(page.url()).searchParams.get("zone"), PATIENT).toBe("Asia/Tokyo");
    world.change("set", "files", world.at("README.md"));
    await frame.getByText("1 pinned files").waitFor();
    expect(errors).toEqual([]);
  });

  it("cannot reach the API, the page, other sessions, storage or the network", async () => {
    const udp = createSocket("udp4");
    onTestFinished(() => void udp.close());
    let packets = 0;
    udp.on("message", () => packets++);
    await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
    const world = await appletsWorld(hostile(udp.address().port));
    const { page, context } = await world.web.visit(world.page);
    await page.getByRole("region", { name: "Session context" }).waitFor();
    // The browser reports requests that its policy stopped too. Answered ones, and failures for another reason, went out.
    const sent: string[] = [];
    const isOfFrame = (request: Request) => request.frame().parentFrame() !== null;
    context.on("requestfinished", (request) => {
      if (isOfFrame(request)) sent.push(request.url().replace(world.web.url, ""));
    });
    context.on("requestfailed", (request) => {
      const why = request.failure()?.errorText ?? "";
      if (isOfFrame(request) && !/csp/i.test(why))
        sent.push(`${request.url().replace(world.web.url, "")} ${why}`);
    });
    const pages = context.pages().length;
    await page.goto(`${world.web.url}${world.address("hostile")}`);
    const frame = page.frameLocator("iframe[title='Hostile']");
    await expect.poll(() => frame.locator("#ran").textContent(), PATIENT).toContain("heard");
    const told = JSON.parse((await frame.locator("#ran").textContent()) ?? "{}") as Record<string, string>;
    expect(told["origin"]).toBe("null");
    for (const name of [
      "cookie",
      "setCookie",
      "localStorage",
      "sessionStorage",
      "parentDocument",
      "parentStorage",
      "topLocation",
      "topHref",
      "fetchApi",
      "fetchFile",
      "fetchElsewhere",
      "fetchOwn",
      "importElsewhere",
      "innerWindow",
      "clipboard",
      "worker",
      "eval",
    ])
      expect([name, told[name]]).toEqual([name, expect.stringMatching(/^refused/)]);
    for (const name of ["open", "openOwn"]) expect([name, told[name]]).toEqual([name, "null"]);
    expect([told["webRtc"], told["inline"], told["innerFrame"]]).toEqual([
      "refused: ReferenceError",
      "not run",
      "no WebRTC",
    ]);
    expect(packets).toBe(0);
    expect(JSON.parse(told["session"] ?? "{}")).toEqual(world.session);
    // Nothing but its own files was asked for, in its own folder.
    expect(sent.filter((url) => !/^\/applets\/hostile\/[\w-]{32}\//.test(url))).toEqual([]);
    expect(sent.length).toBeGreaterThan(2);
    expect(context.pages().length).toBe(pages);
    const address = new URL(page.url());
    expect([
      address.pathname,
      address.searchParams.get("applet"),
      address.searchParams.get("session"),
    ]).toEqual(["/", "hostile", `${world.session.host}/${world.session.id}`]);
  });

  it("is stopped when it floods the page with messages; the page goes on", async () => {
    const world = await appletsWorld(FLOOD);
    const { page } = await world.web.visit(world.address("flood"));
    await page.getByText("This applet sent too many messages and was stopped").waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
    await page.getByRole("button", { name: "Close Flood" }).click();
    await page.getByRole("region", { name: "Session context" }).waitFor();
    expect(Number(new URL(page.url()).searchParams.get("n") ?? 0)).toBeLessThan(30);
  });

  it("that never ends leaves the page usable in a browser that gives such frames a process of their own", async () => {
    const world = await appletsWorld(LOOP);
    const own = await isolatingBrowser();
    if (own === undefined) return; // this machine's browser is not one that can be told to
    onTestFinished(() => own.close());
    const page = await own.newPage();
    await page.goto(world.web.server.link(world.address("loop")), { waitUntil: "commit" });
    await page.locator("iframe[title=Loop]").waitFor();
    await page.getByRole("button", { name: "Close Loop" }).click();
    await page.getByRole("link", { name: "Restore" }).waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
  });
});

/** Chrome on a desktop does this by default; the browser of the tests is made for small machines. */
async function isolatingBrowser(): Promise<Browser | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const { default: packed } = await import("@sparticuz/chromium");
  return chromium.launch({
    executablePath: await packed.executablePath(),
    args: ["--no-sandbox", "--site-per-process", "--enable-features=IsolateSandboxedIframes"],
    headless: true,
  });
}
