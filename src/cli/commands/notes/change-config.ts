import { edit, parseObject } from "../../../hosts/shared/install/jsonc.ts";
import {
  keepingMark,
  readSettingsFile,
  refuseReadOnly,
  withoutMark,
  writeSettingsFile,
} from "../../../hosts/shared/install/settings-file.ts";
import { findHome } from "../../../store/home.ts";
import type { World } from "../../command.ts";

/** Sets one value of our own config.json, undefined takes it out; every other byte stays. Returns the file's path. */
export function changeConfig({ env }: World, path: readonly string[], value: unknown): string {
  const { config } = findHome(env);
  const before = readSettingsFile(config) ?? "";
  parseObject(withoutMark(before), true); // what we do not understand we do not edit
  refuseReadOnly(config);
  writeSettingsFile(
    config,
    keepingMark(before, (text) => edit(text, [...path], value)),
  );
  return config;
}
