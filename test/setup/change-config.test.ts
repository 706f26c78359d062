import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { placeFor } from "../../src/cli/actions/as-command.ts";
import { changeConfig } from "../../src/setup/change-config.ts";
import { addFolder } from "../../src/sources/notes/actions/folders.ts";
import { withLock } from "../../src/store/lock.ts";
import { inputIn } from "../support/in-process.ts";
import { temporaryWorld, write } from "../support/world.ts";

it("waits for another process that changes the settings", async () => {
  const { env, home } = temporaryWorld();
  const done: string[] = [];
  const other = withLock(
    join(home.locks, "config"),
    async () => {
      const mine = changeConfig({ env }, ["tokenLimit"], 2000).then(() => done.push("mine"));
      await new Promise((resolve) => setTimeout(resolve, 50));
      done.push("the other's");
      return () => mine;
    },
    { waitMs: 1000 },
  );
  await (await other)();
  expect(done).toEqual(["the other's", "mine"]);
  expect(JSON.parse(readFileSync(home.config, "utf8"))).toEqual({ tokenLimit: 2000 });
});

it("two that add to a list at once both do", async () => {
  const world = temporaryWorld();
  const names = ["a", "b", "c", "d"];
  write(world.user, Object.fromEntries(names.map((name) => [`${name}/note.md`, "# N"])));
  const place = placeFor(inputIn(world));
  await Promise.all(names.map((name) => addFolder.run({ folder: join(world.user, name) } as never, place)));
  const { also } = JSON.parse(readFileSync(world.home.config, "utf8")).sources.memory;
  expect(also.toSorted()).toEqual(names.map((name) => join(world.user, name)));
});

it.skipIf(process.getuid?.() === 0)("says which file cannot be written", async () => {
  const { env, home } = temporaryWorld();
  chmodSync(home.root, 0o500);
  onTestFinished(() => chmodSync(home.root, 0o700));
  await expect(changeConfig({ env }, ["tokenLimit"], 1)).rejects.toMatchObject({
    code: "settings-unwritable",
  });
});
