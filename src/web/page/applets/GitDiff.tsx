import { RefreshCw } from "lucide";
import { useState } from "preact/hooks";
import type { DiffFile, DiffView } from "../../api/files.ts";
import { useAppletAddress } from "../core/applet-address.ts";
import { count } from "../core/format.ts";
import { useGet, useReturn } from "../core/resource.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Diff } from "../parts/diff/Diff.tsx";
import { Empty, Loaded } from "../parts/States.tsx";
import type { AppletProps } from "./applet.ts";

/** The applet `git-diff`: the changes in a repository, a folder or a file. */
export default function GitDiff({ session, parameters, set }: AppletProps) {
  const path = parameters["path"] ?? "";
  const against = parameters["against"] ?? "HEAD";
  const diff = useGet<DiffView>(
    "/diff",
    { ...inProject(session, path), against },
    (event) =>
      (event.type === "session" && event.session.id === session?.id) ||
      (event.type === "disk" && event.path === inProject(session, path)["path"]),
  );
  useReturn(diff.reload);
  return (
    <>
      <div class="git-diff-bar row wrap gap-2 min-28">
        <Against against={against} choose={(next) => set({ against: next === "HEAD" ? "" : next })} />
        <Button kind="quiet" icon={RefreshCw} aria-label="Compare again" onClick={diff.reload} />
      </div>
      <Loaded resource={diff}>{(data) => <Changes data={data} {...{ session, path }} />}</Loaded>
    </>
  );
}

/** Without a path: the session's whole project. */
function inProject(session: AppletProps["session"], path: string): Record<string, string> {
  return session === undefined ? { path } : { path: path || ".", session: `${session.host}/${session.id}` };
}

function Against({ against, choose }: { against: string; choose: (next: string) => void }) {
  const isCommit = against !== "HEAD" && against !== "staged";
  const [isOpen, setOpen] = useState(isCommit);
  const value = isOpen ? "commit" : against;
  return (
    <>
      <label class="unseen" for="git-diff-against">
        Compare with
      </label>
      <select
        id="git-diff-against"
        class="grow narrow"
        value={value}
        onChange={({ currentTarget }) => {
          setOpen(currentTarget.value === "commit");
          if (currentTarget.value !== "commit") choose(currentTarget.value);
        }}
      >
        <option value="HEAD">Uncommitted changes</option>
        <option value="staged">Staged changes</option>
        <option value="commit">Since a commit</option>
      </select>
      {isOpen && (
        <input
          class="git-diff-commit"
          aria-label="Id of the commit"
          placeholder="commit id"
          value={isCommit ? against : ""}
          onChange={({ currentTarget }) => {
            if (/^[0-9a-f]{4,64}$/.test(currentTarget.value.trim())) choose(currentTarget.value.trim());
          }}
        />
      )}
    </>
  );
}

interface ChangesProps extends Pick<AppletProps, "session"> {
  readonly data: DiffView;
  /** The chosen path; empty for the whole repository. */
  readonly path: string;
}

function Changes({ data, session, path: chosen }: ChangesProps) {
  const { files, untracked, text, isCut, hidden, branch, repository } = data;
  const address = useAppletAddress(session);
  const open = (path: string) => address("text-editor", { path });
  const against: Record<string, string> = data.against === "HEAD" ? {} : { against: data.against };
  const alone = (path: string) => address("git-diff", { path, ...against });
  if (files.length === 0 && untracked.length === 0)
    return (
      <Empty title="Nothing changed">
        <p>{repository} has no such changes.</p>
      </Empty>
    );
  return (
    <>
      <p class="muted">
        {count(files.length, "file")} changed{branch === undefined ? "" : ` on ${branch}`}
        {hidden > 0 && ` · ${count(hidden, "file")} with keys not shown`}
        {chosen !== "" && session !== undefined && (
          <>
            {" · "}
            <a href={address("git-diff", against)}>All changes</a>
          </>
        )}
      </p>
      <ul class="git-diff-files">
        {files.map((file) => (
          <li key={file.path} class="row gap-3">
            <a class="clip grow" href={open(file.path)} title={file.name}>
              {file.name}
            </a>
            <Numbers file={file} />
          </li>
        ))}
        {untracked.map((path) => (
          <li key={path} class="row gap-3">
            <a class="clip grow" href={open(path)} title={path}>
              {path.startsWith(`${repository}/`) ? path.slice(repository.length + 1) : path}
            </a>
            <Badge>new</Badge>
          </li>
        ))}
      </ul>
      {text !== "" && (
        <Diff
          text={text}
          hasNumbers
          totals={totalsOf(files)}
          whole={(name) => {
            const path = files.find((file) => file.name === name)?.path;
            if (path === undefined) return null;
            return path === chosen ? (
              <a href={open(path)}>Open the file</a>
            ) : (
              <a href={alone(path)}>Show this file alone</a>
            );
          }}
        />
      )}
      {isCut && (
        <p class="muted small">
          There is more than is shown: only the beginning of long changes, and not of every file.
        </p>
      )}
    </>
  );
}

function totalsOf(files: readonly DiffFile[]) {
  return new Map(
    files.flatMap(({ name, added, removed }) =>
      added === undefined || removed === undefined ? [] : [[name, { added, removed }] as const],
    ),
  );
}

function Numbers({ file }: { file: DiffFile }) {
  if (file.added === undefined) return <Badge>binary</Badge>;
  return (
    <span class="git-diff-numbers flex gap-2">
      <span class="good" title={count(file.added, "line added", "lines added")}>
        +{file.added}
      </span>
      <span class="bad" title={count(file.removed ?? 0, "line removed", "lines removed")}>
        −{file.removed}
      </span>
    </span>
  );
}
