import { appendLedger } from "../../../moments/state/ledger.ts";
import type { Project, Session } from "../../../moments/types.ts";
import type { Home } from "../../../store/home.ts";
import { refOf } from "../checks/check-set.ts";
import type { Ran } from "./run-command.ts";

/** npx, about a program that it would have to download. */
const NOT_INSTALLED =
  /^npm (?:error|ERR!) (?:code (?:ENOTCACHED|E404)\b|npx canceled|could not determine executable)/m;
/** What a shell and `env` answer for a program that is not there or cannot be run. */
const NOT_FOUND: readonly number[] = [126, 127];

/** A command that ended without doing its work: nothing is known about the files. Undefined if it did. */
export function notStarted(ran: Ran): Ran | undefined {
  if (ran.kind !== "ended" || ran.code === 0) return undefined;
  if (NOT_INSTALLED.test(ran.output))
    return {
      kind: "failed",
      why: "missing",
      detail: "the program is not installed, and npx may not download it",
    };
  if (NOT_FOUND.includes(ran.code))
    return { kind: "failed", why: "missing", detail: `its program cannot be run (exit code ${ran.code})` };
  return undefined;
}

/** The run was counted when it was started. It is not an occasion at which the rule held. */
export function recordNoResult(
  home: Home,
  of: {
    readonly project: Pick<Project, "id">;
    readonly session: Pick<Session, "host" | "id">;
    readonly at: number;
  },
  { rule, check }: { readonly rule: string; readonly check: string },
): void {
  const { host, id } = of.session;
  // A runner does not know the session's epoch; nobody asks for it here.
  const place = { host, session: id, project: of.project.id, epoch: 0 };
  appendLedger(home, of.at, { kind: "checked", ...place, counts: {}, noResult: { [refOf(rule, check)]: 1 } });
}
