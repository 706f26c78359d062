import { useState } from "preact/hooks";
import type { Decided as Answer, DecisionPage, DecisionStep, PastDecision } from "../../api/inbox.ts";
import { sessionAddress } from "../core/address.ts";
import { api } from "../core/api.ts";
import { notify, notifyFailure } from "../core/notices.ts";
import { useGet } from "../core/resource.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Empty, Loaded } from "../parts/States.tsx";
import { Time } from "../parts/Time.tsx";

const WORDS: Readonly<Record<DecisionStep["what"], readonly [string, "good" | "plain" | "bad"]>> = {
  accept: ["accepted", "good"],
  reject: ["rejected", "plain"],
  mute: ["muted", "plain"],
  allow: ["allowed again", "plain"],
  learn: ["learned", "good"],
  forget: ["removed", "plain"],
  supersede: ["replaced", "plain"],
  refresh: ["confirmed", "good"],
};

const MORE = 50;

/** Every decision that was not undone, newest first. Each can be undone, whatever was decided after it. */
export function Decided() {
  const [limit, setLimit] = useState(MORE);
  const page = useGet<DecisionPage>("/inbox/decisions", { limit }, ["inbox"]);
  const undo = ({ batch }: PastDecision) =>
    api.post<Answer>("/inbox/undo", { batch }).then(
      ({ message }) => {
        notify(message);
        page.reload();
      },
      (error: unknown) => {
        notifyFailure("Not undone", error);
        page.reload();
      },
    );
  return (
    <Loaded resource={page}>
      {({ decisions, total }) =>
        decisions.length === 0 ? (
          <Empty title="Nothing decided yet">What you accept and reject is listed here.</Empty>
        ) : (
          <>
            <ul class="rows">
              {decisions.map((one) => (
                <li key={one.batch} class="flex start gap-3 pad-y-3">
                  <div class="stack gap-2 grow narrow break pad-top-1">
                    {one.steps.map((step, at) => (
                      <Step key={at} step={step} />
                    ))}
                  </div>
                  <Time at={one.at} class="fixed faint pad-top-1" />
                  <Button kind="quiet" onClick={() => void undo(one)}>
                    Undo
                  </Button>
                </li>
              ))}
            </ul>
            {decisions.length < total && limit < 500 && (
              <Button onClick={() => setLimit(limit + MORE)}>Show more</Button>
            )}
          </>
        )
      }
    </Loaded>
  );
}

function Step({ step }: { step: DecisionStep }) {
  const [word, tone] = WORDS[step.what];
  return (
    <div>
      <p>
        <Badge tone={tone}>{word}</Badge> {step.text}
      </p>
      {step.suggested !== undefined && <p class="muted break">Suggested: {step.suggested}</p>}
      {step.quote !== "" && (
        <p class="muted break">
          “{step.quote}”{" "}
          {step.session && (
            <a class="link" href={sessionAddress(step.session.host, step.session.id)}>
              session
            </a>
          )}
        </p>
      )}
    </div>
  );
}
