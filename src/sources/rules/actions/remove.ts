import { basename, dirname } from "node:path";
import { ContinuoError, systemCode } from "../../../base/errors.ts";
import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import { withoutRuleExtension } from "../../../base/slug.ts";
import { clipWithin } from "../../../base/text.ts";
import { fields, PROJECT, text } from "../../../moments/actions/fields.ts";
import { action, type Place } from "../../../moments/ports/action.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { moveToTrash } from "../../../store/trash.ts";
import type { Catalog } from "../catalog/catalog-rule.ts";
import type { RuleFile } from "../files/folders.ts";
import { readBody } from "../files/load.ts";
import { isCalled } from "../named.ts";
import { unknownRule } from "./choose-rule.ts";
import { judgeFor } from "./imagined.ts";

/** Moves a rule file to the trash, after confirmation. */
export const remove = action({
  name: "rules remove",
  about: "remove a rule; continuo restore brings it back",
  guide:
    "Asks first. The file is moved to Continuo's trash. Rule files of other programs, such as `.cursor/rules`, are not removed: turn them off with `continuo mute`.",
  effect: "decides",
  changes: "rules",
  input: fields({
    rule: text("a rule by its name or its file", { typed: "rest" }),
    project: PROJECT,
  }),
  examples: [
    ["continuo rules remove run-the-tests", "asks, then moves the file to the trash"],
    ["continuo rules remove run-the-tests --yes", "the same without asking"],
  ],
  async asks({ rule: wanted, project }, place) {
    const { file, short } = await ownRule(wanted, project, place);
    const { path } = file;
    return {
      ask: `${oneLine(short)}\n  "${beginning(path)}"\nRemove this rule${whose(file)}?`,
      unasked: new ContinuoError(
        "not-confirmed",
        `${short} was not removed: there is no terminal to ask on`,
        {
          hint: `confirm with --yes: continuo rules remove ${commandWord(withoutRuleExtension(file.name))} --yes`,
        },
      ),
      declined: { data: { path, removed: false }, text: "Nothing was removed." },
      // Uses the path from here on: after the question, the name could refer to another rule.
      input: { rule: path, project },
    };
  },
  async run({ rule: wanted, project: folder }, place) {
    const { file, short, project } = await ownRule(wanted, folder, place);
    const { path } = file;
    const within = file.scope === "project" ? project.root : dirname(path);
    const name = withoutRuleExtension(basename(path));
    try {
      const { id, file: keptAs } = moveToTrash(place.home, {
        ...{ kind: "rule", name, path, within },
        at: place.now(),
      });
      return { path, removed: true, id, keptAs };
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined) throw error;
      throw new ContinuoError("rule-unwritable", `${short} was not removed (${code})`, {
        hint: code === "ENOENT" ? "it is gone already" : "make its folder and Continuo's home writable",
        cause: error,
      });
    }
  },
  view: ({ path, id }, { env, paint }) => [
    `Removed the rule ${paint("bold", oneLine(withoutRuleExtension(basename(path))))}`,
    { text: `  ${oneLine(shortPath(path, env))}`, isExact: true },
    "  Running sessions that have it are told with their next prompt that it no longer applies.",
    { undo: `continuo restore ${id}` },
  ],
});

/** The named file, if Continuo may remove it. */
async function ownRule(wanted: string, folder: string | undefined, place: Place) {
  const { catalog, project } = await judgeFor({ project: folder }, place);
  const file = chosen(place.env, wanted, catalog);
  const short = shortPath(file.path, place.env);
  if (file.dialect === "continuo") return { file, short, project };
  throw new ContinuoError("rule-foreign", `${short} is a rule file of another program`, {
    hint: `delete the file yourself, or only turn the rule off here: continuo mute ${commandWord(withoutRuleExtension(file.name))}`,
  });
}

function whose({ scope }: RuleFile): string {
  return scope === "global" ? " of yours, which applies in all projects" : "";
}

/** The only matching file: used, refused, or hidden by another one. */
function chosen(
  env: NodeJS.ProcessEnv,
  wanted: string,
  { rules, rejects, repeated, pending }: Catalog,
): RuleFile {
  const named = [
    ...rules.map(({ name, file }) => ({ name, file })),
    ...[...repeated.map(({ file }) => file), ...pending, ...rejects.flatMap(({ file }) => file ?? [])].map(
      (file) => ({ name: file.name, file }),
    ),
  ];
  const found = named.filter((one) => isCalled(wanted, one) || shortPath(one.file.path, env) === wanted);
  const [only] = found;
  if (only === undefined)
    throw unknownRule(
      wanted,
      named.map(({ file }) => withoutRuleExtension(file.name)),
    );
  if (found.length === 1) return only.file;
  const paths = found.map(({ file }) => oneLine(shortPath(file.path, env)));
  throw new ContinuoError("rule-ambiguous", `${found.length} rules are called "${wanted}"`, {
    hint: `give the path of one: ${paths.join(", ")}`,
  });
}

const SHOWN = 100;

function beginning(path: string): string {
  return clipWithin(oneLine(readBody(path)), SHOWN);
}
