import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { watchInstall } from "../../../../src/web/server/chat/watch-sdk.ts";
import { temporaryFolder } from "../../../support/world.ts";

it("notices an installation into a folder that was not there", async () => {
  const home = temporaryFolder();
  const folder = join(home, "chat");
  let calls = 0;
  onTestFinished(watchInstall(home, folder, () => void calls++));
  writeFileSync(join(home, "something-else"), "");
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  // Written again until it is seen: the watcher moves down one folder after the other.
  await expect
    .poll(() => {
      writeFileSync(join(folder, "node_modules", ".package-lock.json"), "{}");
      return calls;
    })
    .toBe(1);
});

it("says nothing after it was stopped", async () => {
  const home = temporaryFolder();
  let calls = 0;
  const stop = watchInstall(home, join(home, "chat"), () => void calls++);
  stop();
  mkdirSync(join(home, "chat", "node_modules"), { recursive: true });
  writeFileSync(join(home, "chat", "node_modules", ".package-lock.json"), "{}");
  await new Promise((resolve) => setImmediate(resolve));
  expect(calls).toBe(0);
});
