import type { CheckWords, RuleCheck } from "../../api/rules.ts";
import { sentence } from "../core/format.ts";
import { Badge } from "../parts/Badge.tsx";

type Reaction = RuleCheck["reaction"];

/** What happens when a check is broken. */
const REACTIONS: Readonly<Record<Reaction, readonly [tone: "bad" | "warn" | "plain", effect: string]>> = {
  deny: ["bad", "what breaks it is refused"],
  ask: ["warn", "you are asked first"],
  remind: ["plain", "the agent is reminded"],
  report: ["plain", "only recorded"],
};

export function ReactionBadge({ reaction }: { reaction: Reaction }) {
  return <Badge tone={REACTIONS[reaction][0]}>{reaction}</Badge>;
}

/** Checks in plain words: what must hold, the author's explanation, and what happens otherwise. */
export function Checks({ checks }: { checks: readonly (RuleCheck & { readonly path?: string })[] }) {
  if (checks.length === 0) return null;
  return (
    <ul class="checks">
      {checks.map((check, at) => (
        <li key={at} class="flex wrap start gap-1-2 break pad-y-1">
          <ReactionBadge reaction={check.reaction} />
          <div class="check-words">
            <p>
              {check.words.map((one, part) => (
                <Words key={part} words={one} isFirst={part === 0} />
              ))}
            </p>
            {check.message !== undefined && <p class="check-message">{check.message}</p>}
            <p class="muted break">
              {sentence(REACTIONS[check.reaction][1])}
              {check.path !== undefined && (
                <>
                  {" · "}
                  <code>{check.path}</code>
                </>
              )}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Words({ words, isFirst }: { words: CheckWords; isFirst: boolean }) {
  if (typeof words !== "string") return <code class="pre-wrap">{words.code}</code>;
  return <>{isFirst ? sentence(words) : words}</>;
}
