import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { createChatHost } from "../../../src/hosts/copilot/chat/chat-host.ts";
import type { ChatListener } from "../../../src/moments/ports/chat.ts";
import { isRunning } from "../../../src/store/running.ts";
import { startFakeOpenAI } from "../../fakes/openai.ts";
import { installSdk } from "../../support/chat.ts";
import { childScript } from "../../support/child.ts";
import { sdkFolder } from "../../support/copilot-sdk.ts";
import { orSkipReason } from "../../support/packages.ts";
import { runtimesOf } from "../../support/runtime-processes.ts";
import { temporaryWorld } from "../../support/world.ts";

const found = await orSkipReason(sdkFolder());
const missing = typeof found === "object" ? found.skip : undefined;
const TIMEOUT_MS = 60_000;

describe.skipIf(missing !== undefined)("the SDK's process", () => {
  it("ends when the server is killed", { timeout: TIMEOUT_MS }, async () => {
    const { home, env, root } = temporaryWorld();
    await installSdk(home);
    const script = await childScript(
      root,
      `import { createChatHost } from "./src/hosts/copilot/chat/chat-host.ts";
       const home = { root: ${JSON.stringify(home.root)} };
       const host = createChatHost({ home, env: () => process.env, wrap: (client) => client });
       const provider = { type: "openai", baseUrl: "http://127.0.0.1:9/v1", model: "m", wireApi: "completions" };
       const listener = { onStep() {}, onGone() {}, onPermission: async () => ({ allow: false, reason: "" }), onQuestion: async () => "" };
       await host.open({ cwd: ${JSON.stringify(root)}, provider, listener });
       console.log("open");
       setInterval(() => undefined, 1000);`,
    );
    const child = spawn(process.execPath, [script], { env, stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    for await (const line of createInterface({ input: child.stdout })) if (line === "open") break;
    const [runtime] = runtimesOf(child.pid ?? 0);
    if (runtime === undefined) throw new Error("no runtime was started");
    expect(isRunning(runtime)).toBe(true);
    child.kill("SIGKILL");
    await expect.poll(() => isRunning(runtime), { timeout: 20_000 }).toBe(false);
  });

  it("stops when nobody uses it, and starts again with the next message", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { home, env, root } = temporaryWorld();
    await installSdk(home);
    const server = await startFakeOpenAI(() => ({ text: "done" }));
    onTestFinished(() => server.close());
    const host = createChatHost({ home, env: () => env, wrap: (client) => client, idleMs: 300 });
    onTestFinished(() => host.stop());
    const { promise: idle, resolve: onIdle } = Promise.withResolvers<void>();
    const { promise: gone, resolve: onGone } = Promise.withResolvers<string>();
    const listener: ChatListener = {
      onStep: ({ kind }) => (kind === "idle" ? onIdle() : undefined),
      onGone,
      onPermission: async () => ({ allow: false, reason: "" }),
      onQuestion: async () => "",
    };
    const provider = { type: "openai", baseUrl: server.url, model: "m", wireApi: "completions" } as const;
    const session = await host.open({ cwd: root, provider, listener });
    const [runtime] = runtimesOf(process.pid);
    if (runtime === undefined) throw new Error("no runtime was started");
    await session.send("hello");
    await idle;
    expect(await gone).toBe("idle");
    await expect.poll(() => isRunning(runtime), { timeout: 20_000 }).toBe(false);
    const again = await host.open({ cwd: root, provider, listener, resume: session.id });
    const said = (await again.history()).map((step) => (step.kind === "turn" ? step.turn.role : step.kind));
    expect(said).toEqual(expect.arrayContaining(["user", "assistant"]));
    await host.stop();
    await expect.poll(() => runtimesOf(process.pid), { timeout: 20_000 }).toEqual([]);
  });

  it("says what to do when the SDK is not there", async () => {
    const { home, env, root } = temporaryWorld();
    const host = createChatHost({ home, env: () => env, wrap: (client) => client });
    expect(host.package()).toMatchObject({ isInstalled: false });
    const provider = {
      type: "openai",
      baseUrl: "http://127.0.0.1:9",
      model: "m",
      wireApi: "completions",
    } as const;
    const listener = {
      onStep: () => undefined,
      onGone: () => undefined,
      onPermission: async () => ({ allow: false, reason: "" }) as const,
      onQuestion: async () => "",
    };
    await expect(host.open({ cwd: root, provider, listener })).rejects.toMatchObject({
      code: "chat-not-installed",
      hint: expect.stringContaining("npm install --ignore-scripts"),
    });
  });
});
