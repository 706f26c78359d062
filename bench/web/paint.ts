import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packed from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";
import { homeAt } from "../../src/store/home.ts";
import { fillIndex } from "../../test/support/many-sessions.ts";
import { machine, printTable, quantiles } from "../measure.ts";

const CONTINUO = join(import.meta.dirname, "..", "..", "dist", "continuo.cjs");
const SESSIONS = Number(process.env["SESSIONS"] ?? 10_000);
const ROUNDS = Number(process.env["ROUNDS"] ?? 10);

/** The list of sessions in a real browser: first paint, first row, and frames while it is scrolled from end to end. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "continuo-bench-"));
  const env = { CONTINUO_HOME: join(folder, "home"), HOME: folder, PATH: process.env["PATH"] ?? "" };
  fillIndex({ home: homeAt(env.CONTINUO_HOME) }, SESSIONS, Date.now());
  const server = spawn(process.execPath, [CONTINUO, "web", "--json", "--no-open"], {
    env,
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const browser = await chromium.launch({ executablePath: await packed.executablePath(), args: packed.args });
  try {
    const printed = await new Promise<Buffer>((resolve) => server.stdout.once("data", resolve));
    const { url } = JSON.parse(String(printed)).data;
    console.log(`Machine: ${machine()}. ${SESSIONS} sessions, ${ROUNDS} rounds.\n`);
    await measure(browser, url);
  } finally {
    await browser.close();
    server.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function measure(browser: Browser, link: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(link);
  await page.getByRole("navigation").first().waitFor();
  const { origin } = new URL(page.url());
  const paints: number[] = [];
  const rows: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(`${origin}/sessions`);
    await page.locator(".session-row:not(.session-row-coming)").first().waitFor();
    rows.push(Number(await page.evaluate("performance.now()")));
    paints.push(
      Number(
        await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"),
      ),
    );
  }
  const frames = (await page.evaluate(SCROLL)) as number[];
  const row = (name: string, sample: readonly number[]): string[] => [
    name,
    ...quantiles(sample, [0.5, 0.95, 1]).map((ms) => ms.toFixed(1)),
  ];
  printTable(
    ["ms", "median", "95%", "most"],
    [row("first paint", paints), row("first rows", rows), row("a frame while scrolling", frames)],
  );
}

/** Two hundred steps through the whole list, one a frame. */
const SCROLL = `new Promise((resolve) => {
  const list = document.querySelector(".sessions-scroll");
  const frames = [];
  let last = performance.now();
  let step = 0;
  const next = (now) => {
    frames.push(now - last);
    last = now;
    list.scrollTop = (list.scrollHeight * ++step) / 200;
    if (step < 200) requestAnimationFrame(next);
    else resolve(frames.slice(1));
  };
  requestAnimationFrame(next);
})`;
