import type { NoteHit } from "../../api/memory.ts";
import { noteAddress } from "../core/address.ts";
import { Badge } from "../parts/Badge.tsx";
import { Marked } from "../parts/Marked.tsx";
import { Time } from "../parts/Time.tsx";
import { shortUri } from "./addresses.ts";

/** What a search found, each with the passage that fits best. */
export function HitRows({ hits }: { hits: readonly NoteHit[] }) {
  return (
    <ol class="note-rows" aria-label="Notes found">
      {hits.map((hit) => (
        <li key={hit.uri}>
          <a class="note-row hover" href={noteAddress(hit.uri)}>
            <span class="flex baseline gap-3">
              <span class="note-title clip">
                <Marked text={hit.title} ranges={hit.titleMarks} />
              </span>
              {hit.relation === "own" && <Badge tone="accent">this project</Badge>}
              <span class="note-place muted small right clip">{shortUri(hit.uri)}</span>
              <Time at={hit.modified} class="note-time fixed muted small right" />
            </span>
            {hit.passage !== "" && (
              <span class="note-passage clamp muted break">
                <Marked text={hit.passage} ranges={hit.marks} />
              </span>
            )}
          </a>
        </li>
      ))}
    </ol>
  );
}
