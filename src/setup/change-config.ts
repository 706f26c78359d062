import { join } from "node:path";
import { isSystemError } from "../base/errors.ts";
import { edit } from "../hosts/shared/install/json-text.ts";
import { naming, parseObject } from "../hosts/shared/install/jsonc.ts";
import {
  keepingMark,
  readSettingsFile,
  refuseReadOnly,
  unwritable,
  withoutMark,
  writeSettingsFile,
} from "../hosts/shared/install/settings-file.ts";
import { keepConfig } from "../store/config-backup.ts";
import { findHome, type Home } from "../store/home.ts";
import { withLock } from "../store/lock.ts";

const WAIT_MS = 5_000;

/**
 * Sets one value in config.json, or removes it if undefined. Every other byte stays. Returns the path of the file. Only
 * one process writes at a time, so a value that depends on the previous one is a function, called with the settings as
 * they are then.
 */
export async function changeConfig(
  { env }: { readonly env: NodeJS.ProcessEnv },
  path: readonly string[],
  value: unknown,
): Promise<string> {
  const home = findHome(env);
  const change = () => changeNow(home, path, typeof value === "function" ? value() : value);
  return withLock(join(home.locks, "config"), change, { waitMs: WAIT_MS }).catch((error: unknown) => {
    throw isSystemError(error) ? unwritable(home.config, error) : error;
  });
}

function changeNow(home: Home, path: readonly string[], value: unknown): string {
  const { config } = home;
  const before = readSettingsFile(config) ?? "";
  naming(config, () => parseObject(withoutMark(before), true)); // never edits a file that it cannot parse
  refuseReadOnly(config);
  const after = keepingMark(before, (text) => edit(text, [...path], value));
  writeSettingsFile(config, after);
  keepConfig(home, after);
  return config;
}
