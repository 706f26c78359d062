import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeAnthropic } from "../../fakes/anthropic.ts";
import type { ChatRequest, FakeOpenAI, Reply } from "../../fakes/openai.ts";
import { startFakeOpenAI } from "../../fakes/openai.ts";
import { countOccurrences, requestText } from "../../fakes/openai-requests.ts";
import { lookAt, missingBrowser, type OpenWeb, openWeb, type Visit } from "../../support/browser.ts";
import { installSdk, slowAnswer } from "../../support/chat.ts";
import { sdkFolder } from "../../support/copilot-sdk.ts";
import { orSkipReason } from "../../support/packages.ts";
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
  readonly env: NodeJS.ProcessEnv;
  readonly server: FakeOpenAI;
  readonly web: OpenWeb;
  /** What the model does for the next requests. */
  script(...replies: readonly Reply[]): void;
  provider(more?: object): Promise<Response>;
}

async function world(
  options: { isInstalled?: boolean; files?: Record<string, string> } = {},
): Promise<World> {
  const place = temporaryWorld({
    ".continuo/rules/always.md": "MARK-ALWAYS: plain sentences.",
    ...options.files,
  });
  if (options.isInstalled !== false) await installSdk(place.home);
  let queue: Reply[] = [];
  const server = await startFakeOpenAI(() => queue.shift() ?? { text: "done" });
  onTestFinished(() => server.close());
  const web = await openWeb(webWorld(place));
  const at: World = {
    root: place.root,
    home: place.home.root,
    user: place.env["HOME"] ?? "",
    env: place.env,
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
async function begin(at: World, text = "hello"): Promise<Visit> {
  await at.provider();
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
      await page.getByText("npm install --prefix").waitFor();
      await lookAt(page, "chat-install");
      await installSdk({ root: at.home } as Parameters<typeof installSdk>[0]);
      await page.getByRole("button", { name: "Look again" }).click();
      await page.getByText("npm install --prefix").waitFor({ state: "hidden" });
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
      await page.locator(".chat-answer strong", { hasText: "bold" }).waitFor();
      const second = await context.newPage();
      await second.goto(page.url());
      await second.locator(".chat-answer strong", { hasText: "bold" }).waitFor();
      answer.say(" and <script>window.hacked = 1</script><img src=https://example.com/x.png> `code`.");
      answer.end();
      for (const tab of [page, second]) {
        await tab.locator(".chat-answer code", { hasText: "code" }).waitFor();
        await idle(tab);
        expect(await tab.locator(".chat-answer").count()).toBe(1);
        expect(await tab.locator(".chat-answer strong").count()).toBe(1);
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
        expect(await tab.getByLabel("You").count()).toBe(3);
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
      await page.getByRole("region", { name: "Changes in" }).or(card.getByText("a.ts")).first().waitFor();
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
  },
);

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter(
      (path) => statSync(path, { throwIfNoEntry: false })?.isFile() && readFileSync(path).includes(text),
    );
}
void filesWith;
void startFakeAnthropic;
void write;
