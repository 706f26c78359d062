// Takes the pictures of the README: node scripts/screenshots.ts. With a folder as argument it takes one of every place, or of those
// that are named after it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { registries } from "../src/entries/registries.ts";
import { AREAS } from "../src/web/server/areas.ts";
import { createWeb } from "../src/web/server/create-web.ts";
import { startServer } from "../src/web/server/server.ts";
import { ROOT } from "../test/support/child.ts";
import { demoWorld } from "../test/support/demo/world.ts";

const [, , all, ...names] = process.argv;
const out = all === undefined ? join(ROOT, "docs", "images") : resolve(all);
mkdirSync(out, { recursive: true });
const folder = realpathSync(mkdtempSync(join(tmpdir(), "continuo-demo-")));
const { env, root, session } = await demoWorld(folder, Date.now());
const web = createWeb({ ...registries, env, cwd: root, now: Date.now, packageRoot: ROOT });
const server = await startServer(web, { port: 0, areas: AREAS });
const { default: packed } = await import("@sparticuz/chromium");
const browser = await chromium.launch({
  executablePath: await packed.executablePath(),
  args: packed.args.filter((arg) => arg !== "--single-process"),
});

const one = `/sessions/${session.host}/${session.id}`;
const README = { conversation: one, given: `${one}?tab=given` };
const EVERY = {
  ...README,
  home: "/",
  sessions: "/sessions",
  search: "/sessions?q=rounding%20of%20refunds",
  record: `${one}?tab=record`,
  editor: `${one}?applet=text-editor&path=${encodeURIComponent(join(root, "src/tax/lines.ts"))}`,
  diff: `/?session=${session.id}&applet=git-diff&path=${encodeURIComponent(root)}`,
  chat: "/chat",
  memory: "/memory",
  edit: `/memory/${encodeURIComponent("memory://refunds")}?edit=true`,
  note: `/memory/${encodeURIComponent("memory://refunds")}`,
  graph: "/graph",
  rules: "/rules",
  inbox: "/inbox",
  days: "/given",
  connect: "/connect",
};

const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 });
const page = await context.newPage();
await page.goto(server.link("/"));
await page.waitForURL(({ pathname }) => !pathname.startsWith("/enter/"));
// With an agent connected the first page shows what is going on.
await page.waitForFunction(() => sessionStorage.getItem("continuo.page") !== null);
await page.evaluate(async () => {
  const key = sessionStorage.getItem("continuo.page")?.split(".")[0] ?? "";
  const ask = async (path: string, body: object) => {
    const headers = { "content-type": "application/json", "x-continuo-page": key };
    return (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  };
  const { plan } = await ask("/api/connect/claude-code/preview", { action: "connect" });
  await ask("/api/connect/claude-code/apply", { action: "connect", plan });
});
const places = Object.entries(all === undefined ? README : EVERY);
for (const [name, path] of places.filter(([one]) => names.length === 0 || names.includes(one))) {
  for (const theme of all === undefined ? (["light"] as const) : (["light", "dark"] as const)) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    for (const width of all === undefined ? [1440] : [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      await page.goto(`${server.origin}${path}`);
      await page.locator("#content").first().waitFor();
      await page.waitForLoadState("load");
      await page.waitForTimeout(700);
      const suffix = all === undefined ? "" : `-${theme}-${width}`;
      await page.screenshot({ path: join(out, `${name}${suffix}.png`) });
    }
  }
}
await browser.close();
await server.close();
await web.close();
rmSync(folder, { recursive: true, force: true });
