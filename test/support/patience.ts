import { rmSync } from "node:fs";
import { join } from "node:path";
import { continuo } from "../e2e/continuo.ts";
import type { HostDriver } from "../e2e/host-driver.ts";
import { write } from "./world.ts";

/** Tests must not depend on the speed of the machine: hosts wait this long for a hook, which users can set too. */
export function bePatient(home: string): void {
  write(home, { ".continuo/config.json": `${JSON.stringify({ momentDeadlineMs: 15_000 })}\n` });
}

/** Installs the default timeouts. */
export async function wireUsualTimeouts(driver: HostDriver): Promise<void> {
  rmSync(join(driver.env["HOME"] ?? "", ".continuo", "config.json"), { force: true });
  await continuo(driver, "install", driver.hostName);
}
