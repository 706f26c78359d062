import { useEffect, useRef, useState } from "preact/hooks";
import type { Applied, ConnectAction, ConnectPreview, FileEdit } from "../../api/connect.ts";
import { ApiFailure, api } from "../core/api.ts";
import { notify } from "../core/notices.ts";
import { useResource } from "../core/resource.ts";
import { Button } from "../parts/Button.tsx";
import { Failed, Loaded } from "../parts/States.tsx";

const CHANGES: Readonly<Record<FileEdit["change"], string>> = {
  create: "new file",
  edit: "changed",
  remove: "removed",
};

interface Props {
  readonly host: string;
  readonly action: ConnectAction;
  close(): void;
  reload(): void;
}

/** The exact edit of a host's settings. The next click makes it, unless the files changed meanwhile. */
export function Edit({ host, action, close, reload }: Props) {
  const [failure, setFailure] = useState<ApiFailure | undefined>();
  const [isApplying, setApplying] = useState(false);
  const address = `/connect/${encodeURIComponent(host)}`;
  const shown = useResource(`edit ${host} ${action}`, () =>
    api.post<ConnectPreview>(`${address}/preview`, { action }),
  );
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // Its beginning says what will happen: the button below it is not pressed by accident.
    if (shown.data === undefined) return;
    section.current?.focus({ preventScroll: true });
    section.current?.scrollIntoView({ block: "nearest" });
  }, [shown.data?.plan]);
  const apply = async (plan: string) => {
    setApplying(true);
    setFailure(undefined);
    try {
      const { message } = await api.post<Applied>(`${address}/apply`, { action, plan });
      notify(message);
      close();
      reload();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setFailure(error);
      shown.reload();
    } finally {
      setApplying(false);
    }
  };
  return (
    <section
      class="edit"
      ref={section}
      tabIndex={-1}
      aria-label={action === "connect" ? "The edit" : "The removal"}
    >
      {failure && <Failed failure={failure} />}
      <Loaded resource={shown} lines={8}>
        {({ files, words, plan, label }) => (
          <>
            {files.length === 0 && <p class="connect-note">There is nothing to change.</p>}
            <ul class="edit-words">
              {words.map((word) => (
                <li key={word}>{word}</li>
              ))}
            </ul>
            {files.map((file) => (
              <Diff key={file.file} edit={file} />
            ))}
            <div class="edit-actions">
              {files.length > 0 && (
                <Button kind="primary" disabled={isApplying} onClick={() => void apply(plan)}>
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

function Diff({ edit }: { edit: FileEdit }) {
  const lines = edit.diff.split("\n").filter((line) => !/^(---|\+\+\+) /.test(line));
  return (
    <figure class="edit-file">
      <figcaption>
        <code>{edit.file}</code> {CHANGES[edit.change]}
        {edit.target !== undefined && (
          <>
            {" "}
            (a link to <code>{edit.target}</code>)
          </>
        )}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <pre class="edit-diff" role="group" tabIndex={0} aria-label={`Changes of ${edit.file}`}>
        {lines.map((line, at) => (
          <span key={at} class={`diff-line ${classOf(line)}`}>
            {`${line}\n`}
          </span>
        ))}
      </pre>
      {edit.note !== undefined && <p class="connect-note">{edit.note}</p>}
    </figure>
  );
}

function classOf(line: string): string {
  if (line.startsWith("+")) return "diff-added";
  if (line.startsWith("-")) return "diff-removed";
  return line.startsWith("@@") ? "diff-place" : "";
}
