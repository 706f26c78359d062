import { isRecord } from "../base/json.ts";
import {
  type Origin,
  readSettings,
  type Schema,
  type Setting,
  type Value,
  wanted,
} from "../base/settings.ts";
import {
  CORE_SETTINGS,
  EVERY_SOURCE,
  groupsIn,
  HOST_SETTINGS,
  loadConfig,
  type NamedSchema,
  readRaw,
} from "./config.ts";

/** One key of the config, as it is declared, and its current value. */
interface ConfigEntry {
  /** The key as written in the file, with its groups: `sources.rules.enabled`. */
  readonly key: string;
  readonly help: string;
  /** What the key accepts, in words. */
  readonly accepts: string;
  readonly default: Value;
  /** The environment variable that wins over the file. */
  readonly env?: string;
}

export interface CurrentEntry extends ConfigEntry {
  readonly value: Value;
  readonly origin: Origin;
}

/** Every key: the core's, each source's, each host's. */
export function configEntries(sources: readonly NamedSchema[]): ConfigEntry[] {
  return groupsOf(sources).flatMap(({ group, schema }) =>
    Object.entries(schema).map(([key, setting]) => entryOf(group + key, setting)),
  );
}

/** The same keys with their current value and where it comes from. A value that is not accepted counts as unset. */
export function currentEntries(
  path: string,
  sources: readonly NamedSchema[],
  env: NodeJS.ProcessEnv,
): CurrentEntry[] {
  const { own, ofSources, ofHosts } = groupsIn(readRaw(path).raw);
  const { rulesLimit } = loadConfig(path, sources, env).config;
  const given: Readonly<Record<Group["kind"], unknown>> = {
    core: { "": own },
    sources: ofSources,
    hosts: ofHosts,
  };
  return groupsOf(sources).flatMap(({ group, schema, kind, name }) => {
    const groups = given[kind];
    const { values, origins } = readSettings(isRecord(groups) ? groups[name] : undefined, schema, env);
    return Object.entries(schema).map(([key, setting]) => ({
      ...entryOf(group + key, setting),
      // The default of rulesLimit follows tokenLimit.
      value: group + key === "rulesLimit" ? rulesLimit : (values[key] ?? setting.default),
      origin: origins[key] ?? "default",
    }));
  });
}

interface Group {
  readonly kind: "core" | "sources" | "hosts";
  readonly name: string;
  /** The prefix of a key, such as `sources.rules.`. */
  readonly group: string;
  readonly schema: Schema;
}

function groupsOf(sources: readonly NamedSchema[]): Group[] {
  return [
    { kind: "core", name: "", group: "", schema: CORE_SETTINGS },
    ...sources.map(
      ({ name, settings }): Group => ({
        kind: "sources",
        name,
        group: `sources.${name}.`,
        schema: { ...EVERY_SOURCE, ...settings },
      }),
    ),
    ...Object.entries(HOST_SETTINGS).map(
      ([name, schema]): Group => ({ kind: "hosts", name, group: `hosts.${name}.`, schema }),
    ),
  ];
}

function entryOf(key: string, setting: Setting): ConfigEntry {
  const { help, env } = setting;
  return { key, help, accepts: wanted(setting), default: setting.default, env };
}
