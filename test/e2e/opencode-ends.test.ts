import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { main, started } from "../hosts/opencode/turns.ts";
import { OPENCODE, OPENCODE_PACKAGE } from "../support/opencode.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";

const found = await orSkipReason(installedPackage(OPENCODE_PACKAGE, OPENCODE));

/**
 * The host takes this lock while it installs its own package, which fails here, without a network. A process that ends with
 * it in place makes the next one with a plugin wait for a minute.
 */
describe.skipIf(typeof found === "object")(`OpenCode ${OPENCODE} without a network`, () => {
  it("leaves no lock of the host's own installation behind, and the next one asks its model", async () => {
    const { host } = await started();
    const locks = join(host.home, ".local", "state", "opencode", "locks");
    for (const prompt of ["one", "two", "three"]) {
      const { code, stderr } = await host.run(prompt);
      expect(code, stderr).toBe(0);
      expect(existsSync(locks) ? readdirSync(locks) : [], `after "${prompt}"`).toEqual([]);
    }
    expect(main(host.server.requests)).toHaveLength(3);
  });
});
