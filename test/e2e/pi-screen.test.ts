import { describe, expect, it, onTestFinished } from "vitest";
import { orSkipReason } from "../support/packages.ts";
import { cliOf, OLD_PI, PI, type PiVersion, startPi } from "../support/pi.ts";
import { hasTmux } from "../support/terminal.ts";
import { write } from "../support/world.ts";

const own = process.env["CONTINUO_TEST_PI"];
const OWN: PiVersion[] = own === undefined ? [] : [{ ...PI, version: `at ${own}`, cli: own }];

for (const pi of [PI, OLD_PI, ...OWN]) {
  const missing = typeof (await orSkipReason(cliOf(pi))) === "object" || !hasTmux;

  describe.skipIf(missing)(`pi ${pi.version} on a screen (needs tmux)`, () => {
    it("completes the names of sets and sessions, runs Continuo's commands and has its status line", async () => {
      const driver = await startPi(pi, { defaultProjectTrust: "always" });
      onTestFinished(() => driver.dispose());
      write(driver.project, { ".continuo/rules/a.md": "Write plain sentences." });
      await driver.turn("Rename the payment client");
      await driver.turn('Say "hello" to Bob\'s friends');
      const screen = await driver.terminal();
      onTestFinished(() => screen.close());

      await screen.until(/fake-1/);
      await screen.type("/continuo-sets ports 8080 9090");
      // 0.87.1 accepts no command before it has started, and does not say when that is.
      for (let shown = ""; !shown.includes("Set ports: 2 items"); ) {
        await screen.press("Enter");
        shown = await screen.until(/Set ports: 2 items|Startup is still in progress/);
      }

      await screen.type("open #po");
      await screen.until(/#ports\s+8080, 9090/);
      await screen.press("Tab");
      await screen.until(/open 8080 9090/);
      await screen.press("Enter");
      const settled = await screen.until(/continuo: \d+ tokens/);
      expect(settled).not.toMatch(/error/i);
      await expect.poll(() => driver.server.requests.length, { timeout: 20_000 }).toBe(3);
      expect(JSON.stringify(driver.server.requests[2]?.body.messages)).toContain("open 8080 9090");

      await screen.type("/index-session");
      await screen.press("Enter");
      await screen.until(/Session indexed: "/);
      await screen.type("as in @@ren");
      await screen.until(/Rename the payment client\s+pi, project, 20/);
      await screen.press("Tab");
      await screen.until(/as in @@rename-the-payment-client/);
      for (const typed of ["@@hello", '@@"hello', '@@"to Bob']) {
        await screen.press("C-u");
        await screen.until(/^(?![\s\S]*as in @@)/);
        await screen.type(`as in ${typed}`);
        await screen.until(/Say "hello" to Bob's friends\s+pi, project, 20/);
        await screen.press("Tab");
        await screen.until(/as in @@say-hello-to-bob-s-friends/);
      }
      await screen.press("Enter");
      await expect.poll(() => driver.server.requests.length, { timeout: 20_000 }).toBe(4);
      expect(JSON.stringify(driver.server.requests[3]?.body.messages)).toContain("Bob's friends");

      await screen.type("/continuo-sets po");
      await screen.until(/ports\s+8080, 9090/);
    });
  });
}
