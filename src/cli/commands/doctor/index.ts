import { describeError } from "../../../base/errors.ts";
import { withIndex } from "../index-access.ts";
import { type Check, fail, ok, warn } from "./check.ts";

export const checkIndex: Check = (world, home) => {
  if (home === undefined) return [];
  try {
    return withIndex(home, world.now(), (_, synced) => [
      ok("index", `${home.index}, up to date with ${synced.files} ledger file(s)`),
      ...(synced.malformed === 0
        ? []
        : [
            warn(
              "ledger",
              `${synced.malformed} line(s) could not be read`,
              "the disk was probably full once; nothing needs to be done",
            ),
          ]),
      ...synced.unreadable.map((name) => warn("ledger", `${name} cannot be read`, "make it readable")),
    ]);
  } catch (error) {
    const told = describeError(error);
    return [fail("index", told.message, told.hint ?? "delete the index: it is derived and is built anew")];
  }
};
