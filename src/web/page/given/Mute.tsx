import { BellOff } from "lucide";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../parts/Button.tsx";
import { Time } from "../parts/Time.tsx";
import {
  type MuteEntry,
  mute,
  mutes,
  projectName,
  unmute,
  useMutes,
  type Where,
  whatOf,
  whereText,
} from "./mutes.ts";
import { sourceWord } from "./words.ts";

interface Props {
  readonly source: string;
  readonly itemKey?: string;
  readonly label: string;
  readonly project?: string;
  readonly session?: { host: string; id: string };
}

/** Mutes something that agents get. `key` is an item's key; without it, the whole source is muted. */
export function Mute({ source, itemKey, label, project, session }: Props) {
  useMutes();
  const [isAsking, setAsking] = useState(false);
  const group = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (isAsking) group.current?.querySelector("button")?.focus();
  }, [isAsking]);
  const what = whatOf(source, itemKey);
  const found = (mutes.value ?? []).find((one) => one.what === what && holdsFor(one, project, session));
  if (found !== undefined)
    return (
      <span class="inline-row wrap gap-1">
        <span class="muted small">muted {whereText(found)}</span>
        <Button
          kind="quiet"
          onClick={() => void unmute(what, found, label)}
          aria-label={`Undo: unmute ${label}`}
        >
          Undo
        </Button>
      </span>
    );
  if (!isAsking)
    return (
      <Button kind="quiet" icon={BellOff} onClick={() => setAsking(true)} aria-label={`Mute ${label}`}>
        Mute
      </Button>
    );
  const choose = (where: Where) => {
    setAsking(false);
    void mute(what, where, label);
  };
  const cancel = () => setAsking(false);
  return (
    <span
      class="inline-row wrap gap-1"
      role="group"
      aria-label={`Mute ${label}: where?`}
      ref={group}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        cancel();
      }}
    >
      <span class="muted small">Mute</span>
      {session && (
        <Button onClick={() => choose({ in: "session", host: session.host, session: session.id })}>
          In this session
        </Button>
      )}
      {project && (
        <Button onClick={() => choose({ in: "project", project })}>
          In this project ({projectName(project)})
        </Button>
      )}
      <Button onClick={() => choose({ in: "everywhere" })}>Everywhere</Button>
      <Button kind="quiet" onClick={cancel}>
        Cancel
      </Button>
    </span>
  );
}

function holdsFor(
  one: MuteEntry,
  project: string | undefined,
  session: { host: string; id: string } | undefined,
): boolean {
  if (one.in === "everywhere") return true;
  if (one.in === "project") return one.project === project;
  return one.host === session?.host && one.session === session?.id;
}

/** Everything that is muted, each with an undo. */
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
            <li key={`${one.what} ${placeOf(one)}`} class="row gap-3 line-bottom pad-y-1">
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
