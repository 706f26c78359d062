import { existsSync } from "node:fs";
import { ContinuoError, describeError } from "../../../base/errors.ts";
import { HOST_NAMES } from "../../../base/host-names.ts";
import { MCP_CLIENT_NAMES } from "../../../hosts/mcp/clients.ts";
import { hasEntries, type Installer, partsOf } from "../../../hosts/port/installer.ts";
import { isChange } from "../../../hosts/shared/install/wire.ts";
import { allAgents, findAgents, inSettings } from "../../../setup/agents.ts";
import { type Planned, planRemoval } from "../../../setup/plan.ts";
import { findHome, type Home } from "../../../store/home.ts";
import { readBytes } from "../../../store/read-file.ts";
import type { Command, Input, Outcome } from "../../command.ts";
import { type Ask, canAsk, choiceAsker } from "../../terminal/input.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { askDeletion, deleteNow } from "./delete-data.ts";
import { diffOf, sayDiff } from "./edit-diff.ts";
import { installationOf } from "./installation.ts";
import { type OwnData, ownData } from "./own-data.ts";
import { type Answer, askAbout, entriesInWords, filesInWords, hintLines, pathInWords } from "./words.ts";

export const uninstall: Command = {
  name: "uninstall",
  summary: "remove Continuo from your agents; your data is kept",
  usage: "uninstall [AGENT…] [--all] [--data]",
  section: "start",
  options: {
    all: { type: "boolean", help: "remove it from every agent" },
    data: { type: "boolean", help: "remove it from every agent, then delete Continuo's folder" },
    diff: { type: "boolean", help: "show the edit and change nothing" },
    "dry-run": { type: "boolean", help: "the same as --diff" },
    yes: { type: "boolean", short: "y", help: "do not ask" },
  },
  arguments: { AGENT: { help: "one or more agents", choices: [...HOST_NAMES, ...MCP_CLIENT_NAMES] } },
  examples: [
    ["continuo uninstall claude-code", "disconnect Claude Code; asks first"],
    ["continuo uninstall --all", "disconnect all agents and keep your data"],
    ["continuo uninstall --all --data", "also delete Continuo's folder with notes, rules and index"],
  ],
  async run(input) {
    const home = findHome(input.env);
    const wantsAll = input.values["all"] === true || input.values["data"] === true;
    const isAsked = input.values["yes"] !== true && input.values["json"] !== true && canAsk(input);
    const names = input.positionals;
    const named = await findAgents(input, names);
    // Checked before anything is changed: a folder that must not be deleted, and a user who cannot be asked.
    const data = input.values["data"] === true ? ownData(home, input.env) : undefined;
    const isPreview = input.values["diff"] === true || input.values["dry-run"] === true;
    if (data !== undefined && !isPreview && !isAsked && input.values["yes"] !== true)
      throw new ContinuoError("not-confirmed", "not confirmed: there is no terminal to ask on", {
        hint: "confirm with --yes",
      });
    const agents = names.length > 0 && !wantsAll ? named : await connectedAgents(input);
    const mayGoOn = names.length > 0 || wantsAll || isAsked || isPreview || input.values["yes"] === true;
    if (!mayGoOn && agents.length > 0) return whichOnes(agents);
    return remove(input, home, agents, { data, isPreview, ask: isAsked ? choiceAsker() : undefined });
  },
};

/** Includes an agent with unreadable settings if they mention Continuo: removing says why it fails. */
async function connectedAgents(input: Input): Promise<Installer[]> {
  return (await allAgents(input)).filter((installer) => {
    try {
      return hasEntries(inSettings(installer, input.env).adds);
    } catch {
      return partsOf(installer).some((part) => mentions(part.settingsFile(input.env)));
    }
  });
}

function mentions(file: string): boolean {
  try {
    return readBytes(file, { maxBytes: 64 * 1024 * 1024 }).includes("continuo");
  } catch {
    return existsSync(file); // unknown, so assume yes
  }
}

function whichOnes(agents: readonly Installer[]): Outcome {
  const lines = agents.map(({ label, host }) => `${label}: continuo uninstall ${host}`);
  return {
    data: { agents: agents.map(({ host }) => ({ host, changed: false, files: [] })) },
    text: [
      "Continuo is connected to these agents. Nothing was changed.",
      ...lines,
      "All of them: continuo uninstall --all",
    ].join("\n"),
  };
}

interface Wishes {
  readonly data: OwnData | undefined;
  readonly isPreview: boolean;
  readonly ask: Ask | undefined;
}

/** What to do about one agent. */
interface Step {
  readonly installer: Installer;
  readonly planned: Planned;
  readonly files: readonly string[];
  /** `Removes hooks for 8 events from ~/.claude/settings.json`, without the first word. */
  readonly what: string;
}

/** All questions come before the first change. If one agent fails, the others are still removed. */
async function remove(
  input: Input,
  home: Home,
  agents: readonly Installer[],
  wishes: Wishes,
): Promise<Outcome> {
  const { env } = input;
  const { isPreview, ask } = wishes;
  const failures: { readonly installer: Installer; readonly error: unknown }[] = [];
  const looked: string[] = [];
  const steps: Step[] = [];
  const nothingToDo: Planned[] = [];
  for (const installer of agents) {
    try {
      const planned = planRemoval(input, installer, home);
      const files = planned.changes.filter(isChange).map(({ file }) => file);
      looked.push(...planned.changes.map(({ file }) => file));
      if (files.length === 0) {
        nothingToDo.push(planned);
        continue;
      }
      const entries = entriesInWords(inSettings(installer, env).adds);
      steps.push({ installer, planned, files, what: `${entries} from ${filesInWords(files, env)}` });
    } catch (error) {
      if (agents.length === 1) throw error;
      failures.push({ installer, error });
    }
  }
  const declined = new Set<Step>();
  if (ask !== undefined && !isPreview)
    for (const [at, step] of steps.entries())
      if ((await answerTo(input, ask, step, at > 0)) === "no") declined.add(step);
  const users = [...failures, ...declined].map(({ installer }) => installer.label);
  const deletion = await askDeletion(input, users, wishes);

  // A killed process may have left more than entries.
  if (!isPreview) for (const planned of nothingToDo) planned.apply(input.now());
  const lines: string[] = [];
  const removed: string[] = [];
  const results: { readonly host: string }[] = [];
  for (const step of steps) {
    const { installer, planned, files, what } = step;
    const { host, label } = installer;
    const isWanted = isPreview || !declined.has(step);
    try {
      if (isPreview) lines.push(`Removes ${what}`);
      else if (!isWanted) lines.push(`${label} was not changed.`);
      else {
        planned.apply(input.now());
        lines.push(`Continuo is removed from ${label}: ${what}`);
        removed.push(host);
      }
      const made = { changed: isWanted, dryRun: isPreview, files: files.map((file) => ({ file })) };
      results.push({ host, ...made });
    } catch (error) {
      if (agents.length === 1) throw error;
      failures.push({ installer, error });
    }
  }
  for (const { installer, error } of failures) {
    const { code, message, hint } = describeError(error);
    lines.push(`Continuo is not removed from ${installer.label}: ${message}`, ...hintLines(hint));
    const failed = { changed: false, dryRun: isPreview, files: [], error: { code, message } };
    results.push({ host: installer.host, ...failed });
  }
  if (steps.length === 0 && failures.length === 0) lines.push(nothing(looked, env));
  const isToDelete = deletion.isWanted && failures.length === 0;
  const { isDeleted, lines: told } = isToDelete
    ? deleteNow(input, deletion.data)
    : { isDeleted: false, lines: deletion.lines };
  lines.push(...told);
  if (!isDeleted && removed.length > 0)
    lines.push(
      `Your data is kept in ${pathInWords(home.root, env)}`,
      `To undo this: continuo install ${removed.join(" ")}`,
    );
  const isLast = removed.length > 0 && !isPreview && (await connectedAgents(input)).length === 0;
  if ((isDeleted || isLast) && installationOf(input.packageRoot).kind === "global")
    lines.push("To remove the program too: npm uninstall -g continuo");
  if (isPreview && steps.length > 0) lines.push("Nothing was changed.");
  const unchanged = { host: agents[0]?.host ?? null, changed: false, dryRun: isPreview, files: [] };
  const own = wishes.data === undefined ? {} : { data: { ...wishes.data, isDeleted } };
  const shown = isPreview
    ? await Promise.all(steps.map(({ planned }) => diffOf(input, planned.changes)))
    : [];
  return {
    data: {
      ...(agents.length === 1 || results.length === 0 ? (results[0] ?? unchanged) : { agents: results }),
      ...own,
    },
    text: [...shown, wrapOn(lines.join("\n"), input.screen ?? PLAIN, { hang: 2 })].join("\n"),
    exitCode: failures.length > 0 || isToDelete !== isDeleted ? 1 : 0,
  };
}

function answerTo(
  input: Input,
  ask: Ask,
  { installer, planned, what }: Step,
  isFurther: boolean,
): Promise<Answer> {
  return askAbout(ask, input.screen ?? PLAIN, {
    isFurther,
    about: [`Removes ${what}`],
    question: `Remove Continuo from ${installer.label}?`,
    usual: "yes",
    show: async () =>
      sayDiff(input, await diffOf(input, planned.changes), `continuo uninstall ${installer.host} --diff`),
  });
}

function nothing(looked: readonly string[], env: NodeJS.ProcessEnv): string {
  return looked.length === 0
    ? "Continuo is not connected to any agent. There is nothing to remove."
    : `Continuo is not installed in ${filesInWords(looked, env)}. Nothing was changed.`;
}
