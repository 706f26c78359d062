import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeModule from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page, type Request } from "playwright-core";
import { afterAll, describe, expect, onTestFinished } from "vitest";
import type { WebWorld } from "../../src/web/server/web.ts";
import { ROOT } from "./child.ts";
import { lock } from "./packages.ts";
import { type RunningTestWeb, startTestWeb } from "./web.ts";

/** Browsers that a machine may have, if npm's does not run on it. */
const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];
const QUIET = [
  "--disable-background-networking",
  "--disable-component-update",
  "--no-first-run",
  "--disable-quic",
];

/** The package turns off what keeps pages apart, which nobody's browser does. */
const UNSAFE = [
  "--disable-web-security",
  "--allow-running-insecure-content",
  "--disable-site-isolation-trials",
];

let shared: Promise<Browser> | undefined;

/** One browser for all tests of a file. Throws with the reason if this machine has none. */
export function browser(): Promise<Browser> {
  shared ??= launch();
  return shared;
}

afterAll(async () => {
  const running = await shared?.catch(() => undefined);
  shared = undefined;
  await running?.close();
});

async function launch(): Promise<Browser> {
  if (process.platform === "linux" && process.arch === "x64") {
    const { default: packed } = await import("@sparticuz/chromium");
    // Unpacked by one process at a time: another would run a file that is still written.
    const release = await lock(join(tmpdir(), "chromium.lock"));
    const executablePath = await packed.executablePath().finally(release);
    // In one process the whole browser ends with its first context.
    const args = [
      ...packed.args.filter((arg) => arg !== "--single-process" && !UNSAFE.includes(arg)),
      ...QUIET,
    ];
    return chromium.launch({ executablePath, args, headless: true });
  }
  const executablePath = INSTALLED.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error("no Chromium on this machine");
  return chromium.launch({ executablePath, args: QUIET, headless: true });
}

/** Why browser tests are skipped here; undefined if they run. */
export async function missingBrowser(): Promise<string | undefined> {
  try {
    await browser();
    return undefined;
  } catch (error) {
    if (process.env["CI"] !== undefined) throw error; // CI has one
    return `no browser: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const missing = await missingBrowser();

/** What browsers show; skipped with the reason where there is none. */
export function describePage(name: string, tests: () => void): void {
  describe.skipIf(missing !== undefined)(missing === undefined ? name : `${name} (${missing})`, tests);
}

export type Theme = "light" | "dark";

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page logged as an error or threw. */
  readonly errors: readonly string[];
  /** Requests to anything but the page's own server. There must be none. */
  readonly strangers: readonly string[];
}

export interface VisitOptions {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: boolean;
}

/** A person's browser at an address with a token, or any address of the server in a context that was let in before. */
export async function visit(url: string, options: VisitOptions = {}): Promise<Visit> {
  const { theme = "light", width = 1440, height = 900, reducedMotion = true } = options;
  const context = await (await browser()).newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: reducedMotion ? "reduce" : "no-preference",
    locale: "en-GB",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  onTestFinished(() => context.close());
  const errors: string[] = [];
  const strangers: string[] = [];
  const { origin } = new URL(url);
  context.on("request", (request: Request) => {
    if (!request.url().startsWith(`${origin}/`) && !/^(data|blob|about):/.test(request.url())) {
      strangers.push(request.url());
    }
  });
  context.on("weberror", (error) => errors.push(String(error.error())));
  context.on("console", (message) => {
    if (message.type() !== "error") return;
    const { url } = message.location();
    errors.push(message.text().startsWith("Failed to load") ? `${message.text()}: ${url}` : message.text());
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(url);
  await page.waitForURL(({ pathname }) => !pathname.startsWith("/enter/"));
  await page.locator("#content").first().waitFor();
  return { page, context, errors, strangers };
}

/** Two keys of which the second counts only soon after the first, as `g s`: both are sent before the page has answered one. */
export async function pressBoth(page: Page, first: string, second: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
}

/** What axe finds serious or critical on the page as it is now. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(AxeModule.source);
  const found: readonly Violation[] = await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ impact, id, nodes }) => {
      const where = nodes.map(({ target, html }) => `${target.join(" ")} ${html.slice(0, 160)}`);
      return `${impact}: ${id}: ${where.join(" | ")}`;
    });
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly html: string }[];
}

const WIDTHS = [1440, 1024, 390] as const;

/**
 * Looks at a view as people do: in both themes and three widths. Keeps screenshots in `test/screenshots/` and expects no
 * serious finding of axe.
 */
export async function lookAt(page: Page, name: string): Promise<void> {
  const folder = join(ROOT, "test", "screenshots");
  mkdirSync(folder, { recursive: true });
  const before = page.viewportSize() ?? { width: 1440, height: 900 };
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) });
    }
    // What is narrow scrolls, and has to do so without a mouse.
    expect(await seriousFindings(page), `${name} in ${theme} at 390 pixels`).toEqual([]);
    await page.setViewportSize(before);
    expect(await seriousFindings(page), `${name} in ${theme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

export interface OpenWeb extends RunningTestWeb {
  /** A browser that signs in with a new link and goes on to this address of the page. */
  visit(path?: string, options?: VisitOptions): Promise<Visit>;
}

/** The real server for this world, and browsers that look at it. */
export async function openWeb(world: WebWorld, options?: { readonly port?: number }): Promise<OpenWeb> {
  const running = await startTestWeb(world, options);
  return { ...running, visit: (path = "/", how = {}) => visit(running.server.link(path), how) };
}
