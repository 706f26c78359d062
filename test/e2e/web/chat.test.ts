import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import type { WebWorld } from "../../../src/web/server/web.ts";
import { startFakeAnthropic } from "../../fakes/anthropic.ts";
import type { ChatRequest, FakeOpenAI, Reply } from "../../fakes/openai.ts";
import { startFakeOpenAI } from "../../fakes/openai.ts";
import { countOccurrences, requestText } from "../../fakes/openai-requests.ts";
import { lookAt, missingBrowser, type OpenWeb, openWeb, type Visit } from "../../support/browser.ts";
import { installSdk, slowAnswer } from "../../support/chat.ts";
import { sdkFolder } from "../../support/copilot-sdk.ts";
import { orSkipReason } from "../../support/packages.ts";
import { runtimesOf } from "../../support/runtime-processes.ts";
import { json, webWorld } from "../../support/web.ts";
import { temporaryWorld, write } from "../../support/world.ts";

const found = await orSkipReason(sdkFolder());
const missing = (typeof found === "object" ? found.skip : undefined) ?? (await missingBrowser());

const KEY = "sk-Very-Secret-Key-0123456789abcdef";
const TIMEOUT_MS = 90_000;

interface World {
  readonly root: string;
  readonly home: string;
  readonly user: string;
  readonly world: WebWorld;
  readonly server: FakeOpenAI;
  readonly web: OpenWeb;
  /** What the model does for the next requests. */
  script(...replies: readonly Reply[]): void;
  provider(more?: object): Promise<Response>;
}

async function world(
  options: { isInstalled?: boolean; files?: Record<string, string>; env?: Record<string, string> } = {},
): Promise<World> {
  const place = temporaryWorld({
    ".continuo/rules/always.md": "MARK-ALWAYS: plain sentences.",
    ...options.files,
  });
  // The machine may be busy: nothing may depend on how fast sources answer.
  write(place.home.root, { "config.json": '{ "sourceDeadlineMs": 20000, "momentDeadlineMs": 30000 }' });
  if (options.isInstalled !== false) await installSdk(place.home);
  let queue: Reply[] = [];
  const server = await startFakeOpenAI(() => queue.shift() ?? { text: "done" });
  onTestFinished(() => server.close());
  const known = webWorld({ ...place, env: { ...place.env, ...options.env } });
  const web = await openWeb(known);
  const at: World = {
    root: place.root,
    home: place.home.root,
    user: place.env["HOME"] ?? "",
    world: known,
    server,
    web,
    script: (...replies) => {
      queue = [...replies];
    },
    provider: (more = {}) =>
      web.fetch(
        "/api/chats/provider",
        json("PUT", {
          ...{
            type: "openai",
            baseUrl: server.url,
            model: "fake-1",
            wireApi: "completions",
            keyEnv: "",
            key: KEY,
          },
          ...more,
        }),
      ),
  };
  return at;
}

const use = (name: string, input: Record<string, unknown>): Reply => ({ toolUses: [{ name, input }] });
const last = ({ server }: World): ChatRequest => {
  const request = server.requests.at(-1);
  if (request === undefined) throw new Error("the model was not asked");
  return request;
};
const say = async (page: Page, text: string, label = "Message"): Promise<void> => {
  await page.getByRole("textbox", { name: label, exact: true }).fill(text);
  await page.keyboard.press("Enter");
};
const answered = (page: Page, text: string) =>
  page.getByLabel("Agent").filter({ hasText: text }).last().waitFor();
const idle = (page: Page) => page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });

/** Starts a chat in the page and waits for the first answer. */
async function begin(at: World, text = "hello", provider: object = {}): Promise<Visit> {
  await at.provider(provider);
  const visit = await at.web.visit("/chat");
  await say(visit.page, text, "First message");
  await visit.page.waitForURL(/\/sessions\/copilot\//);
  return visit;
}

describe.skipIf(missing !== undefined)(
  `chat with the real Copilot SDK${missing ? ` (${missing})` : ""}`,
  () => {
    it("says how to install it, notices when it is there, and sets up a provider", {
      timeout: TIMEOUT_MS,
    }, async () => {
      const at = await world({ isInstalled: false });
      const { page, errors, strangers } = await at.web.visit("/chat");
      await page.getByText("npm install --ignore-scripts").waitFor();
      await lookAt(page, "chat-install");
      await installSdk({ root: at.home } as Parameters<typeof installSdk>[0]);
      // The page may have noticed by itself already.
      const look = page.getByRole("button", { name: "Look again" });
      await look.click({ timeout: 3000 }).catch(() => look.waitFor({ state: "detached" }));
      await page.getByText("npm install --ignore-scripts").waitFor({ state: "hidden" });
      await page.getByLabel("OpenAI-compatible endpoint").check();
      await page.getByLabel("Address").fill(at.server.url);
      await page.getByLabel("Model", { exact: true }).fill("fake-1");
      await page.getByLabel("Environment variable with the key").fill("");
      await page.getByLabel("Or the key itself").fill(KEY);
      await lookAt(page, "chat-provider");
      expect(at.server.requests).toHaveLength(0);
      await page.getByRole("button", { name: "Save and test" }).click();
      await page.getByLabel("First message").waitFor();
      expect(at.server.requests).toHaveLength(1);
      expect(at.server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
      await lookAt(page, "chat-start");
      expect([errors, strangers]).toEqual([[], []]);
    });

    it("starts, streams Markdown, and shows it in a second tab without loss or doubling", {
      timeout: TIMEOUT_MS,
    }, async () => {
      const at = await world();
      const answer = slowAnswer();
      at.script(answer);
      const { page, context, errors, strangers } = await begin(at, "explain <b>this</b>");
      await answer.asked;
      answer.say("First **bold**");
      await page.locator(".said-assistant strong", { hasText: "bold" }).waitFor();
      const second = await context.newPage();
      await second.goto(page.url());
      await second.locator(".said-assistant strong", { hasText: "bold" }).waitFor();
      answer.say(" and <script>window.hacked = 1</script><img src=https://example.com/x.png> `code`.");
      answer.end();
      for (const tab of [page, second]) {
        await tab.locator(".said-assistant code", { hasText: "code" }).waitFor();
        await idle(tab);
        await expect.poll(() => tab.locator(".said-assistant").count()).toBe(1);
        await expect.poll(() => tab.locator(".said-assistant strong").count()).toBe(1);
        expect(await tab.evaluate("window.hacked")).toBeUndefined();
      }
      await page.getByText("1 model call").waitFor();
      expect(countOccurrences(last(at), "MARK-ALWAYS")).toBe(1);
      await lookAt(page, "chat-answer");

      // Both tabs send at once: each message arrives once.
      at.script({ text: "answer one" }, { text: "answer two" });
      await Promise.all([say(page, "from the first tab"), say(second, "from the second tab")]);
      for (const tab of [page, second]) {
        await answered(tab, "answer two");
        await expect.poll(() => tab.getByLabel("You").count()).toBe(3);
      }
      expect(countOccurrences(last(at), "from the first tab")).toBe(1);
      expect(countOccurrences(last(at), "from the second tab")).toBe(1);
      expect([errors, strangers]).toEqual([[], []]);
    });

    it("asks before tools: allowed, denied with a reason, and for the session", {
      timeout: TIMEOUT_MS,
    }, async () => {
      const at = await world();
      const bash = (command: string) => use("bash", { command, description: "try it" });
      at.script(bash("echo hi > made.txt"), { text: "made it" });
      const { page } = await begin(at);
      const card = page.getByRole("region", { name: "Permission" });
      await card.getByText("echo hi > made.txt").waitFor();
      expect(existsSync(join(at.root, "made.txt"))).toBe(false);
      await lookAt(page, "chat-permission");
      await card.getByRole("button", { name: "Allow once" }).click();
      await answered(page, "made it");
      expect(readFileSync(join(at.root, "made.txt"), "utf8")).toBe("hi\n");

      at.script(bash("rm made.txt"), { text: "as you wish" });
      await say(page, "remove it");
      await card.getByText("rm made.txt").waitFor();
      await card.getByRole("button", { name: "Deny" }).click();
      await page.getByLabel("Reason, for the agent").fill("keep MARK-WHY");
      await page.keyboard.press("Enter");
      await answered(page, "as you wish");
      expect(existsSync(join(at.root, "made.txt"))).toBe(true);
      expect(requestText(last(at))).toContain("keep MARK-WHY");

      writeFileSync(join(at.root, "a.ts"), "old\n");
      const edit = (from: string, to: string) =>
        use("edit", { path: join(at.root, "a.ts"), old_str: from, new_str: to });
      at.script(edit("old", "new"), edit("new", "newer"), { text: "edited" });
      await say(page, "edit it");
      await card.getByText("+new").waitFor();
      await lookAt(page, "chat-diff");
      await card.getByRole("button", { name: /all edits in this project/ }).click();
      await answered(page, "edited");
      expect(readFileSync(join(at.root, "a.ts"), "utf8")).toBe("newer\n");

      // Outside the project the same kind must be asked for again.
      at.script(use("create", { path: join(at.root, "../outside.ts"), file_text: "x" }), { text: "ok" });
      await say(page, "write outside");
      await card.getByText("outside.ts").first().waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await idle(page);
      expect(existsSync(join(at.root, "../outside.ts"))).toBe(false);
    });

    it("stops before the first word, in an answer, in a tool and while it asks", {
      timeout: TIMEOUT_MS,
    }, async () => {
      const at = await world();
      const hang = slowAnswer();
      at.script(hang);
      const { page } = await begin(at);
      await hang.asked;
      await page.getByRole("button", { name: "Stop" }).click();
      await idle(page);

      const half = slowAnswer();
      at.script(half);
      await say(page, "again");
      await half.asked;
      half.say("half of it");
      await answered(page, "half of it");
      await say(page, "and then this");
      await page.getByText("Next and then this").waitFor();
      await page.keyboard.press("Escape");
      await idle(page);
      await answered(page, "half of it");
      // What waited was not sent, and is not lost.
      const field = page.getByRole("textbox", { name: "Message" });
      await expect.poll(() => field.inputValue()).toBe("and then this");

      at.script(use("bash", { command: "sleep 60", description: "wait" }));
      await field.press("Enter");
      const card = page.getByRole("region", { name: "Permission" });
      await card.getByText("sleep 60").waitFor();
      // The keys act a moment after the card has appeared.
      await card.locator("button:enabled", { hasText: "Allow once" }).waitFor();
      await page.keyboard.press("y");
      await card.waitFor({ state: "hidden" });
      await page.getByRole("button", { name: "Stop" }).click();
      await idle(page);

      at.script(use("bash", { command: "sleep 61", description: "wait" }));
      await say(page, "once more");
      await card.getByText("sleep 61").waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await idle(page);
      await card.waitFor({ state: "hidden" });

      at.script({ text: "still here" });
      await say(page, "are you there?");
      await answered(page, "still here");
      expect(await page.getByText("Stopped.").count()).toBe(4);
    });

    it("resumes in the page with card and resume context, after the server was restarted", {
      timeout: TIMEOUT_MS,
    }, async () => {
      const at = await world({ env: { MY_KEY: KEY } });
      at.script(use("set_relevant_context", { setName: "ports", items: ["4173"] }), { text: "remembered" });
      const { page } = await begin(at, "remember the port", { key: undefined, keyEnv: "MY_KEY" });
      await answered(page, "remembered");
      await idle(page);
      const before = last(at).body.messages.map((message) => JSON.stringify(message.content));
      const id = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");

      // The page stays open while its server goes away and comes back.
      const { port } = new URL(at.web.url);
      await at.web.close();
      await page.getByText("Disconnected from Continuo's server").waitFor();
      await answered(page, "remembered");
      const again = await openWeb(at.world, { port: Number(port) });
      const tab = await again.visit(`/sessions/copilot/${id}`);
      await tab.page.getByRole("button", { name: "Continue here" }).click();
      await tab.page.getByText("Resumed here.").waitFor();
      await answered(tab.page, "remembered");
      expect(at.server.requests).toHaveLength(2);
      await lookAt(tab.page, "chat-resumed");
      at.script({ text: "going on" });
      await say(tab.page, "go on");
      await answered(tab.page, "going on");
      const request = last(at);
      const said = request.body.messages.findLast(({ role }) => role === "user");
      expect(JSON.stringify(said)).toContain("4173");
      expect(countOccurrences(request, "MARK-ALWAYS")).toBe(1);
      const after = request.body.messages.map((message) => JSON.stringify(message.content));
      expect(after.slice(1, before.length)).toEqual(before.slice(1));
    });

    it("completes past sessions after @@ and gives them to the model", { timeout: TIMEOUT_MS }, async () => {
      const at = await world();
      at.script({ text: "The invoices are rounded down." });
      const { page } = await begin(at, "Why are invoices rounded wrong?");
      await answered(page, "rounded down");
      await idle(page);
      await page.goto(`${at.web.url}/chat`);
      const field = page.getByRole("textbox", { name: "First message" });
      await field.pressSequentially("Go on with @@inv");
      const option = page
        .getByRole("listbox", { name: "Past sessions" })
        .getByRole("option", { selected: true });
      await option.waitFor();
      await lookAt(page, "chat-completion");
      expect(await field.getAttribute("aria-activedescendant")).toBe(await option.getAttribute("id"));
      await field.press("Enter");
      await option.waitFor({ state: "hidden" });
      expect(await field.inputValue()).toMatch(/^Go on with @@\S+ $/);
      await field.press("Enter");
      await page.waitForURL(/\/sessions\/copilot\//);
      await answered(page, "done");
      expect(requestText(last(at))).toContain("rounded down");
      // A draft survives a reload.
      await page.getByRole("textbox", { name: "Message" }).fill("half a thou");
      await page.reload();
      const again = page.getByRole("textbox", { name: "Message" });
      await expect.poll(() => again.inputValue()).toBe("half a thou");
    });

    it("hands over sessions of other hosts", { timeout: TIMEOUT_MS }, async () => {
      const at = await world();
      await at.provider();
      const session = "11111111-2222-4333-8444-555555555555";
      const line = (type: string, content: string, uuid: string) =>
        JSON.stringify({
          ...{ type, uuid, sessionId: session, cwd: at.root, timestamp: "2026-01-02T03:04:05.000Z" },
          message: { role: type, content },
        });
      write(at.user, {
        [`.claude/projects/${at.root.replaceAll(/[^a-zA-Z0-9]/g, "-")}/${session}.jsonl`]: [
          line("user", "Rename the parser module to reader", "a"),
          line("assistant", "The parser module is now called reader.", "b"),
          "",
        ].join("\n"),
      });
      const { page } = await at.web.visit(`/sessions/claude-code/${session}`);
      await page.getByRole("button", { name: "Continue in a new chat" }).click();
      const field = page.getByRole("textbox", { name: "First message" });
      await expect.poll(() => field.inputValue()).toMatch(/@@/);
      await field.press("End");
      await field.press("Enter");
      await page.waitForURL(/\/sessions\/copilot\//);
      await answered(page, "done");
      expect(requestText(last(at))).toContain("now called reader");
    });

    it("says in plain words what failed, and goes on; the key is nowhere", {
      timeout: TIMEOUT_MS,
    }, async () => {
      const at = await world();
      const status = (code: number, body: object): Reply => ({
        answer: (outgoing) =>
          void outgoing.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body)),
      });
      const refused = status(401, { error: { message: `Incorrect API key provided: ${KEY}` } });
      at.script(refused, refused, refused, refused);
      const { page } = await begin(at);
      await page.getByText("The provider refused the key (HTTP 401).").waitFor();
      await lookAt(page, "chat-failed");
      await idle(page);
      at.script(status(404, { error: { message: "no such model" } }));
      await say(page, "try a model");
      await page.getByText("does not know this address or model").waitFor();
      await idle(page);

      const broken = Array.from(
        { length: 7 },
        (): Reply => ({
          answer(outgoing) {
            outgoing.writeHead(200, { "content-type": "text/event-stream" });
            outgoing.write(
              'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"HALF"}}]}\n\n',
            );
            setTimeout(() => outgoing.destroy(), 5);
          },
        }),
      );
      at.script(...broken);
      await say(page, "break off");
      await page.getByText("failed or broke off.").waitFor({ timeout: 40_000 });
      await idle(page);
      expect(await page.getByText("HALF").count()).toBe(0);

      at.script({ text: `big ${"word ".repeat(60_000)}` });
      await say(page, "write a lot");
      await page.getByText("The first 200,000 of 300,003 characters are shown.").waitFor({ timeout: 40_000 });
      await idle(page);

      // The runtime dies in the middle of an answer.
      const half = slowAnswer();
      at.script(half);
      await say(page, "and now");
      await half.asked;
      half.say("dying words");
      await answered(page, "dying words");
      for (const pid of runtimesOf(process.pid)) process.kill(pid, "SIGKILL");
      await page.getByText("The Copilot runtime ended unexpectedly.").waitFor();
      at.script({ text: "back again" });
      await say(page, "go on");
      await answered(page, "back again");

      expect(await page.content()).not.toContain(KEY);
      expect(await (await at.web.fetch("/api/chats")).text()).not.toContain(KEY);
      // Copilot's own transcript has what a provider says in an error.
      for (const folder of [at.home, at.root]) expect(filesWith(folder, KEY), folder).toEqual([]);
    });

    it("talks to an Anthropic endpoint", { timeout: TIMEOUT_MS }, async () => {
      const at = await world();
      const anthropic = await startFakeAnthropic({ respond: () => ({ text: "bonjour" }) });
      onTestFinished(() => anthropic.close());
      const { page } = await at.web.visit("/chat");
      await page.getByLabel("Anthropic endpoint").check();
      await page.getByLabel("Address").fill(`${anthropic.url}/v1`);
      await page.getByLabel("Model", { exact: true }).fill("claude-fake");
      await page.getByLabel("Environment variable with the key").fill("");
      await page.getByLabel("Or the key itself").fill(KEY);
      await page.getByRole("button", { name: "Save and test" }).click();
      await say(page, "hello", "First message");
      await page.waitForURL(/\/sessions\/copilot\//);
      await answered(page, "bonjour");
      const request = anthropic.requests.at(-1);
      expect(request?.headers["x-api-key"]).toBe(KEY);
      expect(JSON.stringify(request?.body.messages)).toContain("MARK-ALWAYS");
      for (const folder of [at.home, at.user, at.root]) expect(filesWith(folder, KEY), folder).toEqual([]);
    });

    it("runs no program that a repository names", { timeout: TIMEOUT_MS }, async () => {
      const command = "touch evil.txt";
      const names = ["sessionStart", "userPromptSubmitted", "preToolUse"];
      const hooks = Object.fromEntries(names.map((name) => [name, [{ type: "command", bash: command }]]));
      const at = await world({
        files: {
          ".github/hooks/evil.json": JSON.stringify({ version: 1, hooks }),
          ".github/copilot/settings.json": JSON.stringify({ hooks }),
          ".claude/settings.json": JSON.stringify({
            hooks: { SessionStart: [{ hooks: [{ type: "command", command }] }] },
          }),
          ".mcp.json": JSON.stringify({ mcpServers: { evil: { command: "touch", args: ["evil.txt"] } } }),
        },
      });
      at.script(use("bash", { command: "echo hi", description: "greet" }), { text: "greeted" });
      const { page } = await begin(at);
      const card = page.getByRole("region", { name: "Permission" });
      await card.getByText("echo hi").waitFor();
      await card.getByRole("button", { name: "Allow once" }).click();
      await answered(page, "greeted");
      expect(existsSync(join(at.root, "evil.txt"))).toBe(false);
    });
  },
);

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .flatMap((path) => {
      const at = readFileSync(path, "utf8").indexOf(text);
      return at < 0 ? [] : [`${path}: ${readFileSync(path, "utf8").slice(Math.max(0, at - 800), at + 100)}`];
    });
}
