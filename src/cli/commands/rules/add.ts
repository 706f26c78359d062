import { basename, join } from "node:path";
import { ContinuoError, systemCode } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { mutedAt } from "../../../moments/state/muted.ts";
import type { Catalog } from "../../../sources/rules/catalog/catalog-rule.ts";
import { writeNewRule } from "../../../sources/rules/drafts/rule-file.ts";
import { stem } from "../../../sources/rules/named.ts";
import { findHome } from "../../../store/home.ts";
import { withLock } from "../../../store/lock.ts";
import { readMutes } from "../../../store/mutes.ts";
import type { Input, Outcome } from "../../command.ts";
import { textOption, textsOption } from "../../terminal/options.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { undoLine } from "../notes/undo-line.ts";
import { wiredHosts } from "../start/wired-hosts.ts";
import { deadGlobs, projectFiles } from "./check.ts";
import { waitsFor } from "./condition.ts";
import { judgeAll } from "./judged.ts";
import { freeName, givenName, globsFrom, isSameText, nameFor, ruleFile, ruleText } from "./new-rule.ts";
import { type RulePlace, rulePlace } from "./rule-place.ts";

const WAIT_MS = 5000;

/** What `--json` prints, and the page gets. */
export interface AddedRule {
  readonly name: string;
  readonly path: string;
  readonly scope: RulePlace["scope"];
  /** `always`, or `when` and what it waits for. */
  readonly when: string;
  readonly tokens: number | null;
  readonly warnings: readonly string[];
}

/** Writes a new rule file. Never replaces one. */
export async function add(input: Input): Promise<Outcome & { readonly data: AddedRule }> {
  const text = ruleText(input.positionals.slice(1).join(" "));
  const globs = globsFrom(textsOption(input, "globs"));
  const wanted = textOption(input, "name");
  const name = wanted === undefined ? undefined : givenName(wanted);
  const place = rulePlace(input);
  const content = await ruleFile(text, globs);
  const path = await alone(input, place, async () => {
    const { catalog } = await judgeAll(input);
    refuseDuplicate(input, catalog, text, place);
    const taken = takenNames(catalog);
    if (name !== undefined && taken.has(name.toLowerCase()))
      throw new ContinuoError("rule-exists", `there is already a rule named "${name}"`, {
        hint: `choose another --name, or change that one: continuo open ${commandWord(name)}`,
      });
    const free = freeName(name ?? nameFor(text), taken);
    return writeNewRule(place.folder, free, content, place.within).path;
  });
  return outcome(input, place, path);
}

/** One at a time, so that two writers do not add the same rule twice. */
async function alone<T>(input: Input, place: RulePlace, work: () => Promise<T>): Promise<T> {
  const lock = join(findHome(input.env).locks, `rules-${fingerprint(place.folder)}`);
  try {
    return await withLock(lock, work, { waitMs: WAIT_MS });
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    const folder = shortPath(place.folder, input.env);
    throw new ContinuoError("rule-unwritable", `no rule was added: ${folder} cannot be written (${code})`, {
      hint:
        place.scope === "project"
          ? "make the folder writable, or add the rule for all your projects with --user"
          : "make the folder writable, or free some disk space",
      cause: error,
    });
  }
}

/** A rule with this text that holds wherever the new one would. */
function refuseDuplicate(input: Input, { rules }: Catalog, text: string, { scope }: RulePlace): void {
  const same = rules.find(
    (rule) => (scope === "project" || rule.file.scope === "global") && isSameText(rule.body, text),
  );
  if (same === undefined) return;
  const path = oneLine(shortPath(same.file.path, input.env));
  throw new ContinuoError("rule-exists", `there is already a rule with this text: ${path}`, {
    hint: `to change when it applies: continuo open ${commandWord(stem(same.file.name))}`,
  });
}

/** A project's rule replaces the user's of the same name, so the names of both count. */
function takenNames({ rules, rejects, repeated, pending }: Catalog): Set<string> {
  const paths = [
    ...[...rules, ...repeated].map(({ file }) => file.path),
    ...rejects.map(({ path }) => path),
    ...pending.map(({ path }) => path),
  ];
  return new Set(paths.map((path) => stem(basename(path)).toLowerCase()));
}

async function outcome(input: Input, place: RulePlace, path: string): ReturnType<typeof add> {
  const screen = input.screen ?? PLAIN;
  const paint = paintFor(screen);
  const { project, catalog, judged, leftOut } = await judgeAll(input);
  const mine = judged.find(({ rule }) => rule.file.path === path);
  const name = stem(basename(path));
  const waits = mine === undefined ? undefined : waitsFor(mine.rule);
  const when = waits === undefined ? "always" : `when ${waits}`;
  const muted = mine && mutedAt(readMutes(findHome(input.env)).mutes, { project: project.id });
  const dead =
    mine === undefined || place.scope === "user"
      ? []
      : deadGlobs(mine.rule, projectFiles(project.root), { left: Number.POSITIVE_INFINITY });
  const warnings = [
    ...catalog.rejects.filter((one) => one.path === path).map(({ message }) => message),
    ...(mine?.rule.lints ?? []).map(({ message }) => message),
    ...leftOut.filter(({ rule }) => rule === mine?.rule).map(({ message, hint }) => `${message}; ${hint}`),
    ...dead.map(({ message }) => `${message} yet`),
    ...(mine && muted?.of("rules", mine.rule.file.key) !== undefined
      ? ["rules are muted here, so no session gets it; see: continuo mutes"]
      : []),
  ];
  const hasAgent = (await wiredHosts(input)).length > 0;
  return {
    data: { name, path, scope: place.scope, when, tokens: mine?.tokens ?? null, warnings },
    text: [
      `${paint("green", "Added")} the rule ${paint("bold", name)}`,
      ...(place.note === undefined ? [] : [`  ${place.note}`]),
      `  given    ${oneLine(givenText(waits, place))}`,
      `  arrives  ${arrivesText(waits, hasAgent)}`,
      `  cost     ${counted(mine?.tokens ?? 0, "token")} each time it is given`,
      ...warnings.map((message) => `  ${paint("yellow", "warning")}  ${oneLine(message)}`),
    ]
      .map((line) => wrapOn(line, screen, { hang: 9 }))
      .concat(
        // Not broken: both are copied.
        `  file     ${oneLine(shortPath(path, input.env))}`,
        wrapOn(`           ${place.sharing}`, screen),
        undoLine(input, `continuo rules remove ${commandWord(name)}`),
      )
      .join("\n"),
  };
}

/** When sessions are given the rule. */
function givenText(waits: string | undefined, { where }: RulePlace): string {
  return waits === undefined
    ? `in every session ${where}, and again after each compaction`
    : `once ${waits}, in any session ${where}; from then on again after each compaction`;
}

/** When it reaches a session that runs already. */
function arrivesText(waits: string | undefined, hasAgent: boolean): string {
  if (!hasAgent) return "nowhere yet: no agent is connected. Connect one: continuo install";
  return waits === undefined
    ? "at the start of new sessions, and in running ones with the next prompt or tool call"
    : "right after that, in running sessions too";
}
