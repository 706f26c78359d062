import type { MuteEntry } from "../../api/given.ts";
import { Button } from "../parts/Button.tsx";
import { Time } from "../parts/Time.tsx";
import { mutes, unmute, useMutes } from "./mutes.ts";
import { sourceWord } from "./words.ts";

/** Everything that is muted, with its undo. */
export function MuteList() {
  useMutes();
  const all = mutes.value;
  if (all === undefined) return null;
  return (
    <section class="mute-list" aria-labelledby="mute-list-title">
      <h2 id="mute-list-title" class="pad-bottom-2">
        Muted
      </h2>
      {all.length === 0 ? (
        <p class="muted">
          Nothing is muted. Open an entry of a session's tab Added to mute a source, a rule or a note.
        </p>
      ) : (
        <ul>
          {all.map((one) => (
            <li
              key={`${one.what} ${one.in} ${one.session ?? one.project ?? ""}`}
              class="row gap-3 line-bottom pad-y-1"
            >
              <span class="stack grow-auto narrow">
                <span>{one.title ?? sourceWord(one.what)}</span>
                <span class="muted small clip" title={one.what}>
                  {placeOf(one)}
                </span>
              </span>
              <Time at={one.at} class="small muted" />
              <Button
                kind="quiet"
                aria-label={`Unmute ${one.title ?? sourceWord(one.what)}`}
                onClick={() => void unmute(one.what, one, one.title ?? sourceWord(one.what))}
              >
                Unmute
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function placeOf(one: MuteEntry): string {
  if (one.in === "everywhere") return "everywhere";
  return one.in === "project" ? `in ${one.project}` : `in the session ${one.session} (${one.host})`;
}
