import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { INSTALLERS } from "../../hosts/installers.ts";
import { installedVersion, readText } from "../../hosts/wire.ts";
import { describeError } from "../../moments/errors.ts";
import { wiringOf } from "../wiring.ts";
import { type Check, fail, type NamedFinding, ok } from "./check.ts";

export const checkHosts: Check = (world, home) =>
  INSTALLERS.flatMap((installer): NamedFinding[] => {
    const what = installer.label;
    try {
      const file = installer.settingsFile(world.env);
      if (!existsSync(dirname(file))) return [ok(what, "not on this machine")];
      return installer
        .inspect(
          readText(file) ?? "",
          wiringOf(world, home, home && installedVersion(home, installer.host)),
          existsSync,
        )
        .map((finding) => ({ what, ...finding }));
    } catch (error) {
      const told = describeError(error);
      return [fail(what, told.message, told.hint ?? "")];
    }
  });
