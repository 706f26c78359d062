import { describeError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { markReported } from "../../../store/health.ts";
import { findHome, type Home } from "../../../store/home.ts";
import type { Command, Input } from "../../command.ts";
import { counted } from "../../terminal/table.ts";
import { checkCompactions, checkFailures } from "./activity.ts";
import { type Check, fail, type NamedFinding } from "./check.ts";
import { checkConfig, checkHome, checkLocks, checkRuntime } from "./environment.ts";
import { checkHosts } from "./hosts.ts";
import { checkLedger } from "./ledger.ts";
import { checkMeaning } from "./meaning.ts";
import { checkMutes } from "./mutes.ts";
import { checkNotes } from "./notes.ts";
import { checkRules, checkTrust } from "./rules.ts";
import { checkModels, checkRecords, checkSessions } from "./sessions.ts";
import { checkSuggestions } from "./suggestions.ts";

/** The name is shown when the check itself fails. */
const CHECKS: readonly (readonly [what: string, check: Check])[] = [
  ["runtime", checkRuntime],
  ["home", checkHome],
  ["config", checkConfig],
  ["hosts", checkHosts],
  ["rules", checkRules],
  ["trust", checkTrust],
  ["mutes", checkMutes],
  ["ledger", checkLedger],
  ["notes", checkNotes],
  ["meaning", checkMeaning],
  ["suggestions", checkSuggestions],
  ["sessions", checkSessions],
  ["records", checkRecords],
  ["models", checkModels],
  ["locks", checkLocks],
  ["compaction", checkCompactions],
  ["failures", checkFailures],
];
const LABEL = { ok: "ok  ", warn: "warn", fail: "FAIL" } as const;

export const doctor: Command = {
  name: "doctor",
  summary: "check the setup and explain how to fix problems",
  usage: "doctor",
  options: {},
  async run(input) {
    const home = findHomeOrFail(input);
    const findings = (
      await Promise.all(CHECKS.map(([what, check]) => attempt(what, check, input, home)))
    ).flat();
    const failed = findings.filter((finding) => finding.status === "fail").length;
    const warned = findings.filter((finding) => finding.status === "warn").length;
    const width = Math.max(...findings.map((finding) => finding.what.length));
    const lines = findings.flatMap(({ status, what, detail, mend }) => [
      `${LABEL[status]}  ${what.padEnd(width)}  ${oneLine(detail)}`,
      ...(mend === "" ? [] : [`      ${" ".repeat(width)}  -> ${oneLine(mend)}`]),
    ]);
    const verdict =
      failed + warned === 0
        ? "No problems found."
        : `${counted(failed, "problem")}, ${counted(warned, "warning")}.`;
    if (home !== undefined) acknowledge(home, input);
    return {
      data: { findings, failed, warned },
      text: [...lines, "", verdict].join("\n"),
      exitCode: failed > 0 ? 1 : 0,
    };
  },
};

/** A check that fails is a finding; the other checks go on. */
async function attempt(
  what: string,
  check: Check,
  input: Input,
  home: Home | undefined,
): Promise<NamedFinding[]> {
  try {
    return await check(input, home);
  } catch (error) {
    const told = describeError(error);
    return [fail(what, `check failed: ${told.message}`, told.hint ?? "please report this")];
  }
}

function findHomeOrFail(input: Input): Home | undefined {
  try {
    return findHome(input.env);
  } catch {
    return undefined; // `checkHome` reports it, with how to fix it
  }
}

/** The user has now seen the failures, so the next snapshot need not mention them. */
function acknowledge(home: Home, input: Input): void {
  try {
    markReported(home, input.now());
  } catch {
    // A home that cannot be written is already among the findings.
  }
}
