import { useState } from "preact/hooks";
import type { KnownProject } from "../../api/projects.ts";
import type { TrustState } from "../../api/rules.ts";
import { api } from "../core/api.ts";
import { count } from "../core/format.ts";
import { notify, notifyFailure } from "../core/notices.ts";
import { Button } from "../parts/Button.tsx";
import { Confirm } from "../parts/Confirm.tsx";
import { Checks } from "./RuleEntry.tsx";

interface Props {
  readonly project: KnownProject;
  readonly trust: TrustState;
  reload(): void;
}

/** Checks stop tool calls only in projects that the person trusts. What is trusted is shown first. */
export function Trust({ project, trust, reload }: Props) {
  const [isOpen, setOpen] = useState(false);
  if (trust.total === 0 && !trust.isTrusted && trust.damage === undefined) return null;
  const change = (what: string, send: () => Promise<unknown>) =>
    send()
      .then(
        () => {
          setOpen(false);
          notify(what);
        },
        (error: unknown) => notifyFailure("Not changed", error),
      )
      .finally(reload);
  const give = () =>
    change("This project's checks are trusted. To make an agent ask them, update it under Connect.", () =>
      api.post("/rules/trust", { project: project.root, checks: trust.checks }),
    );
  const revoke = () =>
    change("This project's checks stop nothing.", () =>
      api.delete("/rules/trust", { project: project.root }),
    );
  const needsLook = !trust.isTrusted || trust.hasChanged;
  return (
    <section class={`trust ${needsLook ? "trust-open" : ""}`} aria-label="Checks of this project">
      <div class="trust-line">
        <p>{sentence(trust)}</p>
        <div class="trust-actions">
          {needsLook && trust.total > 0 && !isOpen && (
            <Button onClick={() => setOpen(true)}>Show checks</Button>
          )}
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
        <p class="rules-note">
          {trust.damage.message}. {trust.damage.hint}
        </p>
      )}
      {isOpen && (
        <div class="trust-checks">
          <Checks checks={trust.shown} />
          {trust.total > trust.shown.length ? (
            <p class="rules-note">
              The first {trust.shown.length} of {trust.total}. To see and trust all of them, run{" "}
              <code>continuo rules trust</code> in the project.
            </p>
          ) : (
            <div class="trust-actions">
              <Button kind="primary" onClick={() => void give()}>
                {trust.total === 1 ? "Trust this check" : `Trust these ${trust.total} checks`}
              </Button>
              <Button onClick={() => setOpen(false)}>Cancel</Button>
              <p class="rules-note">Checks that are added later are trusted too, and you are told.</p>
            </div>
          )}
        </div>
      )}
    </section>
  );
}

function sentence({ isTrusted, hasChanged, total }: TrustState): string {
  if (!isTrusted)
    return `${count(total, "check")} of this project ${total === 1 ? "stops" : "stop"} nothing until you trust ${total === 1 ? "it" : "them"}.`;
  if (hasChanged) return "The checks have changed since you trusted this project.";
  return total === 0
    ? "This project's checks are trusted; there are none yet."
    : `${count(total, "check")} may stop tool calls in this project.`;
}
