import type { Decided, LearningList, LearningRow } from "../../api/inbox.ts";
import { api } from "../core/api.ts";
import { notify, notifyFailure } from "../core/notices.ts";
import { useGet } from "../core/resource.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Empty, Loaded } from "../parts/States.tsx";
import { Time } from "../parts/Time.tsx";

/** What agents are told about the person. */
export function Learned() {
  const list = useGet<LearningList>("/learnings", {}, ["inbox"]);
  const undo = (batch: string) =>
    api
      .post<Decided>("/inbox/undo", { batch })
      .catch((error: unknown) => notifyFailure("Not undone", error))
      .finally(list.reload);
  const remove = (one: LearningRow) =>
    api
      .delete<Decided>(`/learnings/${encodeURIComponent(one.id)}`)
      .then(
        ({ batch }) => notify("Removed", batch === undefined ? {} : { undo: () => void undo(batch) }),
        (error: unknown) => notifyFailure("Not removed", error),
      )
      .finally(list.reload);
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
              {learnings.map((one) => (
                <li key={one.id} class="flex start gap-3 pad-y-3">
                  <div class="stack gap-2 grow narrow break pad-top-1">
                    <p>
                      {one.text}{" "}
                      {one.projects.map((project) => (
                        <Badge key={project}>{project}</Badge>
                      ))}
                    </p>
                    {one.quote !== "" && <p class="muted break">“{one.quote}”</p>}
                  </div>
                  <Time at={one.at} class="fixed faint pad-top-1" />
                  <Button kind="quiet" onClick={() => void remove(one)}>
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
            {total > learnings.length && (
              <p class="muted break">
                The newest {learnings.length} of {total}.
              </p>
            )}
          </>
        )
      }
    </Loaded>
  );
}
