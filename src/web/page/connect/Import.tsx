import type { ImportState } from "../../api/connect.ts";
import { api } from "../core/api.ts";
import { count, number } from "../core/format.ts";
import { notifyFailure } from "../core/notices.ts";
import { Button } from "../parts/Button.tsx";
import { Time } from "../parts/Time.tsx";

/** Past sessions become searchable by indexing. It reads transcripts and sends nothing. */
export function Import({ state, reload }: { state: ImportState; reload: () => void }) {
  const start = () =>
    api.post("/connect/import").then(reload, (error: unknown) => notifyFailure("Not imported", error));
  return (
    <section class="stack gap-3" aria-labelledby="connect-import">
      <h2 id="connect-import">Past sessions</h2>
      <div class="min-28 row wrap between gap-2-4">
        {/* Announced when it ends; the numbers in between would be noise. */}
        <p aria-live={state.isRunning ? "off" : "polite"}>
          {state.isRunning ? (
            <>
              Reading transcripts: {number(state.done)} of {number(state.total)} changed sessions
            </>
          ) : state.indexed === 0 ? (
            state.indexedAt > 0 ? (
              <>
                There is nothing to import: no agent has kept a session here. Checked{" "}
                <Time at={state.indexedAt} />
              </>
            ) : (
              "None is indexed yet."
            )
          ) : (
            <>
              {count(state.indexed, "session")} indexed
              {state.indexedAt > 0 && (
                <>
                  ; checked <Time at={state.indexedAt} />
                </>
              )}
            </>
          )}
        </p>
        <Button disabled={state.isRunning} onClick={() => void start()}>
          {state.isRunning ? "Importing" : "Import now"}
        </Button>
      </div>
      {state.isRunning && state.total > 0 && (
        <progress aria-label="Import of past sessions" value={state.done} max={state.total} />
      )}
      <p class="muted break">
        Continuo reads the transcripts that agents keep on this machine. They stay where they are, and nothing
        is sent anywhere.
      </p>
    </section>
  );
}
