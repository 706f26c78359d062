import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { chromium, type Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { browser, describePage, type OpenWeb, openWeb, pressBoth } from "../../support/browser.ts";
import { ask } from "../../support/raw-http.ts";
import { webWorld } from "../../support/web.ts";
import { temporaryWorld } from "../../support/world.ts";

/** The page tries again every ten seconds in the end. */
const RETRIES = { timeout: 60_000 };
const STORED = "sessionStorage.getItem('continuo.page')";

/** A whole browser: the one that npm brings never shows a page from its memory. */
const WHOLE = [process.env["CONTINUO_TEST_CHROMIUM"] ?? "", "/usr/bin/chromium", "/usr/bin/google-chrome"];
const whole = WHOLE.find((path) => existsSync(path));

async function keepingBrowser() {
  const ignoreDefaultArgs = ["--disable-back-forward-cache"];
  const args = ["--no-sandbox"];
  const own = await chromium.launch({ executablePath: whole ?? "", headless: true, args, ignoreDefaultArgs });
  onTestFinished(() => own.close());
  return own;
}

/** Something else that listens on the port of a server that ended, and what it was asked. */
async function squat(port: number, page: string) {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => {
      body += String(piece);
    });
    request.on("end", () => {
      heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`);
      const isPage = (request.headers.accept ?? "").includes("text/html");
      response.writeHead(200, { "content-type": isPage ? "text/html" : "application/json" });
      response.end(isPage ? page : '{"proof":"made up"}');
    });
  });
  const end = async () => {
    const ended = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await ended;
  };
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(end);
  return { heard, end };
}

/** Everything that a page of this address can read. */
async function readable(page: Page): Promise<string> {
  const stored =
    "JSON.stringify([Object.values(sessionStorage), Object.values(localStorage), document.cookie])";
  return String(await page.evaluate(stored));
}

/** A request that is on its way when the server ends may still reach what takes the port then: none is. */
async function isLoaded(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Welcome to Continuo" }).waitFor();
  let before = -1;
  const isQuiet = async () => {
    const now = Number(await page.evaluate("performance.getEntriesByType('resource').length"));
    const same = now === before;
    before = now;
    return same;
  };
  await expect.poll(isQuiet, { interval: 1_500, timeout: 60_000 }).toBe(true);
}

/** How a server answers each key in the texts, as a program would try it with a cookie that is valid. */
async function answers(web: OpenWeb, texts: string): Promise<Set<number>> {
  const { port } = web.server;
  const found = texts.match(/[\w-]{43}/g) ?? [];
  const tried = found.flatMap((key) =>
    ["/api/passes", "/api/overview"].map((path) => {
      const headers = { host: `127.0.0.1:${port}`, cookie: web.cookie, "x-continuo-page": key };
      return ask(port, path, { headers });
    }),
  );
  return new Set((await Promise.all(tried)).map(({ status }) => status));
}

describePage("a page whose server ended", () => {
  it("tells its key to nobody who has taken the port, and goes on once the real server is back", async () => {
    const place = temporaryWorld();
    const first = await openWeb(webWorld(place));
    const { page } = await first.visit();
    await isLoaded(page);
    const stored = String(await page.evaluate(STORED));
    expect(stored).toMatch(/^[\w-]{43}\.[\w-]{43}$/);
    const { port } = first.server;
    await first.close();
    const squatter = await squat(port, "");
    await expect.poll(() => squatter.heard.length, { timeout: 20_000 }).toBeGreaterThan(1);
    await pressBoth(page, "g", "i");
    await page.waitForURL("**/inbox");
    expect(squatter.heard.filter((one) => !one.startsWith("POST /api/again "))).toEqual([]);
    await squatter.end();
    const next = await openWeb(webWorld(place), { port });
    await page.getByText("Connected again").waitFor(RETRIES);
    // It has a new key, which a reload uses; the old one is worth nothing.
    await expect.poll(() => page.evaluate(STORED)).not.toBe(stored);
    expect(await answers(next, stored)).toEqual(new Set([401]));
    await page.reload();
    await page.getByRole("navigation").waitFor();
    await page
      .getByText("Nothing has been suggested yet")
      .or(page.getByText("Suggestions"))
      .first()
      .waitFor();
  });

  it("asks for a proof when a request got no answer, although the event stream did not break", async () => {
    const { page } = await (await openWeb(webWorld(temporaryWorld()))).visit();
    await isLoaded(page);
    const asked: string[] = [];
    let isBroken = false;
    page.on("request", (request) => {
      if (isBroken) asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    await page.route("**/api/inbox*", (route) => {
      if (isBroken) return route.continue();
      isBroken = true;
      return route.abort("connectionreset");
    });
    await pressBoth(page, "g", "i");
    // The view loads again by itself.
    await expect.poll(() => asked, RETRIES).toContain("GET /api/inbox");
    expect(asked.find((one) => one.includes(" /api/"))).toBe("POST /api/again");
  });

  it.for(["from its memory", "from its cache of files"])(
    "asks for a proof before it sends anything when the browser shows it again with Back, %s",
    async (from, { skip }) => {
      const isKept = from === "from its memory";
      if (isKept && whole === undefined) return skip("no whole browser here; see CONTINUO_TEST_CHROMIUM");
      const place = temporaryWorld();
      const first = await openWeb(webWorld(place));
      const context = await (isKept ? await keepingBrowser() : await browser()).newContext();
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(first.server.link("/inbox"));
      await page.getByRole("navigation", { name: "Places" }).waitFor();
      await page.evaluate("window.isSame = true");
      await page.goto("about:blank");
      const { port } = first.server;
      await first.close();
      const squatter = await squat(port, "<title>not yours</title>");
      await page.goBack({ waitUntil: "commit" });
      await page.getByRole("navigation", { name: "Places" }).waitFor();
      const isSame = await page.evaluate("window.isSame === true");
      if (isKept && isSame !== true) return skip("the browser did not keep the page: it decides by itself");
      expect(isSame).toBe(isKept);
      await expect.poll(() => squatter.heard.length, { timeout: 20_000 }).toBeGreaterThan(0);
      await page.evaluate("document.querySelector('nav a[href=\"/memory\"]').click()");
      await expect.poll(() => page.evaluate("location.pathname")).toBe("/memory");
      const asked = squatter.heard.filter((one) => one.includes(" /api/"));
      expect(asked.filter((one) => !one.startsWith("POST /api/again "))).toEqual([]);
      await squatter.end();
      await openWeb(webWorld(place), { port });
      // Only what is in memory lets a page in at the next server.
      await page.getByText(isKept ? "Connected again" : "This page has no access any more").waitFor(RETRIES);
    },
  );

  it("asks for a proof again when the browser says that it shows a page that was left", async () => {
    const web = await openWeb(webWorld(temporaryWorld()));
    const { page } = await web.visit("/inbox");
    await page.getByRole("navigation", { name: "Places" }).waitFor();
    const next = page.waitForRequest((request) => request.url().includes("/api/"));
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    expect(new URL((await next).url()).pathname).toBe("/api/again");
    const seen = page.waitForResponse((answer) => answer.url().includes("/api/inbox"));
    expect((await seen).status()).toBe(200);
  });

  it("leaves nothing to a page that is opened there instead: what it can read opens no later server", async () => {
    const place = temporaryWorld();
    const first = await openWeb(webWorld(place));
    const { page } = await first.visit("/inbox");
    await page.getByRole("navigation", { name: "Places" }).waitFor();
    const { port } = first.server;
    await first.close();
    const squatter = await squat(port, "<title>not yours</title>");
    await page.goto(`http://127.0.0.1:${port}/sessions`);
    expect(await page.title()).toBe("not yours");
    const found = await readable(page);
    expect(found).toMatch(/[\w-]{43}/); // the key of the server that ended
    await squatter.end();
    const next = await openWeb(webWorld(place));
    expect(await answers(next, `${found} ${squatter.heard.join(" ")}`)).toEqual(new Set([401]));
  });
});
