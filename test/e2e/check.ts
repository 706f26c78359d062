import type { HostDriver } from "./host-driver.ts";

/** One check of the contract: what a host must show, judged by the requests that its model receives. */
export interface Check<Name extends string = string> {
  /** Its row in the table. A host that cannot pass it gives a reason under this name. */
  readonly name: Name;
  readonly title: string;
  /** Gets a separate host, in a project with every source's files, or in one without any. */
  readonly run: (driver: HostDriver) => Promise<void>;
  readonly project: "prepared" | "empty";
}

export const check = <Name extends string>(
  name: Name,
  title: string,
  run: (driver: HostDriver) => Promise<void>,
  project: Check["project"] = "prepared",
): Check<Name> => ({ name, title, run, project });
