import { oneLine } from "../../../base/for-terminal.ts";
import type { Project } from "../../../moments/types.ts";
import { loadSourceSettings } from "../../../store/config.ts";
import { homeAt } from "../../../store/home.ts";
import { addMute, removeMute } from "../../../store/mutes.ts";
import { readTrust, setTrust } from "../../../store/trust.ts";
import { readCatalog } from "../catalog/catalog.ts";
import type { CatalogRule } from "../catalog/catalog-rule.ts";
import { PATIENT_LIMITS } from "../files/limits.ts";
import { RULES_SETTINGS } from "../settings.ts";
import { checksToTrust, fingerprintOf, haveChanged } from "../trusted-checks.ts";
import type { QuestionRecord } from "./records.ts";
import { denyEdit, readRuleText, writeEdit, writtenFile } from "./rule-file.ts";
import type { Deciding, Outcome } from "./suggestions.ts";

/** From now on breaches are refused: the check's reaction becomes `deny` in the rule's own file. */
export async function acceptQuestion({ question }: QuestionRecord, deciding: Deciding): Promise<Outcome> {
  const { project, name, check } = question;
  const rules = await rulesOf(project.root, deciding);
  const rule = rules.find(({ file }) => file.key === question.rule);
  if (rule === undefined)
    return { done: false, message: `The rule "${oneLine(name)}" no longer exists.`, isGone: true };
  const { path, scope, dialect, key } = rule.file;
  const broken = rule.checks.find(({ id }) => id === check);
  if (broken === undefined)
    return { done: false, message: `${path} has changed since, and so has this check.`, isGone: true };
  if (broken.on === "run")
    return {
      done: false,
      message: `A command runs after the agent has stopped: nothing can be refused. Reject the suggestion, mute the rule, or change ${path}.`,
    };
  if (scope === "project" && !readTrust({ root: deciding.home }).projects.includes(project.id))
    return {
      done: false,
      message: `A rule can refuse only in a project that you trust. In ${project.root}, run: continuo rules trust. Then decide again.`,
    };
  const within = scope === "project" ? project.root : undefined;
  const text = readRuleText(path, within);
  const edit = text === undefined ? undefined : await denyEdit(text, check, { name: key, dialect });
  if (text === undefined || edit === undefined)
    return {
      done: false,
      message: `The frontmatter of ${path} cannot be changed safely. Add to its check: reaction: deny`,
    };
  const written = writtenFile(path, within);
  const change = await withTrust(project, deciding, () => writeEdit(path, text, edit));
  return {
    done: true,
    message: `Refused from now on: what breaks the rule "${oneLine(name)}" (${oneLine(written)})`,
    change,
    project,
  };
}

/**
 * Changes a rule's file for the user. If the user trusts the project and had seen all its checks, they still count as
 * seen afterwards, because the change is the user's own.
 */
export async function withTrust<T>(project: Project, deciding: Deciding, change: () => T): Promise<T> {
  const home = homeAt(deciding.home);
  const shown = async () => checksToTrust(await rulesOf(project.root, deciding));
  const trust = readTrust(home);
  const hasSeenAll = trust.projects.includes(project.id) && !haveChanged(trust, project.id, await shown());
  const changed = change();
  if (hasSeenAll)
    await setTrust(home, project.id, fingerprintOf(await shown()), deciding.now, trust.runs[project.id]);
  return changed;
}

async function rulesOf(root: string, { home, env, now }: Deciding): Promise<readonly CatalogRule[]> {
  const settings = loadSourceSettings(homeAt(home).config, "rules", RULES_SETTINGS, env);
  // Without a host's name, to read the rules of every folder.
  const { rules } = await readCatalog({
    root,
    home,
    env,
    settings,
    host: "cli",
    readOnly: true,
    now,
    limits: PATIENT_LIMITS,
  });
  return rules;
}

export async function muteQuestion({ question }: QuestionRecord, { home, now }: Deciding): Promise<Outcome> {
  const { project, rule, name } = question;
  const what = `rules/${rule}`;
  await addMute(homeAt(home), {
    in: "project",
    project: project.id,
    what,
    at: new Date(now).toISOString(),
    title: oneLine(name),
  });
  return {
    done: true,
    message: `Muted the rule "${oneLine(name)}" in ${oneLine(project.label)}: it is neither given nor checked`,
    muted: JSON.stringify([project.id, what]),
  };
}

/** Removes such a mute. */
export async function unmute(home: string, muted: string): Promise<void> {
  const [project, what] = JSON.parse(muted) as [string, string];
  await removeMute(homeAt(home), { in: "project", project, what });
}
