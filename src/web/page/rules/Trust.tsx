import { useState } from "preact/hooks";
import type { KnownProject } from "../../api/projects.ts";
import type { TrustState } from "../../api/rules.ts";
import { act, actAsked } from "../core/act.ts";
import { attempt } from "../core/action.ts";
import { count } from "../core/format.ts";
import { notify } from "../core/notices.ts";
import { Button } from "../parts/Button.tsx";
import { Confirm } from "../parts/Confirm.tsx";
import { Checks } from "./Checks.tsx";

interface Props {
  readonly project: KnownProject;
  readonly trust: TrustState;
  reload(): void;
}

/** Checks block tool calls only in projects that the user trusts. First shows what is trusted. */
export function Trust({ project, trust, reload }: Props) {
  const [isOpen, setOpen] = useState(false);
  const isEmpty = trust.total + trust.totalRuns === 0;
  if (isEmpty && !trust.isTrusted && trust.damage === undefined) return null;
  const change = (what: string, send: () => Promise<unknown>) =>
    attempt("Not changed", async () => {
      await send();
      setOpen(false);
      notify(what);
    }).finally(reload);
  const give = () =>
    change("You trust this project.", () =>
      actAsked("rules trust", { project: project.root, checks: trust.checks, runs: trust.runsToken }, "yes"),
    );
  const revoke = () =>
    change("This project is no longer trusted: its checks only remind.", () =>
      act("rules untrust", { project: project.root }),
    );
  const needsLook = !trust.isTrusted || trust.hasChanged;
  return (
    <section
      class={`trust box stack gap-3 surface-2 ${needsLook ? "trust-open" : ""}`}
      aria-label="Checks of this project"
    >
      <div class="row wrap between gap-2-3">
        <p>{sentence(trust)}</p>
        <div class="row wrap gap-2-3">
          {needsLook && !isEmpty && !isOpen && <Button onClick={() => setOpen(true)}>Show checks</Button>}
          {trust.isTrusted && (
            <Confirm
              label="Revoke"
              question="Let this project's checks stop nothing?"
              yes="Turn off"
              kind="quiet"
              run={() => void revoke()}
            />
          )}
        </div>
      </div>
      {trust.damage && (
        <p class="muted break">
          {trust.damage.message}. {trust.damage.hint}
        </p>
      )}
      {isOpen && (
        <div class="stack gap-3">
          {trust.shown.length > 0 && <p>These checks may stop tool calls in this project:</p>}
          <Checks checks={trust.shown} />
          <Runs runs={trust.runs} />
          {trust.total > trust.shown.length || trust.totalRuns > trust.runs.length ? (
            <p class="muted break">
              These are not all. To see and trust all of them, run <code>continuo rules trust</code> in the
              project.
            </p>
          ) : (
            <div class="row wrap gap-2-3">
              <Button kind="primary" onClick={() => void give()}>
                {trust.total + trust.totalRuns === 1
                  ? "Trust this check"
                  : `Trust these ${trust.total + trust.totalRuns} checks`}
              </Button>
              <Button onClick={() => setOpen(false)}>Cancel</Button>
              <p class="muted break">
                Checks that are added later are trusted too, and you are told. A command that is added or
                changed later does not run until you accept it.
              </p>
            </div>
          )}
        </div>
      )}
    </section>
  );
}

/** Commands in full, because trusting them lets programs run with the user's rights. */
function Runs({ runs }: Pick<TrustState, "runs">) {
  if (runs.length === 0) return null;
  return (
    <>
      <p>
        These commands run when the agent goes idle, with the files that it changed as arguments and with your
        rights:
      </p>
      <ul class="trust-runs stack gap-2">
        {runs.map(({ rule, path, isUsers, command, about, isAccepted }) => (
          <li key={`${path} ${command} ${about}`}>
            <code>{command}</code>
            <p class="muted break">
              {about}; {isUsers ? "your rule" : "rule"} {rule}, {path}
              {isAccepted ? " (accepted)" : ""}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

function sentence({ isTrusted, hasChanged, total, totalRuns, runs }: TrustState): string {
  const off = (number: number, what: string) =>
    `${count(number, "command")} of rules ${number === 1 ? "does" : "do"} not run until you ${what}.`;
  if (!isTrusted && total === 0) return off(totalRuns, "trust this project");
  if (!isTrusted)
    return `${count(total, "check")} of this project only ${total === 1 ? "reminds" : "remind"}, and ${total === 1 ? "stops" : "stop"} nothing, until you trust this project.`;
  const waiting = runs.filter(({ isAccepted }) => !isAccepted).length;
  if (waiting > 0) return off(waiting, waiting === 1 ? "accept it" : "accept them");
  if (hasChanged) return "The checks have changed since you trusted this project.";
  const stopping =
    total === 0
      ? "You trust this project; none of its checks blocks or asks yet."
      : `${count(total, "check")} of this project may stop the agent.`;
  const running = totalRuns === 1 ? "1 command runs" : `${totalRuns} commands run`;
  return totalRuns === 0 ? stopping : `${stopping} ${running} when the agent goes idle.`;
}
