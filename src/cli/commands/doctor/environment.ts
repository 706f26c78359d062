import { isTooOld, OLDEST_NODE, version } from "../../../base/version.ts";
import { type Check, ok, warn } from "./check.ts";

export const checkRuntime: Check = () => {
  const detail = `continuo ${version} on Node ${process.versions.node} (${process.execPath})`;
  if (!isTooOld()) return [ok("runtime", detail)];
  return [
    warn(
      "runtime",
      `${detail}: rules work, search does not`,
      `install Node 24 (or at least ${OLDEST_NODE}), then set up each agent again: continuo install`,
    ),
  ];
};
