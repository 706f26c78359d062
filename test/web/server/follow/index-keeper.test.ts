import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createIndexKeeper, indexCommand } from "../../../../src/web/server/follow/index-keeper.ts";
import { ROOT } from "../../../support/child.ts";
import { temporaryWeb } from "../../../support/web.ts";
import { listen } from "../../../support/web-events.ts";
import { write } from "../../../support/world.ts";

/** Stands for `continuo sessions index`: says how far it is and counts how often it ran. */
const COMMAND = `
  const { appendFileSync } = require("node:fs");
  appendFileSync("runs", "x");
  process.stderr.write("3 of 8 sessions, 1.0 MB of 2.0 MB\\n7 of 8 sessions, 1.8 MB of 2.0 MB\\n");
`;

function keeping(isPageOpen = () => true) {
  const place = temporaryWeb({ "index.cjs": COMMAND }, []);
  const command = [process.execPath, join(place.root, "index.cjs")];
  const runs = () =>
    existsSync(join(place.root, "runs")) ? readFileSync(join(place.root, "runs"), "utf8").length : 0;
  const keeper = createIndexKeeper(place.web, { isPageOpen, command, everyMs: 300 });
  onTestFinished(() => keeper.close());
  return { ...place, keeper, runs, ...listen(place.web) };
}

describe("the index of sessions", () => {
  it("is kept up to date while a page is open, and the page sees how far it is", async () => {
    const { keeper, runs, first } = keeping();
    keeper.nudge();
    expect(await first(({ type }) => type === "import")).toEqual({
      type: "import",
      done: 7,
      total: 8,
      isComplete: false,
    });
    await first((event) => event.type === "import" && event.isComplete);
    expect(runs()).toBe(1);
  });

  it("is updated once for what comes close together, and again later", async () => {
    const { keeper, runs, first, events } = keeping();
    for (let count = 0; count < 5; count++) keeper.nudge();
    await first((event) => event.type === "import" && event.isComplete);
    expect(runs()).toBe(1);
    for (let count = 0; count < 5; count++) keeper.nudge();
    await vi.waitFor(() => expect(runs()).toBe(2), { timeout: 20_000 });
    // The second run says how far it is, and has changed nothing: nobody goes on waiting for it.
    const seen = () => events.filter((event) => event.type === "import").map(({ isComplete }) => isComplete);
    await vi.waitFor(() => expect(seen()).toEqual([false, true, false, true]), { timeout: 20_000 });
  });

  it("is left alone while no page is open, and if the settings say so", () => {
    const closed = keeping(() => false);
    closed.keeper.nudge();
    closed.keeper.changed();
    const off = keeping();
    write(off.home.root, { "config.json": JSON.stringify({ sources: { sessions: { index: false } } }) });
    off.keeper.nudge();
    expect([closed.runs(), off.runs()]).toEqual([0, 0]);
    expect(closed.events).toEqual([]);
  });

  it("tells a page when another process has indexed something, and only then", async () => {
    const { keeper, web, first, events } = keeping();
    await web.sessions();
    keeper.changed();
    await first(({ type }) => type === "import");
    keeper.changed();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(events).toHaveLength(1);
  });

  it("is updated by the command of this package", () => {
    expect(indexCommand(ROOT)).toEqual([
      process.execPath,
      join(ROOT, "dist", "continuo.cjs"),
      "sessions",
      "index",
      "--json",
    ]);
    expect(indexCommand("/nowhere")).toBeUndefined();
  });
});
