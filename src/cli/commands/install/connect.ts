import { setTimeout as sleep } from "node:timers/promises";
import { ContinuoError, describeError } from "../../../base/errors.ts";
import { hasEntries, type Installer } from "../../../hosts/port/installer.ts";
import { type Change, isChange } from "../../../hosts/shared/install/wire.ts";
import { type Added, addedBy, inSettings, whereIs } from "../../../setup/agents.ts";
import { showDiff } from "../../../setup/diff.ts";
import { packagedVersion, programOf, runningNow, skippedProgram } from "../../../setup/host-program.ts";
import {
  installCommand,
  type PlannedSetUp,
  planSetUp,
  planWithTools,
  type SetUpOptions,
} from "../../../setup/plan.ts";
import { findHome } from "../../../store/home.ts";
import type { Input } from "../../command.ts";
import { type Ask, INTERRUPTED } from "../../terminal/input.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { explainedDiff, sayDiff } from "./edit-diff.ts";
import { askAbout, entriesInWords, filesInWords, hintLines, pathInWords } from "./words.ts";

export interface ConnectOptions extends SetUpOptions {
  /** Asks before the edit; without it no question is asked. */
  readonly ask?: Ask | undefined;
  /** Show the edit and change nothing. */
  readonly isPreview?: boolean;
}

/** What happened with one agent. */
export interface Connected {
  readonly outcome: "connected" | "already connected" | "declined" | "shown" | "failed";
  readonly host: string;
  readonly files: readonly {
    readonly file: string;
    readonly diff: string;
    readonly backup: string | null;
  }[];
  /** Lines for the user. */
  readonly lines: readonly string[];
  /** The edit, if it was only shown. */
  readonly diff?: string;
  /** Why it failed. */
  readonly cause?: unknown;
}

/**
 * Adds Continuo to the settings of agents: for each, says what is added where, asks if it may, edits, and says what is
 * left to do. All questions come before the first edit, so that a user who cancels has changed nothing. If one fails,
 * the others are still connected.
 */
export async function connectAll(
  input: Input,
  installers: readonly Installer[],
  options: ConnectOptions = {},
): Promise<Connected[]> {
  const steps: { readonly installer: Installer; readonly step: () => Promise<Connected> }[] = [];
  for (const installer of installers) {
    try {
      steps.push({ installer, step: await prepare(input, installer, options, steps.length > 0) });
    } catch (error) {
      if (describeError(error).code === INTERRUPTED) throw error;
      steps.push({ installer, step: async () => failed(installer, error) });
    }
  }
  const results: Connected[] = [];
  const made = new Map<Installer, string>();
  for (const { installer, step } of steps) {
    const result = await step().catch((error: unknown) => failed(installer, error));
    if (result.outcome === "connected") made.set(installer, entriesNow(installer, input));
    results.push(result);
  }
  if ([...made.keys()].some((installer) => isStarted(installer, input))) await sleep(LATE_WRITE_MS);
  return steps.map(({ installer }, at) => {
    const has = made.get(installer);
    const isLost = has !== undefined && entriesNow(installer, input) !== has;
    return isLost ? failed(installer, overwritten(installer)) : (results[at] as Connected);
  });
}

/** A program that was started to print its version may still write its settings, as it had read them before. */
const LATE_WRITE_MS = 1_000;

function isStarted({ versionCommand }: Installer, { env, cwd }: Input): boolean {
  const program = programOf(versionCommand, env, cwd);
  return program !== undefined && packagedVersion(program) === undefined;
}

function entriesNow(installer: Installer, { env }: Input): string {
  try {
    return JSON.stringify(inSettings(installer, env).adds);
  } catch {
    return "unreadable";
  }
}

function overwritten({ host, label }: Installer): ContinuoError {
  const message = `${label} wrote its settings at the same moment, and Continuo's entries are gone from them`;
  return new ContinuoError("settings-changed", message, { hint: `run: continuo install ${host}` });
}

/** Plans the edit and asks about it. Returns the remaining work, which asks nothing more. */
async function prepare(
  input: Input,
  installer: Installer,
  { ask, isPreview = false, ...options }: ConnectOptions,
  isFurther: boolean,
): Promise<() => Promise<Connected>> {
  const { env } = input;
  const { host, label } = installer;
  const home = findHome(env);
  let planned = await planSetUp(input, installer, home, options);
  const before = inSettings(installer, env);
  const changed = planned.changes.filter(isChange);
  if (changed.length === 0) {
    return async () => {
      if (!isPreview) planned.apply(input.now());
      const files = filesInWords(before.files, env);
      const first = `${label} is already set up${files === "" ? "" : ` (${files})`}. Nothing was changed.`;
      return {
        outcome: "already connected",
        host,
        files: [],
        lines: [first, ...left(installer, env, false)],
      };
    };
  }
  const { isFound } = whereIs(installer, input);
  const about = [
    ...(isFound ? [] : [notFound(installer, input)]),
    ...intent(before, addedBy(installer, env, planned.changes), filesInWords(filesOf(changed), env)),
  ];
  if (isPreview) {
    return async () => ({
      outcome: "shown",
      host,
      files: (await withDiffs(changed)).map((one) => ({ ...one, backup: null })),
      lines: [...about, "Nothing was changed."],
      diff: await explainedDiff(input, installer, changed),
    });
  }
  if (ask !== undefined) {
    const withTools = toolsOffer(input, installer, planned, options);
    const answer = await askAbout(ask, input.screen ?? PLAIN, {
      isFurther,
      about: [...about, ...(withTools === undefined ? [] : [withTools.about])],
      question: isFound ? `Connect ${label}?` : `Connect ${label} anyway?`,
      offersTools: withTools !== undefined,
      usual: isFound ? "yes" : "no",
      show: async () => {
        const diff = await explainedDiff(input, installer, changed, withTools?.more);
        sayDiff(input, diff, `${installCommand(host, options)} --diff`);
      },
    });
    if (answer === "no")
      return async () => ({ outcome: "declined", host, files: [], lines: [`${label} was not changed.`] });
    if (answer === "tools" && withTools !== undefined) planned = withTools.planned;
  }
  return async () => {
    const files = await withDiffs(planned.changes.filter(isChange));
    const backups = planned.apply(input.now());
    const now = inSettings(installer, env);
    const made = files.map((one) => ({ ...one, backup: backups.get(one.file) ?? null }));
    const isNew = new Set(filesOf(planned.changes.filter((change) => change.before === undefined)));
    const lines = [
      ...(ask === undefined ? about : []),
      `${label} is set up: ${entriesInWords(now.adds)} in ${filesInWords(now.files, env)}`,
      ...made.flatMap(({ file, backup }) => {
        if (backup !== null) return [`Backup: ${pathInWords(backup, env)}`];
        return isNew.has(file) ? [`New file: ${pathInWords(file, env)}`] : [];
      }),
      ...left(installer, env, true),
      ...(planned.wiring.script.includes("_npx") ? [IN_NPX] : []),
    ];
    return { outcome: "connected", host, files: made, lines };
  };
}

/** What the answer "t" would add, if anything: permissions for the read-only tools. */
function toolsOffer(input: Input, installer: Installer, planned: PlannedSetUp, options: SetUpOptions) {
  if (installer.permissions === undefined || options.allowTools === true) return undefined;
  const wider = planWithTools(input, installer, findHome(input.env), planned, options);
  const changes = wider.changes.map(({ file, after }) => {
    const before = planned.changes.find((one) => one.file === file)?.after;
    return { file, before, after };
  });
  if (!changes.some(isChange)) return undefined;
  return {
    planned: wider,
    about: `With t, ${installer.label} may also use Continuo's read-only tools without asking you.`,
    more: { about: "With t, these permissions are added too:", changes },
  };
}

const IN_NPX =
  "Note: this copy is in npx's cache, which npm may empty. Install Continuo permanently, then run this again.";

function notFound({ label, versionCommand }: Installer, { env, cwd }: Input): string {
  const skipped = skippedProgram(versionCommand, env, cwd);
  return skipped === undefined
    ? `${label} was not found on this machine.`
    : `${label} was found only ${skipped.where}: ${pathInWords(skipped.path, env)}`;
}

/** Two lines: what is added where, and what stays. */
function intent(before: Added, after: Added, files: string): string[] {
  const isUpdate = hasEntries(before.adds);
  const entries = entriesInWords(after.adds);
  return [
    isUpdate ? `Updates Continuo's entries to ${entries} in ${files}` : `Adds ${entries} to ${files}`,
    "Your own entries stay as they are.",
  ];
}

function filesOf(changes: readonly Change[]): string[] {
  return changes.map(({ file }) => file);
}

async function withDiffs(changes: readonly Change[]): Promise<{ file: string; diff: string }[]> {
  return Promise.all(changes.map(async (change) => ({ file: change.file, diff: await showDiff(change) })));
}

function failed({ host, label }: Installer, cause: unknown): Connected {
  const { message, hint } = describeError(cause);
  const lines = [`${label} was not connected: ${message}`, ...hintLines(hint)];
  return { outcome: "failed", host, files: [], lines, cause };
}

/** What is left to do in the agent. */
function left(installer: Installer, env: NodeJS.ProcessEnv, changed: boolean): string[] {
  const { label } = installer;
  const restart =
    changed && runningNow(installer, env)
      ? [`${label} is running: restart it, so that it loads the new settings.`]
      : [];
  const besides = installer.besides?.(env, changed) ?? [];
  return [...besides.map(({ what, how }) => `${what}: ${how}`), ...restart];
}
