import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { recordHealth } from "../../src/store/health.ts";
import { homeAt } from "../../src/store/home.ts";
import { requestText } from "../fakes/openai-requests.ts";
import { main, started } from "../hosts/opencode/turns.ts";
import { OPENCODE, OPENCODE_PACKAGE, type OpenCode } from "../support/opencode.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";

const found = await orSkipReason(installedPackage(OPENCODE_PACKAGE, OPENCODE));

function fail(host: OpenCode): void {
  const { logs } = homeAt(join(host.home, ".continuo"));
  recordHealth(logs, { at: new Date().toISOString(), where: "test", code: "MARK-BROKEN", message: "x" });
}

describe.skipIf(typeof found === "object")(`OpenCode ${OPENCODE} after a failure that nobody saw`, () => {
  it("is asked to show one toast, whatever the number of sessions and turns", async () => {
    const { host } = await started();
    fail(host);
    const controller = new AbortController();
    const stream = await fetch(`${await host.url()}/event`, { signal: controller.signal });
    let events = "";
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of stream.body!) events += decoder.decode(chunk as Uint8Array);
    })().catch(() => undefined);
    for (const _ of [1, 2]) {
      const session = await host.createSession();
      await host.prompt(session, "hello");
      fail(host);
      await host.prompt(session, "again");
    }
    const toasts = () =>
      events.split("\n").filter((line) => line.includes('"tui.toast.show"') && /doctor/.test(line));
    await vi.waitUntil(() => toasts().length > 0, { timeout: 10_000 });
    controller.abort();
    await reading;
    expect(toasts()).toHaveLength(1);
    expect(toasts()[0]).toContain("MARK-BROKEN");
  });

  it("shows none in `opencode run`, which has no TUI, and the model gets none", async () => {
    const { host } = await started();
    fail(host);
    const { code, stdout, stderr } = await host.run("hello");
    expect(code, stderr).toBe(0);
    expect(stdout + stderr).not.toContain("MARK-BROKEN");
    expect(requestText(main(host.server.requests)[0]!)).not.toContain("MARK-BROKEN");
  });
});
