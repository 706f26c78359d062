import { existsSync } from "node:fs";
import { describeError } from "../../../base/errors.ts";
import { HOST_NAMES } from "../../../base/host-names.ts";
import { MCP_CLIENT_NAMES } from "../../../hosts/mcp/clients.ts";
import { hasEntries, type Installer, partsOf } from "../../../hosts/port/installer.ts";
import { isChange } from "../../../hosts/shared/install/wire.ts";
import { notAsked } from "../../../moments/actions/not-asked.ts";
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
    if (data !== undefined && !isPreview && !isAsked && input.values["yes"] !== true) throw notAsked();
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

/** What to do for one agent, and later the outcome. */
interface Step {
  readonly installer: Installer;
  outcome: "open" | "nothing" | "declined" | "removed" | "failed";
  readonly planned?: Planned;
  readonly files: readonly string[];
  /** `Removes hooks for 8 events from ~/.claude/settings.json`, without the first word. */
  readonly what: string;
  error?: unknown;
}

/** All questions come before the first change. If one agent fails, the others are still removed. */
async function remove(
  input: Input,
  home: Home,
  agents: readonly Installer[],
  wishes: Wishes,
): Promise<Outcome> {
  const { env, screen = PLAIN } = input;
  const { isPreview, ask } = wishes;
  const steps = agents.map((installer) => stepFor(input, home, installer));
  const of = (...outcomes: Step["outcome"][]) => steps.filter(({ outcome }) => outcomes.includes(outcome));
  const [open, nothing] = [of("open"), of("nothing")];
  const refuseOnly = () => {
    const [only, ...others] = steps;
    if (only?.outcome === "failed" && others.length === 0) throw only.error;
  };
  refuseOnly();
  if (ask !== undefined && !isPreview)
    for (const [at, step] of open.entries())
      if ((await answerTo(input, ask, step, at > 0)) === "no") step.outcome = "declined";
  const users = of("failed", "declined").map(({ installer }) => installer.label);
  const deletion = await askDeletion(input, users, wishes);

  // Even without entries, a killed process may have left something.
  if (!isPreview)
    for (const step of of("nothing", "open")) {
      try {
        step.planned?.apply(input.now());
        if (step.outcome === "open") step.outcome = "removed";
      } catch (error) {
        Object.assign(step, { outcome: "failed", error });
      }
    }
  refuseOnly();
  const [removed, failed] = [of("removed"), of("failed")];
  const told = [...open.filter((step) => !failed.includes(step)), ...failed];
  const lines = told.flatMap(linesFor);
  if (told.length === 0) lines.push(nothingIn(nothing, env));
  const toDelete = failed.length === 0 ? deletion.data : undefined;
  const { isDeleted, lines: said } =
    toDelete === undefined ? { isDeleted: false, lines: deletion.lines } : deleteNow(input, toDelete);
  lines.push(...said);
  if (!isDeleted && removed.length > 0)
    lines.push(
      `Your data is kept in ${pathInWords(home.root, env)}`,
      `To undo this: continuo install ${removed.map(({ installer }) => installer.host).join(" ")}`,
    );
  const isLast = removed.length > 0 && (await connectedAgents(input)).length === 0;
  if ((isDeleted || isLast) && installationOf(input.packageRoot).kind === "global")
    lines.push("To remove the program too: npm uninstall -g continuo");
  if (isPreview && open.length > 0) lines.push("Nothing was changed.");
  const results = told.map((step) => dataOf(step, isPreview));
  const unchanged = { host: agents[0]?.host ?? null, changed: false, dryRun: isPreview, files: [] };
  const own = wishes.data === undefined ? {} : { data: { ...wishes.data, isDeleted } };
  const shown = isPreview
    ? await Promise.all(open.map(({ planned }) => diffOf(input, planned?.changes ?? [])))
    : [];
  return {
    data: {
      ...(agents.length === 1 || results.length === 0 ? (results[0] ?? unchanged) : { agents: results }),
      ...own,
    },
    text: [...shown, wrapOn(lines.join("\n"), screen, { hang: 2 })].join("\n"),
    exitCode: failed.length > 0 || (toDelete !== undefined && !isDeleted) ? 1 : 0,
  };
}

function stepFor(input: Input, home: Home, installer: Installer): Step {
  const { env } = input;
  try {
    const planned = planRemoval(input, installer, home);
    const changed = planned.changes.filter(isChange);
    const files = (changed.length === 0 ? planned.changes : changed).map(({ file }) => file);
    const what = `${entriesInWords(inSettings(installer, env).adds)} from ${filesInWords(files, env)}`;
    return { installer, outcome: changed.length === 0 ? "nothing" : "open", planned, files, what };
  } catch (error) {
    return { installer, outcome: "failed", files: [], what: "", error };
  }
}

function linesFor({ installer: { label }, outcome, what, error }: Step): string[] {
  if (outcome === "open") return [`Removes ${what}`];
  if (outcome === "declined") return [`${label} was not changed.`];
  if (outcome === "removed") return [`Continuo is removed from ${label}: ${what}`];
  const { message, hint } = describeError(error);
  return [`Continuo is not removed from ${label}: ${message}`, ...hintLines(hint)];
}

function dataOf({ installer: { host }, outcome, files, error }: Step, dryRun: boolean) {
  if (outcome !== "failed")
    return { host, changed: outcome !== "declined", dryRun, files: files.map((file) => ({ file })) };
  const { code, message } = describeError(error);
  return { host, changed: false, dryRun, files: [], error: { code, message } };
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
    show: async () => {
      const diff = await diffOf(input, planned?.changes ?? []);
      sayDiff(input, diff, `continuo uninstall ${installer.host} --diff`);
    },
  });
}

function nothingIn(steps: readonly Step[], env: NodeJS.ProcessEnv): string {
  const looked = steps.flatMap(({ files }) => files);
  return looked.length === 0
    ? "Continuo is not connected to any agent. There is nothing to remove."
    : `Continuo is not installed in ${filesInWords(looked, env)}. Nothing was changed.`;
}
