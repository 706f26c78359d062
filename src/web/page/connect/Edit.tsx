import { useEffect, useRef } from "preact/hooks";
import type { Applied, ConnectAction, ConnectPreview, FileEdit } from "../../api/connect.ts";
import { useAction } from "../core/action.ts";
import { api } from "../core/api.ts";
import { notify } from "../core/notices.ts";
import { useResource } from "../core/resource.ts";
import { Button } from "../parts/Button.tsx";
import { Diff } from "../parts/diff/Diff.tsx";
import { Failed, Loaded } from "../parts/States.tsx";

interface Props {
  readonly host: string;
  readonly action: ConnectAction;
  close(): void;
  reload(): void;
}

/** The exact edit of a host's settings. The next click applies it, unless the files changed meanwhile. */
export function Edit({ host, action, close, reload }: Props) {
  const { failure, isRunning, run } = useAction();
  const address = `/connect/${encodeURIComponent(host)}`;
  const shown = useResource(`edit ${host} ${action}`, () =>
    api.post<ConnectPreview>(`${address}/preview`, { action }),
  );
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // Start at its beginning, so that the user sees what will happen and does not press the button by accident.
    if (shown.data === undefined) return;
    section.current?.focus({ preventScroll: true });
    section.current?.scrollIntoView({ block: "nearest" });
  }, [shown.data?.plan]);
  const apply = async (plan: string) => {
    const { message } = await api.post<Applied>(`${address}/apply`, { action, plan });
    notify(message);
    close();
    reload();
  };
  return (
    <section
      class="edit box stack gap-4 surface-2 pad-4"
      ref={section}
      tabIndex={-1}
      aria-label={action === "connect" ? "The edit" : "The removal"}
    >
      {failure && <Failed failure={failure} />}
      <Loaded resource={shown} lines={8}>
        {({ files, words, plan, label }) => (
          <>
            {files.length === 0 && <p class="muted break">There is nothing to change.</p>}
            <ul class="edit-words stack gap-1 break">
              {words.map((word) => (
                <li key={word}>{word}</li>
              ))}
            </ul>
            {files.map((file) => (
              <FileChange key={file.file} edit={file} />
            ))}
            <div class="flex wrap gap-2">
              {files.length > 0 && (
                <Button
                  kind="primary"
                  disabled={isRunning}
                  onClick={() => void run(() => apply(plan), shown.reload)}
                >
                  {action === "connect" ? "Make this edit" : `Disconnect ${label}`}
                </Button>
              )}
              <Button onClick={close}>{files.length > 0 ? "Cancel" : "Close"}</Button>
            </div>
          </>
        )}
      </Loaded>
      {shown.failure !== undefined && <Button onClick={close}>Close</Button>}
    </section>
  );
}

function FileChange({ edit }: { edit: FileEdit }) {
  return (
    <div class="edit-file stack gap-2 narrow">
      {edit.target !== undefined && (
        <p class="muted">
          <code>{edit.file}</code> is a link to <code>{edit.target}</code>.
        </p>
      )}
      {edit.change === "remove" && <p class="muted">This file is removed.</p>}
      <Diff text={edit.diff} path={edit.file} />
      {edit.note !== undefined && <p class="muted break">{edit.note}</p>}
    </div>
  );
}
