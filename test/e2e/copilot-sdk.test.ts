import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { copilotInstaller } from "../../src/hosts/copilot/installer.ts";
import type { ChatRequest, Reply } from "../fakes/openai.ts";
import { countOccurrences, requestText } from "../fakes/openai-requests.ts";
import { CONTINUO, ROOT, runScript } from "../support/child.ts";
import {
  COPILOT_SDK,
  type SdkConfig,
  type SdkDriver,
  type SdkSession,
  sdkFolder,
  seen,
  startCopilotSdk,
} from "../support/copilot-sdk.ts";
import { orSkipReason } from "../support/packages.ts";
import { WIRING } from "../support/wiring.ts";
import { write } from "../support/world.ts";
import { configure } from "./continuo.ts";
import { hostContract } from "./host-contract.ts";

const found = await orSkipReason(sdkFolder());
const missing = typeof found === "object" ? found.skip : undefined;
const PATIENCE_MS = 60_000;

hostContract({
  name: `Copilot SDK ${COPILOT_SDK}`,
  missing,
  skip: {
    title: "it makes titles from the prompt, without a request",
    decide: "a program has its own prompt line, and nothing of ours is in it",
    killed: "we are a library there and have no process of our own",
    uninstall: "we are a library there: a program without us is a part of the check `sabotage`",
    network: "we run inside the program, which here is the test itself",
  },
  start: startCopilotSdk,
});

interface SeenEvent {
  readonly type: string;
  readonly data: { readonly success?: boolean; readonly toolTelemetry?: unknown; readonly trigger?: string };
}

async function started(files: Record<string, string> = {}): Promise<SdkDriver> {
  const driver = await startCopilotSdk();
  onTestFinished(() => driver.dispose());
  write(driver.project, { ".continuo/rules/always.md": "MARK-ALWAYS: plain sentences.", ...files });
  return driver;
}

const use = (name: string, input: Record<string, unknown>): Reply => ({ toolUses: [{ name, input }] });
const ask = (session: SdkSession, prompt: string) => session.sendAndWait({ prompt }, PATIENCE_MS);
const last = (driver: SdkDriver): ChatRequest => driver.server.requests.at(-1)!;
const toolResults = (driver: SdkDriver): string =>
  JSON.stringify(last(driver).body.messages.filter((message) => message.role === "tool"));

/** Runs one session to the end of the work and returns what happened in it. */
async function inSession(
  driver: SdkDriver,
  work: (session: SdkSession, events: readonly SeenEvent[]) => Promise<void>,
  more: SdkConfig = {},
): Promise<readonly SeenEvent[]> {
  const events: SeenEvent[] = [];
  await driver.withClient(async (client) => {
    const onEvent = (event: SeenEvent) => events.push(event);
    await work(await client.createSession({ ...driver.config, onEvent, ...more }), events);
  });
  return events;
}

describe.skipIf(missing !== undefined)("a program built on the Copilot SDK", () => {
  it("offers the tools, and says whether they change something and whether they failed", async () => {
    const driver = await started();
    configure(driver, { tools: "all" });
    const events = await inSession(driver, async (session) => {
      driver.script(use("set_relevant_context", { setName: "ports", items: ["3000"] }));
      await ask(session, "remember the port");
      driver.script(use("set_relevant_context", { setName: "ports", items: "3000" }));
      await ask(session, "wrongly");
      driver.script(use("get_relevant_context", {}));
      await ask(session, "what do you remember?");
    });
    const names = last(driver).body.tools?.map((tool) => tool.function.name);
    expect(names).toEqual(expect.arrayContaining(["set_relevant_context", "get_relevant_context"]));
    const done = events.filter(({ type }) => type === "tool.execution_complete").map(({ data }) => data);
    expect(done.map((data) => data.success)).toEqual([true, false, true]);
    expect(done[0]?.toolTelemetry).toEqual({ contextChanged: true, setName: "ports" });
    expect(toolResults(driver)).toContain("3000");
  });

  it("gives a resumed session what it was asked to remember, once, and keeps the system message", async () => {
    const driver = await started();
    let id = "";
    const systemMessage = { content: "MARK-SYSTEM of the program." };
    await inSession(
      driver,
      async (session) => {
        id = session.sessionId;
        driver.script(use("set_relevant_context", { setName: "endpoints", items: ["http://card.example"] }));
        await ask(session, "remember it");
      },
      { systemMessage },
    );
    const system = last(driver).body.messages[0];
    await driver.withClient(async (client) => {
      const session = await client.resumeSession(id, { ...driver.config, systemMessage });
      await ask(session, "go on");
      await ask(session, "and on");
    });
    const prompts = last(driver).body.messages.filter((message) => message.role === "user");
    const cards = prompts.map((prompt) => JSON.stringify(prompt).includes("card.example"));
    expect(cards).toEqual([false, true, false]);
    expect(last(driver).body.messages[0]).toEqual(system);
    expect(countOccurrences(last(driver), "MARK-SYSTEM")).toBe(1);
    expect(countOccurrences(last(driver), "MARK-ALWAYS")).toBe(1);
  });

  it("stops a tool that a guard denies, and keeps a warning in the tool's result", async () => {
    const guard = (action: string, match: string) =>
      `---\nguard: { action: ${action}, tool: bash, match: '${match}' }\n---\nMARK-${action}: think twice.`;
    const driver = await started({
      ".continuo/rules/no-rm.md": guard("deny", "rm -rf"),
      ".continuo/rules/echo.md": guard("warn", "echo"),
      "precious/x": "x",
    });
    const trusted = await runScript(CONTINUO, ["rules", "trust", "--yes"], {
      env: driver.env,
      cwd: driver.project,
    });
    expect(trusted.code, trusted.stderr).toBe(0);
    let id = "";
    await inSession(driver, async (session) => {
      id = session.sessionId;
      driver.script(use("bash", { command: "rm -rf precious", description: "clean" }));
      await ask(session, "clean up");
      expect(existsSync(join(driver.project, "precious/x"))).toBe(true);
      expect(toolResults(driver)).toContain("think twice");
      driver.script(use("bash", { command: "echo hi", description: "echo" }));
      await ask(session, "say hi");
    });
    const warned = toolResults(driver);
    expect(warned.split("MARK-warn").length).toBe(2);
    await driver.turn("again", { session: id });
    expect(toolResults(driver)).toContain("MARK-warn");
  });

  it("lets no subagent change what the session was asked to remember", async () => {
    const driver = await started();
    const job = {
      name: "job",
      description: "job",
      prompt: "do it",
      agent_type: "general-purpose",
      mode: "sync",
    };
    const replies = {
      main: [use("task", job)],
      child: [use("set_relevant_context", { setName: "ports", items: ["3000"] })],
    };
    driver.server.respondWith((request) => {
      const { kind } = seen(request);
      return (kind === "child" ? replies.child : replies.main).shift() ?? { text: "done" };
    });
    const events = await inSession(driver, async (session) => void (await ask(session, "delegate")));
    const done = events.filter(({ type }) => type === "tool.execution_complete").map(({ data }) => data);
    expect(done.map((data) => data.success)).toEqual([false, true]);
  });

  it("delivers again after an automatic compaction, in the same turn", async () => {
    const driver = await started({ "a.ts": "" });
    const view = use("view", { path: join(driver.project, "a.ts") });
    const all = await inSession(
      driver,
      async (session, events) => {
        await ask(session, "hello");
        driver.script(view, { ...view, delayMs: 500 }); // time for the summary, which is made meanwhile
        await ask(session, "read");
        await expect
          .poll(() => events.some(({ type }) => type === "session.compaction_complete"), {
            timeout: PATIENCE_MS,
          })
          .toBe(true);
      },
      { infiniteSessions: { enabled: true, backgroundCompactionThreshold: 0.05 } },
    );
    const begun = all.find(({ type }) => type === "session.compaction_start");
    expect(begun?.data.trigger).toBe("threshold");
    const texts = driver.server.requests
      .map((request) => seen(request))
      .filter(({ kind }) => kind === "main");
    expect(texts.some(({ text }) => text.includes("<summary>"))).toBe(true);
    for (const { text } of texts) expect(text.split("MARK-ALWAYS").length - 1).toBe(1);
    expect(ledgerKinds(driver)).toEqual(expect.arrayContaining(["compacting", "compacted"]));
  });

  it("answers a steering message with the next tool's result", async () => {
    const driver = await started({ "a.ts": "" });
    write(driver.project, {
      ".continuo/rules/db.md": "---\nkeywords: [database]\n---\nMARK-DB: ask before a migration.",
    });
    const view = use("view", { path: join(driver.project, "a.ts") });
    await inSession(driver, async (session) => {
      const { promise: steered, resolve: steer } = Promise.withResolvers<void>();
      driver.server.respondWith(async ({ index }) => {
        if (index === 0) await steered;
        return index < 2 ? view : { text: "done" };
      });
      const turn = ask(session, "read it");
      await expect.poll(() => driver.server.requests.length, { timeout: PATIENCE_MS }).toBe(1);
      await session.send({ prompt: "mind the database", mode: "immediate" });
      steer();
      await turn;
    });
    expect(requestText(last(driver))).toContain("mind the database");
    expect(toolResults(driver).split("MARK-DB").length).toBe(2);
  });

  it("delivers next to the program's own hooks and those of Copilot CLI, even if the program's hooks throw", async () => {
    const driver = await started();
    const hookFile = copilotInstaller.settingsFile(driver.env);
    mkdirSync(dirname(hookFile), { recursive: true });
    const ours = { runtime: process.execPath, script: CONTINUO, answered: new Set(["tool"] as const) };
    const wiring = { ...WIRING, ...ours };
    writeFileSync(hookFile, copilotInstaller.add("", wiring));
    let prompts = 0;
    const hooks = {
      onUserPromptSubmitted: async () => ({ additionalContext: `MARK-THEIRS-${++prompts}` }),
      onPostToolUse: async () => {
        throw new Error("theirs");
      },
    };
    write(driver.project, {
      ".continuo/rules/typed.md": "---\nglobs: '**/*.ts'\n---\nMARK-TYPED: imports end in ts.",
      "a.ts": "",
    });
    await inSession(
      driver,
      async (session) => {
        driver.script(use("view", { path: join(driver.project, "a.ts") }));
        await ask(session, "read");
        await ask(session, "again");
      },
      { hooks },
    );
    for (const mark of ["MARK-ALWAYS", "MARK-TYPED", "MARK-THEIRS-1", "MARK-THEIRS-2"])
      expect(countOccurrences(last(driver), mark), mark).toBe(1);
  });

  it("works as documented, in two processes", async () => {
    const driver = await started();
    const folder = dirname(driver.project);
    const page = readFileSync(join(ROOT, "docs/hosts/copilot-sdk.md"), "utf8");
    writeFileSync(join(folder, "chat.ts"), /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? "");
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    mkdirSync(join(folder, "node_modules/@github"), { recursive: true });
    symlinkSync(ROOT, join(folder, "node_modules/continuo"));
    const sdk = join(await sdkFolder(), "node_modules/@github/copilot-sdk");
    symlinkSync(sdk, join(folder, "node_modules/@github/copilot-sdk"));
    const env = { ...driver.env, MODEL_URL: driver.server.url };
    const chat = (...args: string[]) =>
      runScript(join(folder, "chat.ts"), args, { env, cwd: driver.project });

    driver.script(use("set_relevant_context", { setName: "ports", items: ["3000"] }));
    const first = await chat("remember the port");
    expect(first, first.stderr).toMatchObject({ code: 0 });
    expect(first.stdout).toContain('context changed: {"ports":["3000"]}');
    const id = /session (\S+): done/.exec(first.stdout)?.[1] ?? "";
    const before = seen(last(driver)).units;
    const second = await chat("go on", id);
    expect(second.stdout, second.stderr).toContain(`session ${id}: done`);
    expect(second.stdout).toContain("context resume");
    expect(seen(last(driver)).units.slice(0, before.length)).toEqual(before);
    expect(countOccurrences(last(driver), "MARK-ALWAYS")).toBe(1);
    expect(countOccurrences(last(driver), "the page /orders")).toBe(2);

    const compilerOptions = {
      ...{ strict: true, noEmit: true, module: "nodenext", target: "es2024", skipLibCheck: true },
      ...{
        types: ["node"],
        typeRoots: [join(ROOT, "node_modules/@types")],
        allowImportingTsExtensions: true,
      },
      paths: {
        "continuo/copilot": [join(ROOT, "src/entries/copilot.ts")],
        "continuo/context": [join(ROOT, "src/entries/exports/context.ts")],
      },
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["chat.ts"] }));
    const checked = await runScript(join(ROOT, "node_modules/typescript/bin/tsc"), ["-p", folder]);
    expect(checked.stdout).toBe("");
  });
});

function ledgerKinds({ env }: SdkDriver): unknown[] {
  const folder = join(env["HOME"] ?? "", ".continuo", "ledger");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => (JSON.parse(line) as { kind: unknown }).kind);
}
