import { ContinuoError } from "../../base/errors.ts";
import { oneLine } from "../../base/for-terminal.ts";
import { nearest } from "../../base/text.ts";
import { type CurrentEntry, currentEntries } from "../../store/describe-config.ts";
import { fields, optional, text } from "../actions/fields.ts";
import { action, alone } from "../ports/action.ts";
import type { Block, Shown } from "../ports/view.ts";
import { shortPath } from "../project/known-project.ts";

const config = action({
  name: "config",
  about: "show settings: value, origin and meaning",
  guide:
    "Settings are in config.json in Continuo's folder; some can be set by environment variables. Edit the file to change them.",
  examples: [
    ["continuo config", "list all settings"],
    ["continuo config tokenLimit", "explain one of them"],
  ],
  effect: "reads",
  input: fields({
    key: optional(text("one setting, to see its default and what it accepts", { typed: "word" })),
  }),
  async run({ key }, { env, home, sources }) {
    const all = currentEntries(home.config, await sources(), env);
    return {
      file: home.config,
      settings: key === undefined ? all : [find(all, key)],
      isAll: key === undefined,
    };
  },
  json: ({ file, settings }) => ({ file, settings }),
  view({ file, settings, isAll }, shown) {
    const where = oneLine(shortPath(file, shown.env));
    if (!isAll) return settings.flatMap((entry) => detailsOf(where, entry, shown));
    const { paint } = shown;
    const rows = settings.map((one) => [
      paint("bold", one.key),
      one.origin === "default" ? JSON.stringify(one.value) : paint("cyan", JSON.stringify(one.value)),
      paint("dim", originOf(one)),
      one.help,
    ]);
    return [
      `Settings (file: ${where}):`,
      {
        columns: ["key", "value", "from", "meaning"],
        rows,
        fit: { wraps: [3], flexible: 1, optional: [2], lastBelow: 110 },
      },
      {
        next: [
          ["continuo config KEY", "One setting, with its default and what it accepts"],
          ["continuo open settings", "Change settings"],
        ],
      },
    ];
  },
});

function find(all: readonly CurrentEntry[], key: string): CurrentEntry {
  const entry = all.find((one) => one.key.toLowerCase() === key.toLowerCase());
  if (entry !== undefined) return entry;
  const keys = all.map((one) => one.key);
  const near = nearest(key, keys) ?? keys.find((one) => one.endsWith(`.${key}`));
  throw new ContinuoError("usage", `there is no setting "${key}"`, {
    hint: near === undefined ? "all of them: continuo config" : `did you mean "${near}"?`,
  });
}

function detailsOf(file: string, entry: CurrentEntry, { paint }: Shown): Block[] {
  return [
    `${paint("bold", entry.key)} = ${JSON.stringify(entry.value)}`,
    `  ${entry.help}`,
    ...[
      `  accepts  ${entry.accepts}`,
      `  default  ${JSON.stringify(entry.default)}`,
      `  from     ${originOf(entry)}${entry.origin === "file" ? ` ${file}` : ""}`,
    ].map((line) => ({ text: line, hang: 9 })),
    ...(entry.env === undefined ? [] : [`  environment variable  ${entry.env}`]),
    { next: [["continuo open settings", "Change it"]] },
  ];
}

function originOf({ origin, env }: CurrentEntry): string {
  return origin === "environment" ? (env ?? origin) : origin;
}

export const CONFIG_GROUP = alone("more", config);
