import { version } from "../../../base/version.ts";
import { type Check, ok, warn } from "./check.ts";

const FLOOR = [22, 19] as const;

export const checkRuntime: Check = () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const detail = `continuo ${version} on Node ${process.versions.node} (${process.execPath})`;
  if (major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1])) return [ok("runtime", detail)];
  return [
    warn(
      "runtime",
      `${detail}: rules work, search does not`,
      `install Node 24 (or at least ${FLOOR.join(".")}), then set up each agent again: continuo install`,
    ),
  ];
};
