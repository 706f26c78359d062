import { describe, it, onTestFinished } from "vitest";
import { write } from "../support/world.ts";
import { CHECK_CHECKS } from "./check-checks.ts";
import { HOST_CHECKS } from "./host-checks.ts";
import type { HostDriver } from "./host-driver.ts";
import { SOURCE_CHECKS, SOURCES } from "./source-checks.ts";

const CHECKS = [...HOST_CHECKS, ...SOURCE_CHECKS, ...CHECK_CHECKS];
export type CheckName = (typeof CHECKS)[number]["name"];

export interface HostUnderTest {
  readonly name: string;
  /** A driver with Continuo installed by `continuo install`, in a project with a git repository. */
  start(): Promise<HostDriver>;
  /** Why the host is not available here; undefined if it is. */
  readonly missing: string | undefined;
  /** Checks that this host cannot pass, each with its reason. */
  readonly skip?: Readonly<Partial<Record<CheckName, string>>>;
}

declare module "vitest" {
  interface TaskMeta {
    /** For the table of hosts and checks: test/support/contract-table.ts. */
    contract?: { readonly host: string; readonly check: string; readonly skipped?: string };
  }
}

/** What every host must show, judged by the requests that the model receives: the checks of the host and of every source. */
export function hostContract(host: HostUnderTest): void {
  describe(host.name, () => {
    for (const { name, title, run, project } of CHECKS) {
      const skipped = host.missing ?? host.skip?.[name];
      const contract = { host: host.name, check: name, ...(skipped === undefined ? {} : { skipped }) };
      it(skipped === undefined ? title : `${title} (skipped: ${skipped})`, {
        skip: skipped !== undefined,
        meta: { contract },
      }, async () => {
        const driver = await host.start();
        onTestFinished(() => driver.dispose());
        if (project === "prepared") for (const source of SOURCES) write(driver.project, source.files);
        await run(driver);
      });
    }
  });
}
