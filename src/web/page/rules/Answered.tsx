import type { TriedBreach, TryAnswer } from "../../api/rules.ts";
import { count } from "../core/format.ts";
import { Badge } from "../parts/Badge.tsx";
import { ReactionBadge } from "./Checks.tsx";

/** The result of a try: first what the checks would do, then which rules apply. */
export function Answered({ answer }: { answer: TryAnswer }) {
  const { rules, total, others } = answer;
  const inOrder = [...rules.filter(({ isNew }) => isNew), ...rules.filter(({ isNew }) => !isNew)];
  return (
    <div class="try-answer stack gap-2">
      <Broken answer={answer} />
      {inOrder.length === 0 && <p class="muted break">No rule applies.</p>}
      <ul class="rows">
        {inOrder.map((one) => (
          <li key={one.key} class="row wrap gap-1-2 pad-y-2">
            <span class="medium break">{one.name}</span>
            {one.isNew ? <Badge tone="good">applies now</Badge> : <Badge>always</Badge>}
            <span class="rule-condition clip muted right">{one.because}</span>
          </li>
        ))}
      </ul>
      {total > inOrder.length && (
        <p class="muted break">
          The first {inOrder.length} of {total}.
        </p>
      )}
      {others.length > 0 && (
        <details>
          <summary>
            {count(others.length, "rule")} {others.length === 1 ? "does" : "do"} not apply: why?
          </summary>
          <ul class="rows">
            {others.map((one) => (
              <li key={one.key} class="row wrap gap-1-2 pad-y-2">
                <span class="medium break">{one.name}</span>
                <span class="rule-condition clip muted right">{one.because}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

const EFFECTS: Readonly<Record<TriedBreach["reaction"], string>> = {
  deny: "would be refused",
  ask: "would wait for your answer",
  remind: "breaks a rule, and the agent would be reminded",
  report: "breaks a rule, which would be recorded",
};

function Broken({ answer }: { answer: TryAnswer }) {
  const { broken, brokenTotal = 0 } = answer;
  if (broken === undefined) return null;
  if (broken.length === 0) return <p class="good">The checks find nothing.</p>;
  const isWeakened = broken.some(({ reaction, wanted }) => reaction === "remind" && wanted !== "remind");
  return (
    <>
      <ul class="rows" aria-label="What the checks would do">
        {broken.map((one, at) => (
          <li key={at} class="flex start gap-2 break pad-y-2">
            <ReactionBadge reaction={one.reaction} />
            <div class="check-words">
              <p>
                {one.by === "edit" ? "The edit" : "The command"} {EFFECTS[one.reaction]}.
              </p>
              <p class="muted break">{one.sentence}</p>
            </div>
          </li>
        ))}
      </ul>
      {brokenTotal > broken.length && (
        <p class="muted break">
          The first {broken.length} of {count(brokenTotal, "place")}.
        </p>
      )}
      {isWeakened && (
        <p class="muted break">
          A project's checks stop nothing until you trust it: until then the agent is only reminded.
        </p>
      )}
    </>
  );
}
