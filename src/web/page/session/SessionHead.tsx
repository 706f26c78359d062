import { Pencil } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import type { SessionDetails } from "../../api/sessions.ts";
import type { SessionKey } from "../conversation/Clipped.tsx";
import { addressOf } from "../core/address.ts";
import { api, sessionPath } from "../core/api.ts";
import { count } from "../core/format.ts";
import { useKeys } from "../core/keys.ts";
import { notifyFailure } from "../core/notices.ts";
import { HostName } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Time } from "../parts/Time.tsx";

/** The name of a session, editable in place. */
export function SessionName(props: { session: SessionKey; name: string; renamed: (name: string) => void }) {
  const { session, name, renamed } = props;
  const [isEditing, setEditing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useKeys({ n: { what: "rename the session", run: () => setEditing(true) } });
  useEffect(() => {
    if (isEditing) input.current?.select();
  }, [isEditing]);
  const save = () => {
    const next = input.current?.value.trim() ?? "";
    setEditing(false);
    if (next === "" || next === name) return;
    renamed(next);
    api.patch(sessionPath(session.host, session.id), { name: next }).catch((error: unknown) => {
      renamed(name);
      notifyFailure("Could not rename the session", error);
    });
  };
  if (!isEditing) {
    return (
      <div class="session-title row gap-2 narrow">
        <h1 class="clamp break">{name}</h1>
        <Button kind="quiet" icon={Pencil} aria-label="Rename" onClick={() => setEditing(true)} />
      </div>
    );
  }
  return (
    <form
      class="session-title row gap-2 narrow"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <h1 class="unseen">{name}</h1>
      <input
        ref={input}
        defaultValue={name}
        maxLength={200}
        aria-label="Name of the session"
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          if (input.current) input.current.value = name;
          setEditing(false);
        }}
      />
    </form>
  );
}

/** Host, project, branch and times in one subdued line. */
export function SessionFacts({ details }: { details: SessionDetails }) {
  const { host, project, projectId, branch, started, modified, prompts, activity } = details;
  return (
    <p class="session-about row wrap muted">
      <HostName host={host} />
      {project && (
        <a href={addressOf("/sessions", { project: projectId ?? project })} title={details.cwd}>
          {project}
        </a>
      )}
      {branch && <code>{branch}</code>}
      {activity === "working" && <span class="good">working</span>}
      {modified !== undefined && (
        <span>
          active <Time at={modified} />
        </span>
      )}
      {started !== undefined && started !== modified && (
        <span>
          started <Time at={started} />
        </span>
      )}
      {prompts !== undefined && prompts > 0 && <span>{count(prompts, "prompt")}</span>}
    </p>
  );
}
