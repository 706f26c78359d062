import { recentDeliveries } from "../../../moments/state/recent-deliveries.ts";
import { type Check, warn } from "./check.ts";

export const checkLedger: Check = (_, home) => {
  if (home === undefined) return [];
  const { malformed, unreadable } = recentDeliveries(home, { maxBytes: Number.POSITIVE_INFINITY });
  return [
    ...(malformed === 0
      ? []
      : [
          warn(
            "ledger",
            `${malformed} ${malformed === 1 ? "line" : "lines"} could not be read`,
            "nothing needs to be done; the disk was probably full once",
          ),
        ]),
    ...unreadable.map((name) => warn("ledger", `${name} cannot be read`, "make it readable")),
  ];
};
