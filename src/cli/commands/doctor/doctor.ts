import { existsSync } from "node:fs";
import { describeError, whatFailed } from "../../../base/errors.ts";
import { fields, flag, optional } from "../../../moments/actions/fields.ts";
import { action, alone } from "../../../moments/ports/action.ts";
import { markReported } from "../../../store/health.ts";
import { findHome, type Home } from "../../../store/home.ts";
import type { CommandPlace } from "../../actions/as-command.ts";
import type { World } from "../../command.ts";
import { canAsk, confirmed } from "../../terminal/input.ts";
import { ownNames } from "../install/own-data.ts";
import { commandIn, type Fix, isFixable, type NamedFinding } from "./check.ts";
import { CHECKS, type Checked, runChecks } from "./checks.ts";
import { report } from "./report.ts";
import { runApart, tellChecks, thisProgram, wantedChecks } from "./run-apart.ts";

const doctorAction = action({
  name: "doctor",
  about: "check the setup and explain how to fix problems",
  guide: [
    "Runs what is set up in each agent, checks rules, notes, past sessions and Continuo's own files, and lists failures of the last seven days.",
    "Problems come first, then warnings, each with the command that fixes it. The exit code is 1 if there are problems, and 0 if there are only warnings.",
    "Without --fix, no setting and no file of yours is changed. With it, whatever is safe is fixed: agents whose entries are outdated are set up again (with a backup), a damaged index is rebuilt, permissions of Continuo's folder are corrected, stale locks are released.",
  ].join("\n"),
  examples: [
    ["continuo doctor", "show problems and how to fix them"],
    ["continuo doctor --fix", "fix what can be fixed safely"],
    ["continuo doctor --verbose", "show every check"],
  ],
  effect: "writes",
  input: fields({
    fix: optional(flag("fix what can be fixed safely, and say what was done and what is left")),
    verbose: optional(flag("show every check, including those that passed")),
    yes: optional(flag("with --fix: do not ask before the settings are restored from their backup")),
  }),
  async run({ fix: isToFix = false, verbose: isVerbose = false, yes = false }, { world }: CommandPlace) {
    const home = homeIn(world);
    const own = wantedChecks(CHECKS, world.env);
    if (own !== undefined) return tellChecks(own, world, home);
    const first = await checkAll(world, home);
    const fixed = isToFix ? await fixAll(first, world, home, yes) : undefined;
    // A fix may have changed the findings of other checks.
    const isChanged = fixed?.some(({ done }) => done !== undefined) === true;
    const findings = findingsOf(isChanged ? await checkAll(world, home) : first);
    if (home !== undefined) acknowledge(home, world);
    return { findings, fixed, isVerbose };
  },
  view: (data, shown) => (data === undefined ? [] : report(data, shown)),
  isBad: (data) => data !== undefined && countOf(data.findings, "fail") > 0,
  json: (data) =>
    data && {
      findings: data.findings.map(asData),
      failed: countOf(data.findings, "fail"),
      warned: countOf(data.findings, "warn"),
      counts: Object.assign({}, ...data.findings.map(({ counts }) => counts)),
      fixed: data.fixed,
    },
});

export const DOCTOR = alone("start", doctorAction);

function homeIn({ env }: World): Home | undefined {
  try {
    return findHome(env);
  } catch {
    return undefined; // `checkHome` reports it, with how to fix it
  }
}

function checkAll(world: World, home: Home | undefined): Promise<Checked[]> {
  const program = thisProgram(world);
  return program === undefined ? runChecks(CHECKS, world, home) : runApart(CHECKS, program, world);
}

const findingsOf = (checked: readonly Checked[]) => checked.flatMap(({ findings }) => findings);

const countOf = (findings: readonly NamedFinding[], status: NamedFinding["status"]) =>
  findings.filter((one) => one.status === status).length;

function asData(finding: NamedFinding) {
  const { fix: _, counts: __, ...rest } = finding;
  return { ...rest, command: commandIn(rest.mend), canFix: isFixable(finding) };
}

/**
 * The user has now seen the failures, so the next snapshot need not mention them. A deleted home is not created again.
 */
function acknowledge(home: Home, { now }: World): void {
  if (!existsSync(home.root)) return;
  try {
    markReported(home, now());
  } catch {
    // An unwritable home is already among the findings.
  }
}

/** What `--fix` did about one finding, or why it did nothing. */
export interface Fixed {
  readonly what: string;
  /** The finding's text. */
  readonly detail: string;
  readonly done?: string;
  readonly problem?: string;
}

/**
 * Repeats the checks that found something fixable. All questions come before the first change, so a user who cancels
 * there has changed nothing.
 */
async function fixAll(
  first: readonly Checked[],
  world: World,
  home: Home | undefined,
  isYes: boolean,
): Promise<Fixed[]> {
  const names = first.filter(({ findings }) => findings.some(isFixable)).map(({ name }) => name);
  const again = CHECKS.filter(({ name }) => names.includes(name));
  const found = findingsOf(await runChecks(again, world, home)).flatMap(({ what, detail, fix }) =>
    fix === undefined ? [] : [{ what, detail, fix }],
  );
  const agreed = new Set<Fix>();
  for (const { fix } of found)
    if (isYes || fix.question === undefined || (canAsk(world) && (await confirmed(world, fix.question))))
      agreed.add(fix);
  const foreign = notOwnHome(world);
  const fixed: Fixed[] = [];
  for (const { what, detail, fix } of found) {
    world.progress?.(`Fixing: ${what} …`);
    const isForeign = foreign !== undefined && IN_HOME.includes(what);
    const problem = isForeign ? foreign : agreed.has(fix) ? undefined : refusal(world);
    fixed.push({ what, detail, ...(problem === undefined ? await attempt(fix) : { problem }) });
  }
  return fixed;
}

/** Checks whose fixes change or remove files below the home. */
const IN_HOME = ["home", "permissions", "leftovers", "locks"];

/**
 * Why the home is not Continuo's own: CONTINUO_HOME can name any folder, and other programs' files must not be touched.
 */
function notOwnHome({ env }: World): string | undefined {
  try {
    ownNames(findHome(env), env);
    return undefined;
  } catch (error) {
    return describeError(error).message;
  }
}

async function attempt(fix: Fix): Promise<Pick<Fixed, "done" | "problem">> {
  try {
    return { done: await fix.run() };
  } catch (error) {
    return { problem: whatFailed(error) };
  }
}

function refusal(world: World): string {
  return canAsk(world) ? "you did not confirm it" : "it needs your consent: continuo doctor --fix --yes";
}
