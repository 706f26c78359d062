import { rmSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { readHealth } from "../../../src/store/health.ts";
import { temporaryWeb } from "../../support/web.ts";

it("opens the index once, and again after it was deleted", async () => {
  const { web, home } = temporaryWeb({}, []);
  const first = await web.sessions();
  expect(await web.sessions()).toBe(first);
  for (const end of ["", "-wal", "-shm"]) rmSync(`${home.root}/sessions.db${end}`, { force: true });
  const second = await web.sessions();
  expect(second).not.toBe(first);
  expect(await web.sessions()).toBe(second);
  expect(second.list()).toEqual([]);
});

it("opens one library for requests that come at once, also where an index is there already", async () => {
  const { web } = temporaryWeb({}, []);
  (await web.sessions()).list();
  await web.close();
  const history = vi.fn().mockResolvedValue(new Map());
  const again = temporaryWeb({}, [], { history, env: web.env }).web;
  const opened = await Promise.all(Array.from({ length: 5 }, () => again.sessions()));
  expect(new Set(opened).size).toBe(1);
  expect(history).toHaveBeenCalledOnce();
});

it("tries again after a failure", async () => {
  const history = vi.fn().mockRejectedValueOnce(new Error("busy")).mockResolvedValue(new Map());
  const { web } = temporaryWeb({}, [], { history });
  await expect(web.sessions()).rejects.toThrow("busy");
  expect((await web.sessions()).list()).toEqual([]);
});

it("sends events to all, also if one of them fails, and closes everything once", async () => {
  const { web, home } = temporaryWeb({}, []);
  const [seen, closed] = [vi.fn(), vi.fn()];
  web.subscribe(() => {
    throw new Error("a view failed");
  });
  const stop = web.subscribe(seen);
  web.publish({ type: "notes" });
  stop();
  web.publish({ type: "rules" });
  expect(seen.mock.calls).toEqual([[{ type: "notes" }]]);
  web.onClose(closed);
  web.onClose(() => {
    throw new Error("an area failed");
  });
  await web.close();
  await web.close();
  expect(closed).toHaveBeenCalledOnce();
  expect(readHealth(home.logs).records.map(({ code, where }) => `${where} ${code}`)).toEqual([
    "web web-event",
    "web web-event",
    "web web-close",
  ]);
});
