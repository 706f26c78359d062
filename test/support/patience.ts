import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { continuo } from "../e2e/continuo.ts";
import type { HostDriver } from "../e2e/host-driver.ts";
import { write } from "./world.ts";

/** Tests must not depend on the speed of the machine: hosts wait this long for a hook, which users can set too. */
export function bePatient(home: string): void {
  write(home, { ".continuo/config.json": `${JSON.stringify({ momentDeadlineMs: 15_000 })}\n` });
  // As Continuo creates them: doctor warns of files that others can read.
  chmodSync(join(home, ".continuo"), 0o700);
  chmodSync(join(home, ".continuo", "config.json"), 0o600);
}

/** Installs the default timeouts. */
export async function wireUsualTimeouts(driver: HostDriver): Promise<void> {
  rmSync(join(driver.env["HOME"] ?? "", ".continuo", "config.json"), { force: true });
  await continuo(driver, "install", driver.hostName);
}
