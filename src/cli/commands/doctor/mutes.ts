import { readMutes } from "../../../store/mutes.ts";
import { counted } from "../../terminal/table.ts";
import { type Check, ok, warn } from "./check.ts";

/** Named, so that nobody wonders why something is missing. */
export const checkMutes: Check = (_, home) => {
  if (home === undefined) return [];
  const { mutes, damage } = readMutes(home);
  return [
    ...(damage === undefined ? [] : [warn("mutes", damage.message, damage.hint)]),
    ...(mutes.length === 0
      ? []
      : [ok("mutes", `${counted(mutes.length, "mute")} (to list them: continuo mutes)`)]),
  ];
};
