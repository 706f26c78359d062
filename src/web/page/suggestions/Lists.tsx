import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type {
  Decided as Answer,
  DecisionPage,
  LearningList,
  PastStep,
  Tombstone,
  TombstoneList,
} from "../../api/suggestions.ts";
import { attempt } from "../core/action.ts";
import { sessionAddress } from "../core/address.ts";
import { api } from "../core/api.ts";
import { notify } from "../core/notices.ts";
import { useGet } from "../core/resource.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Empty, Loaded } from "../parts/States.tsx";
import { Time } from "../parts/Time.tsx";

const WORDS: Readonly<Record<PastStep["what"], readonly [string, "good" | "plain"]>> = {
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

/** Every decision that was not undone, newest first. Each can be undone, regardless of later decisions. */
export function Decided() {
  const [limit, setLimit] = useState(MORE);
  const page = useGet<DecisionPage>("/inbox/decisions", { limit }, ["inbox"]);
  const undo = (batch: string) =>
    attempt("Not undone", () => api.post<Answer>("/inbox/undo", { batch })).then((done) => {
      if (done !== undefined) notify(done.message);
      page.reload();
    });
  return (
    <Loaded resource={page}>
      {({ decisions, total }) =>
        decisions.length === 0 ? (
          <Empty title="Nothing decided yet">What you accept and reject is listed here.</Empty>
        ) : (
          <>
            <ul class="rows">
              {decisions.map(({ batch, at, steps }) => (
                <Row key={batch} at={at} action="Undo" run={() => undo(batch)}>
                  {steps.map((step, index) => (
                    <Step key={index} step={step} />
                  ))}
                </Row>
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

function Step({ step: { what, text, suggested, quote, session } }: { step: PastStep }) {
  const [word, tone] = WORDS[what];
  return (
    <div>
      <p>
        <Badge tone={tone}>{word}</Badge> {text}
      </p>
      {suggested !== undefined && <p class="muted break">Suggested: {suggested}</p>}
      {quote !== "" && (
        <p class="muted break">
          “{quote}”{" "}
          {session && (
            <a class="link" href={sessionAddress(session.host, session.id)}>
              session
            </a>
          )}
        </p>
      )}
    </div>
  );
}

/** Wishes that are never suggested again, not even in other words. Each rejection can be revoked. */
export function Rejected() {
  const list = useGet<TombstoneList>("/tombstones", {}, ["inbox"]);
  const allow = ({ id, why }: Tombstone) =>
    attempt("Not revoked", async () => {
      await api.delete(`/tombstones/${encodeURIComponent(id)}`);
      notify(why === "removed" ? "Learning restored" : "It is pending again");
    }).finally(list.reload);
  return (
    <Loaded resource={list}>
      {({ tombstones, total }) =>
        tombstones.length === 0 ? (
          <Empty title="Nothing is rejected">
            What you reject is listed here. It is not suggested again, even in other words.
          </Empty>
        ) : (
          <>
            <p class="muted pad-bottom-3">Not suggested again, even in other words.</p>
            <ul class="rows">
              {tombstones.map((one) => (
                <Row
                  key={one.id}
                  at={one.at}
                  action={one.why === "removed" ? "Restore" : "Allow again"}
                  run={() => allow(one)}
                >
                  <p>
                    {one.why === "removed" && <Badge>removed</Badge>} {one.text}
                  </p>
                </Row>
              ))}
            </ul>
            <Newest shown={tombstones.length} total={total} />
          </>
        )
      }
    </Loaded>
  );
}

/** What agents are told about the user. */
export function Learned() {
  const list = useGet<LearningList>("/learnings", {}, ["inbox"]);
  const undo = (batch: string) =>
    attempt("Not undone", () => api.post("/inbox/undo", { batch })).finally(list.reload);
  const remove = (id: string) =>
    attempt("Not removed", async () => {
      const { batch } = await api.delete<Answer>(`/learnings/${encodeURIComponent(id)}`);
      notify("Removed", batch === undefined ? {} : { undo: () => void undo(batch) });
    }).finally(list.reload);
  return (
    <Loaded resource={list}>
      {({ learnings, total }) =>
        learnings.length === 0 ? (
          <Empty title="No learnings yet" command="continuo seed learn pattern “Use pnpm, not npm”">
            What you accept is listed here, and what you add with this command:
          </Empty>
        ) : (
          <>
            <p class="muted pad-bottom-3">
              The most relevant of these are given to each session. Removing one takes effect in the next.
            </p>
            <ul class="rows">
              {learnings.map(({ id, at, text, projects, quote }) => (
                <Row key={id} at={at} action="Remove" run={() => remove(id)}>
                  <p>
                    {text}{" "}
                    {projects.map((project) => (
                      <Badge key={project}>{project}</Badge>
                    ))}
                  </p>
                  {quote !== "" && <p class="muted break">“{quote}”</p>}
                </Row>
              ))}
            </ul>
            <Newest shown={learnings.length} total={total} />
          </>
        )
      }
    </Loaded>
  );
}

/** A past decision, its time, and the button that undoes it. */
function Row(props: {
  at: string;
  action: string;
  run: () => Promise<unknown>;
  children: ComponentChildren;
}) {
  return (
    <li class="flex start gap-3 pad-y-3">
      <div class="stack gap-2 grow narrow break pad-top-1">{props.children}</div>
      <Time at={props.at} class="fixed faint pad-top-1" />
      <Button kind="quiet" onClick={() => void props.run()}>
        {props.action}
      </Button>
    </li>
  );
}

function Newest({ shown, total }: { shown: number; total: number }) {
  if (total <= shown) return null;
  return (
    <p class="muted break">
      The newest {shown} of {total}.
    </p>
  );
}
