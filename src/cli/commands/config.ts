import { ContinuoError } from "../../base/errors.ts";
import type { Value } from "../../base/settings.ts";
import { nearest } from "../../base/text.ts";
import { type CurrentEntry, currentEntries } from "../../store/describe-config.ts";
import { findHome } from "../../store/home.ts";
import type { Command } from "../command.ts";
import { table } from "../terminal/table.ts";

export const configCommand: Command = {
  name: "config",
  summary: "show every setting: value, origin, default and meaning",
  usage: "config [KEY]",
  options: {},
  async run({ env, positionals, sources }) {
    const file = findHome(env).config;
    const all = currentEntries(file, await sources(), env);
    const [key] = positionals;
    if (key === undefined) return { data: { file, settings: all }, text: overviewOf(file, all) };
    const entry = find(all, key);
    return { data: { file, settings: [entry] }, text: detailsOf(file, entry) };
  },
};

function find(all: readonly CurrentEntry[], key: string): CurrentEntry {
  const entry = all.find((one) => one.key === key);
  if (entry !== undefined) return entry;
  const keys = all.map((one) => one.key);
  const near = nearest(key, keys) ?? keys.find((one) => one.endsWith(`.${key}`));
  throw new ContinuoError("usage", `there is no setting "${key}"`, {
    hint: near === undefined ? "all of them: continuo config" : `did you mean "${near}"?`,
  });
}

function overviewOf(file: string, all: readonly CurrentEntry[]): string {
  const rows = all.map((one) => [one.key, shown(one.value), originOf(one), one.help]);
  return [`Settings (file: ${file}):`, table(["key", "value", "from", "meaning"], rows)].join("\n");
}

function detailsOf(file: string, entry: CurrentEntry): string {
  return [
    `${entry.key} = ${shown(entry.value)}`,
    `  ${entry.help}`,
    `  accepts  ${entry.accepts}`,
    `  default  ${shown(entry.default)}`,
    `  from     ${originOf(entry)}${entry.origin === "file" ? ` ${file}` : ""}`,
    ...(entry.env === undefined ? [] : [`  environment variable  ${entry.env}`]),
  ].join("\n");
}

function originOf({ origin, env }: CurrentEntry): string {
  return origin === "environment" ? (env ?? origin) : origin;
}

function shown(value: Value): string {
  return JSON.stringify(value);
}
