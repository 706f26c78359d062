import { basename, join } from "node:path";
import { ContinuoError, systemCode } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import { pauses } from "../../../base/slices.ts";
import { withoutRuleExtension } from "../../../base/slug.ts";
import { count } from "../../../base/when.ts";
import { fields, flag, optional, PROJECT, text, texts } from "../../../moments/actions/fields.ts";
import { action, type Place } from "../../../moments/ports/action.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { mutedAt } from "../../../moments/state/muted.ts";
import { withLock } from "../../../store/lock.ts";
import { readMutes } from "../../../store/mutes.ts";
import type { Catalog } from "../catalog/catalog-rule.ts";
import { waitsFor } from "../matching/condition-words.ts";
import { deadGlobs, projectFiles } from "./check.ts";
import { judgeFor } from "./imagined.ts";
import { type RulePlace, rulePlace } from "./rule-place.ts";

const WAIT_MS = 5000;

/** Writes a new rule file. Never replaces one. */
export const add = action({
  name: "rules add",
  about: "write a new rule for this project, or with --user for all your projects",
  guide:
    "The rule is a Markdown file in `.continuo/rules` of the project; with --user, and in your home folder, in `CONTINUO_HOME/rules`. New sessions begin with it, and running ones get it with their next prompt or tool call. With --globs it is given when a matching file is read, edited or mentioned with @ in a prompt. A rule with the same text is not added twice, and no file is replaced.",
  effect: "decides",
  changes: "rules",
  input: fields({
    text: text("what the agent should do; quotes are optional", { typed: "rest", most: 50_000 }),
    globs: optional(
      texts("give the rule only when a matching file is read, edited or mentioned", {
        value: "GLOBS",
        fallback: "the rule always applies",
      }),
    ),
    name: optional(text("name of the rule", { fallback: "made from its text" })),
    user: optional(flag("make it a rule for all your projects")),
    project: PROJECT,
  }),
  examples: [
    ['continuo rules add "Run the tests before you say done."', "every session in this project gets it"],
    [
      "continuo rules add \"Imports end in .ts.\" --globs 'src/**/*.ts'",
      "only sessions that touch such a file get it",
    ],
    ['continuo rules add "Answer in British English." --user', "in all your projects"],
  ],
  async run({ text: given, globs = [], name: wanted, user, project }, place) {
    // Imported here, because other commands about rules need neither words nor tokens nor the parser.
    const { freeName, givenName, globsFrom, isSameText, nameFor, ruleFile, ruleText } = await import(
      "./new-rule.ts"
    );
    const { writeNewRule } = await import("../drafts/rule-file.ts");
    const text = ruleText(given);
    const patterns = globsFrom(globs);
    const name = wanted === undefined ? undefined : givenName(wanted);
    const folder = rulePlace({ user, project }, place);
    const content = await ruleFile(text, patterns);
    const path = await alone(place, folder, async () => {
      const { catalog } = await judgeFor({ project }, place);
      refuseDuplicate(place.env, catalog, (other) => isSameText(other, text), folder.scope);
      const taken = takenNames(catalog);
      if (name !== undefined && taken.has(name.toLowerCase()))
        throw new ContinuoError("rule-exists", `there is already a rule named "${name}"`, {
          hint: `choose another --name, or change that one: continuo open ${commandWord(name)}`,
        });
      const free = freeName(name ?? nameFor(text), taken);
      return writeNewRule(folder.folder, free, content, folder.within).path;
    });
    const added = await addedRule({ project }, folder, path, place);
    return { added, folder, isConnected: (await (await place.others?.())?.isConnected()) ?? true };
  },
  json: ({ added: { waits, ...rule } }) => ({ ...rule, when: whenText(waits) }),
  view({ added, folder, isConnected }, { env, paint }) {
    const { name, path, waits, tokens, warnings } = added;
    return [
      ...[
        `${paint("green", "Added")} the rule ${paint("bold", name)}`,
        ...(folder.note === undefined ? [] : [`  ${folder.note}`]),
        `  given    ${oneLine(givenText(waits, folder))}`,
        `  arrives  ${arrivesText(waits, isConnected)}`,
        `  cost     ${count(tokens ?? 0, "token")} each time it is given`,
        ...warnings.map((message) => `  ${paint("yellow", "warning")}  ${oneLine(message)}`),
      ].map((line) => ({ text: line, hang: 9 })),
      // Not wrapped, because users copy it.
      { text: `  file     ${oneLine(shortPath(path, env))}`, isExact: true },
      `           ${folder.sharing}`,
      { undo: `continuo rules remove ${commandWord(name)}` },
    ];
  },
});

/** The result for programs. `waits`: what the rule waits for, if it does not always apply. */
async function addedRule(
  imagined: { readonly project: string | undefined },
  { scope }: RulePlace,
  path: string,
  place: Place,
) {
  const { project, catalog, judged, leftOut } = await judgeFor(imagined, place);
  const mine = judged.find(({ rule }) => rule.file.path === path);
  const muted = mine && mutedAt(readMutes(place.home).mutes, { project: project.id });
  const work = { pause: pauses(), budget: { left: Number.POSITIVE_INFINITY } };
  const dead =
    mine === undefined || scope === "user"
      ? []
      : await deadGlobs(mine.rule, await projectFiles(project.root, work), work);
  const warnings = [
    ...catalog.rejects.filter((one) => one.path === path).map(({ message }) => message),
    ...(mine?.rule.lints ?? []).map(({ message }) => message),
    ...leftOut.filter(({ rule }) => rule === mine?.rule).map(({ message, hint }) => `${message}; ${hint}`),
    ...dead.map(({ message }) => `${message} yet`),
    ...(mine && muted?.of("rules", mine.rule.file.key) !== undefined
      ? ["rules are muted here, so no session gets it; see: continuo mutes"]
      : []),
  ];
  const waits = mine && waitsFor(mine.rule);
  return {
    name: withoutRuleExtension(basename(path)),
    path,
    scope,
    waits,
    tokens: mine?.tokens ?? null,
    warnings,
  };
}

const whenText = (waits: string | undefined): string => (waits === undefined ? "always" : `when ${waits}`);

/** Runs one at a time, so that two writers do not add the same rule twice. */
async function alone<T>(place: Place, folder: RulePlace, work: () => Promise<T>): Promise<T> {
  const lock = join(place.home.locks, `rules-${fingerprint(folder.folder)}`);
  try {
    return await withLock(lock, work, { waitMs: WAIT_MS });
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    const path = shortPath(folder.folder, place.env);
    throw new ContinuoError("rule-unwritable", `no rule was added: ${path} cannot be written (${code})`, {
      hint:
        folder.scope === "project"
          ? "make the folder writable, or add the rule for all your projects with --user"
          : "make the folder writable, or free some disk space",
      cause: error,
    });
  }
}

/** Refuses a text if a rule with the same text applies wherever the new one would. */
function refuseDuplicate(
  env: NodeJS.ProcessEnv,
  { rules }: Catalog,
  isSame: (text: string) => boolean,
  scope: RulePlace["scope"],
): void {
  const same = rules.find(
    (rule) => (scope === "project" || rule.file.scope === "global") && isSame(rule.body),
  );
  if (same === undefined) return;
  const path = oneLine(shortPath(same.file.path, env));
  throw new ContinuoError("rule-exists", `there is already a rule with this text: ${path}`, {
    hint: `to change when it applies: continuo open ${commandWord(withoutRuleExtension(same.file.name))}`,
  });
}

/** A project's rule replaces the user's rule of the same name, so the names of both count. */
function takenNames({ rules, rejects, repeated, pending }: Catalog): Set<string> {
  const paths = [
    ...[...rules, ...repeated].map(({ file }) => file.path),
    ...rejects.map(({ path }) => path),
    ...pending.map(({ path }) => path),
  ];
  return new Set(paths.map((path) => withoutRuleExtension(basename(path)).toLowerCase()));
}

/** When sessions get the rule. */
function givenText(waits: string | undefined, { where }: RulePlace): string {
  return waits === undefined
    ? `in every session ${where}, and again after each compaction`
    : `once ${waits}, in any session ${where}; from then on again after each compaction`;
}

/** When a running session gets it. */
function arrivesText(waits: string | undefined, hasAgent: boolean): string {
  if (!hasAgent) return "nowhere yet: no agent is connected. Connect one: continuo install";
  return waits === undefined
    ? "at the start of new sessions, and in running ones with the next prompt or tool call"
    : "right after that, in running sessions too";
}
