import { rmSync } from "node:fs";
import { join } from "node:path";
import { continuo } from "../e2e/continuo.ts";
import type { HostDriver } from "../e2e/host-driver.ts";
import { write } from "./world.ts";

/** Tests must not depend on how fast the machine is: hosts wait this long for a hook, as a user may set it. */
export function bePatient(home: string): void {
  write(home, { ".continuo/config.json": `${JSON.stringify({ momentDeadlineMs: 15_000 })}\n` });
}

/** Wires the timeouts that users have who set nothing. */
export async function wireUsualTimeouts(driver: HostDriver): Promise<void> {
  rmSync(join(driver.env["HOME"] ?? "", ".continuo", "config.json"), { force: true });
  await continuo(driver, "install", driver.hostName);
}
