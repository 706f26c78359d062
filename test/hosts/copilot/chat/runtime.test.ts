import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type RuntimeOptions, startRuntime } from "../../../../src/hosts/copilot/chat/runtime.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

/** An SDK whose process is a field of another name, or of the known one. */
async function start(field: string, options: Partial<RuntimeOptions> = {}) {
  const { root } = temporaryWorld();
  write(root, {
    "sdk.mjs": `
      import { EventEmitter } from "node:events";
      export class CopilotClient {
        ${field} = new EventEmitter();
        async start() {  }
        async stop() {}
        async forceStop() {}
        async ping() { if (this.isDead) throw new Error("Connection is closed."); }
      }`,
  });
  const ends: string[] = [];
  const reports: string[] = [];
  const runtime = await startRuntime({
    ...{ entry: join(root, "sdk.mjs"), env: {}, usesLogin: false, idleMs: 60_000, askMs: 20 },
    onEnd: (why) => ends.push(why),
    report: ({ code }) => reports.push(code),
    ...options,
  });
  onTestFinished(() => runtime.stop());
  return {
    runtime,
    ends,
    reports,
    client: runtime.client as unknown as Record<string, { emit(name: string): void }>,
  };
}

it("a runtime whose process ends has failed, at once", async () => {
  const { client, ends, reports } = await start("cliProcess");
  client["cliProcess"]?.emit("exit");
  expect([ends, reports]).toEqual([["failed"], []]);
});

it("a runtime whose process cannot be seen is recorded, and asked whether it lives", async () => {
  const { client, ends, reports } = await start("renamed");
  expect(reports).toEqual(["chat-runtime-unwatched"]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(ends).toEqual([]);
  Object.assign(client, { isDead: true });
  await expect.poll(() => ends).toEqual(["failed"]);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(ends).toEqual(["failed"]);
});
