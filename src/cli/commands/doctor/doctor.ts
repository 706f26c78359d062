import { describeError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { markReported } from "../../../store/health.ts";
import { findHome, type Home } from "../../../store/home.ts";
import type { Command, Input } from "../../command.ts";
import { type Check, fail, type NamedFinding } from "./check.ts";
import { checkCompactions } from "./compactions.ts";
import { checkConfig } from "./config.ts";
import { checkFailures } from "./failures.ts";
import { checkHome } from "./home.ts";
import { checkHosts } from "./hosts.ts";
import { checkIndex } from "./index.ts";
import { checkLocks } from "./locks.ts";
import { checkModels } from "./models.ts";
import { checkRecords } from "./records.ts";
import { checkRules } from "./rules.ts";
import { checkRuntime } from "./runtime.ts";
import { checkSessions } from "./sessions.ts";
import { checkTrust } from "./trust.ts";

/** By the names that people see when a check itself breaks. */
const CHECKS: readonly (readonly [what: string, check: Check])[] = [
  ["runtime", checkRuntime],
  ["home", checkHome],
  ["config", checkConfig],
  ["hosts", checkHosts],
  ["rules", checkRules],
  ["trust", checkTrust],
  ["index", checkIndex],
  ["sessions", checkSessions],
  ["records", checkRecords],
  ["models", checkModels],
  ["locks", checkLocks],
  ["compaction", checkCompactions],
  ["failures", checkFailures],
];
const SIGN = { ok: "ok  ", warn: "warn", fail: "FAIL" } as const;

export const doctor: Command = {
  name: "doctor",
  summary: "check everything; tell past failures and how to mend them",
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
      `${SIGN[status]}  ${what.padEnd(width)}  ${oneLine(detail)}`,
      ...(mend === "" ? [] : [`      ${" ".repeat(width)}  -> ${oneLine(mend)}`]),
    ]);
    const verdict = failed + warned === 0 ? "All is well." : `${failed} to mend, ${warned} to look at.`;
    if (home !== undefined) acknowledge(home, input);
    return {
      data: { findings, failed, warned },
      text: [...lines, "", verdict].join("\n"),
      exitCode: failed > 0 ? 1 : 0,
    };
  },
};

/** A check that breaks is a finding, not the end of the examination. */
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
    return [fail(what, `this could not be checked: ${told.message}`, told.hint ?? "please report this")];
  }
}

function findHomeOrFail(input: Input): Home | undefined {
  try {
    return findHome(input.env);
  } catch {
    return undefined; // `checkHome` tells it together with how to mend it
  }
}

/** The user has seen the failures: the next snapshot need not repeat them. */
function acknowledge(home: Home, input: Input): void {
  try {
    markReported(home, input.now());
  } catch {
    // A home that cannot be written is already a finding above.
  }
}
