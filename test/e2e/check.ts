import type { HostDriver } from "./host-driver.ts";

/** One line of the contract: what a host must show, by the requests that arrive at its model. */
export interface Check<Name extends string = string> {
  /** Its row in the table, and what a host that cannot pass it names with its reason. */
  readonly name: Name;
  readonly title: string;
  /** Gets a host of its own, in a project with every source's files. */
  readonly run: (driver: HostDriver) => Promise<void>;
}

export const check = <Name extends string>(
  name: Name,
  title: string,
  run: (driver: HostDriver) => Promise<void>,
): Check<Name> => ({ name, title, run });
