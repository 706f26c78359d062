import type { Decided, Tombstone, TombstoneList } from "../../api/inbox.ts";
import { api } from "../core/api.ts";
import { notify, notifyFailure } from "../core/notices.ts";
import { useGet } from "../core/resource.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Empty, Loaded } from "../parts/States.tsx";
import { Time } from "../parts/Time.tsx";

/** Wishes that are never suggested again, in other words neither. Each rejection can be revoked. */
export function Rejected() {
  const list = useGet<TombstoneList>("/tombstones", {}, ["inbox"]);
  const allow = (one: Tombstone) =>
    api
      .delete<Decided>(`/tombstones/${encodeURIComponent(one.id)}`)
      .then(
        () => notify(one.why === "removed" ? "Learning restored" : "It is pending again"),
        (error: unknown) => notifyFailure("Not revoked", error),
      )
      .finally(list.reload);
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
                <li key={one.id} class="flex start gap-3 pad-y-3">
                  <div class="stack gap-2 grow narrow break pad-top-1">
                    <p>
                      {one.why === "removed" && <Badge>removed</Badge>} {one.text}
                    </p>
                  </div>
                  <Time at={one.at} class="fixed faint pad-top-1" />
                  <Button kind="quiet" onClick={() => void allow(one)}>
                    {one.why === "removed" ? "Restore" : "Allow again"}
                  </Button>
                </li>
              ))}
            </ul>
            {total > tombstones.length && (
              <p class="muted break">
                The newest {tombstones.length} of {total}.
              </p>
            )}
          </>
        )
      }
    </Loaded>
  );
}
