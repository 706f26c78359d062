import type { NoteAnswer } from "../../api/notes.ts";
import { noteAddress, sessionAddress } from "../core/address.ts";
import { bytes, count } from "../core/format.ts";
import { HostName } from "../parts/Badge.tsx";
import { Chip } from "../parts/Chip.tsx";
import { Copy } from "../parts/Copy.tsx";
import { SidePart, SideRow } from "../parts/Side.tsx";
import { Time } from "../parts/Time.tsx";
import { conceptAddress } from "./addresses.ts";

/** Beside a note: what links to it, which concepts it names, its frontmatter, and which sessions got it. */
export function NoteSide({ note }: { note: NoteAnswer }) {
  return (
    <div class="note-side">
      <SidePart title="Linked from" count={note.backlinks.length} empty="No note links here yet.">
        <ul>
          {note.backlinks.map(({ uri, title, modified }) => (
            <SideRow key={uri} href={noteAddress(uri)} aside={<Time at={modified} />}>
              {title}
            </SideRow>
          ))}
        </ul>
      </SidePart>
      <SidePart
        title="Concepts"
        count={note.concepts.length}
        empty="Link topics as [[topic]] to connect notes."
      >
        <ul class="chips">
          {note.concepts.map(({ name, notes }) => (
            <li key={name}>
              <Chip href={conceptAddress(name)} title={`In ${count(notes, "note")}`}>
                {name}
                {notes > 1 && <span class="chip-aside">{notes}</span>}
              </Chip>
            </li>
          ))}
        </ul>
      </SidePart>
      <SidePart title="Given to" count={note.givenTo.length} empty="No recent session was given this note.">
        <ul>
          {note.givenTo.map(({ host, session, at }) => (
            <SideRow key={`${host} ${session}`} href={sessionAddress(host, session)} aside={<Time at={at} />}>
              <HostName host={host} />
            </SideRow>
          ))}
        </ul>
      </SidePart>
      <SidePart title="Properties">
        <dl class="properties">
          {note.aliases.length > 0 && (
            <div>
              <dt>aliases</dt>
              <dd>{note.aliases.join(", ")}</dd>
            </div>
          )}
          {note.properties.map(({ key, texts }) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{texts.join(", ")}</dd>
            </div>
          ))}
          {note.created !== undefined && (
            <div>
              <dt>created</dt>
              <dd>
                <Time at={note.created} />
              </dd>
            </div>
          )}
          <div>
            <dt>size</dt>
            <dd>{bytes(note.size)}</dd>
          </div>
          <div>
            <dt>file</dt>
            <dd>
              <code class="file-path">{note.path}</code>
            </dd>
          </div>
        </dl>
        <Copy text={note.uri}>Copy address</Copy>
      </SidePart>
    </div>
  );
}
