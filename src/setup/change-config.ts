import { edit } from "../hosts/shared/install/json-text.ts";
import { naming, parseObject } from "../hosts/shared/install/jsonc.ts";
import {
  keepingMark,
  readSettingsFile,
  refuseReadOnly,
  withoutMark,
  writeSettingsFile,
} from "../hosts/shared/install/settings-file.ts";
import { keepConfig } from "../store/config-backup.ts";
import { findHome } from "../store/home.ts";

/** Sets one value in config.json, or removes it if undefined. Every other byte stays. Returns the path of the file. */
export function changeConfig(
  { env }: { readonly env: NodeJS.ProcessEnv },
  path: readonly string[],
  value: unknown,
): string {
  const home = findHome(env);
  const { config } = home;
  const before = readSettingsFile(config) ?? "";
  naming(config, () => parseObject(withoutMark(before), true)); // never edits a file that it cannot parse
  refuseReadOnly(config);
  const after = keepingMark(before, (text) => edit(text, [...path], value));
  writeSettingsFile(config, after);
  keepConfig(home, after);
  return config;
}
