import { expect, test, vi } from "vitest";
import type { Client } from "../../../src/hosts/opencode/api.ts";
import { createToast } from "../../../src/hosts/opencode/client.ts";
import { recordHealth } from "../../../src/store/health.ts";
import { temporaryWorld } from "../../support/world.ts";

function world(showToast: Client["tui"]["showToast"]) {
  const { home, env } = temporaryWorld();
  const client = { tui: { showToast } } as Client;
  const toast = createToast({ client, env, now: Date.now });
  const fail = () =>
    recordHealth(home.logs, { at: new Date().toISOString(), where: "test", code: "broken", message: "x" });
  return { toast, fail };
}

test("a failure that nobody saw is shown once in a process; without one nothing is", () => {
  const show = vi.fn(async () => ({}));
  const { toast, fail } = world(show);
  toast();
  expect(show).not.toHaveBeenCalled();
  fail();
  toast();
  fail();
  toast();
  expect(show).toHaveBeenCalledOnce();
  expect(show.mock.calls).toMatchObject([[{ body: { message: expect.stringContaining("broken") } }]]);
});

test("a host that throws, fails or never answers is not noticed", () => {
  for (const show of [
    () => {
      throw new Error("no TUI");
    },
    () => Promise.reject(new Error("no TUI")),
    () => new Promise<never>(() => undefined),
  ]) {
    const { toast, fail } = world(show);
    fail();
    expect(toast()).toBeUndefined();
  }
});
