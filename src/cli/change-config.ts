import { edit, naming, parseObject } from "../hosts/shared/install/jsonc.ts";
import {
  keepingMark,
  readSettingsFile,
  refuseReadOnly,
  withoutMark,
  writeSettingsFile,
} from "../hosts/shared/install/settings-file.ts";
import { findHome } from "../store/home.ts";
import type { World } from "./command.ts";

/** Sets one value in config.json, or removes it if undefined. Every other byte stays. Returns the path of the file. */
export function changeConfig({ env }: Pick<World, "env">, path: readonly string[], value: unknown): string {
  const { config } = findHome(env);
  const before = readSettingsFile(config) ?? "";
  naming(config, () => parseObject(withoutMark(before), true)); // a file that cannot be parsed is not edited
  refuseReadOnly(config);
  writeSettingsFile(
    config,
    keepingMark(before, (text) => edit(text, [...path], value)),
  );
  return config;
}
