import { ContinuoError } from "../../base/errors.ts";
import { oneLine } from "../../base/for-terminal.ts";
import type { Value } from "../../base/settings.ts";
import { nearest } from "../../base/text.ts";
import { shortPath } from "../../moments/project/known-project.ts";
import { type CurrentEntry, currentEntries } from "../../store/describe-config.ts";
import { findHome } from "../../store/home.ts";
import type { Command } from "../command.ts";
import { nextSteps } from "../terminal/next-step.ts";
import { paintFor } from "../terminal/paint.ts";
import { PLAIN, type Screen } from "../terminal/screen.ts";
import { table } from "../terminal/table.ts";
import { clipTo } from "../terminal/width.ts";
import { wrapOn } from "../terminal/wrap.ts";

export const configCommand: Command = {
  name: "config",
  summary: "show settings: value, origin and meaning",
  usage: "config [KEY]",
  section: "more",
  guide:
    "Settings are in config.json in Continuo's folder; some can be set by environment variables. Edit the file to change them.",
  options: {},
  arguments: { KEY: { help: "one setting, to see its default and what it accepts" } },
  examples: [
    ["continuo config", "list all settings"],
    ["continuo config tokenLimit", "explain one of them"],
  ],
  async run({ env, positionals, sources, screen = PLAIN }) {
    const file = findHome(env).config;
    const all = currentEntries(file, await sources(), env);
    const [key] = positionals;
    if (key === undefined)
      return { data: { file, settings: all }, text: overviewOf(shortPath(file, env), all, screen) };
    const entry = find(all, key);
    return { data: { file, settings: [entry] }, text: detailsOf(shortPath(file, env), entry, screen) };
  },
};

function find(all: readonly CurrentEntry[], key: string): CurrentEntry {
  const entry = all.find((one) => one.key.toLowerCase() === key.toLowerCase());
  if (entry !== undefined) return entry;
  const keys = all.map((one) => one.key);
  const near = nearest(key, keys) ?? keys.find((one) => one.endsWith(`.${key}`));
  throw new ContinuoError("usage", `there is no setting "${key}"`, {
    hint: near === undefined ? "all of them: continuo config" : `did you mean "${near}"?`,
  });
}

/** On a narrower screen the meaning is below the key. */
const WIDE = 110;

function overviewOf(file: string, all: readonly CurrentEntry[], screen: Screen): string {
  const paint = paintFor(screen);
  const rows = all.map((one) => [
    paint("bold", one.key),
    one.origin === "default" ? shown(one.value) : paint("cyan", shown(one.value)),
    paint("dim", originOf(one)),
    one.help,
  ]);
  return [
    wrapOn(`Settings (file: ${oneLine(file)}):`, screen),
    ...(screen.isFitted && screen.width < WIDE
      ? all.flatMap((one, at) => [
          `  ${clipTo(`${rows[at]?.[0]} = ${rows[at]?.[1]}`, screen.width - 2)}`,
          wrapOn(`      ${one.help}`, screen),
        ])
      : [
          table(["key", "value", "from", "meaning"], rows, screen, {
            wraps: [3],
            flexible: 1,
            optional: [2],
          }),
        ]),
    ...nextSteps(
      screen,
      ["continuo config KEY", "One setting, with its default and what it accepts"],
      ["continuo open settings", "Change settings"],
    ),
  ].join("\n");
}

function detailsOf(file: string, entry: CurrentEntry, screen: Screen): string {
  const paint = paintFor(screen);
  return [
    `${paint("bold", entry.key)} = ${shown(entry.value)}`,
    `  ${entry.help}`,
    `  accepts  ${entry.accepts}`,
    `  default  ${shown(entry.default)}`,
    `  from     ${originOf(entry)}${entry.origin === "file" ? ` ${file}` : ""}`,
    ...(entry.env === undefined ? [] : [`  environment variable  ${entry.env}`]),
  ]
    .map((line) => wrapOn(line, screen, { hang: /^ {2}(accepts|default|from) /.test(line) ? 9 : 0 }))
    .concat(nextSteps(screen, ["continuo open settings", "Change it"]))
    .join("\n");
}

function originOf({ origin, env }: CurrentEntry): string {
  return origin === "environment" ? (env ?? origin) : origin;
}

function shown(value: Value): string {
  return JSON.stringify(value);
}
