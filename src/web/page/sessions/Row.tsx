import { Pencil } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { SessionRow } from "../../api/sessions.ts";
import { turnAddress } from "../core/address.ts";
import { count, exact, number } from "../core/format.ts";
import { Badge, HostName } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Time } from "../parts/Time.tsx";
import { keyOf, newNames } from "./names.ts";

interface Props {
  readonly row: SessionRow;
  readonly depth?: number;
  readonly isSelected: boolean;
  readonly isRenaming: boolean;
  readonly style?: { readonly transform: string };
  /** The turn at which the session opens (default: its end). */
  readonly turn?: string;
  select(): void;
  startRenaming(): void;
  finishRenaming(name: string | undefined): void;
  /** Shown below the name: the passage that a search found. */
  readonly children?: ComponentChildren;
}

/** The headings of a row's columns. Rows repeat them for screen readers. */
export function Columns() {
  return (
    <div class="sessions-columns muted small surface" aria-hidden="true">
      <span />
      <span>Session</span>
      <span>Project</span>
      <span class="wide-column">Branch</span>
      <span>Agent</span>
      <span class="wide-column number-column">Turns</span>
      <span class="number-column">Last active</span>
    </div>
  );
}

/** One session in a list. The whole row is a link. */
export function Row(props: Props) {
  const { row, depth = 0, isSelected, isRenaming } = props;
  const name = newNames.value.get(keyOf(row)) ?? row.name;
  const intent = row.currentIntent;
  return (
    <li
      class={`session-row hover ${isSelected ? "session-row-selected" : ""} ${row.unobserved ? "session-row-new" : ""}`}
      data-key={keyOf(row)}
      style={props.style}
    >
      <Sign row={row} />
      <div class="session-what row gap-2 narrow" style={{ paddingLeft: `${Math.min(depth, 6) * 18}px` }}>
        {depth > 0 && (
          <span class="session-branch faint" title={row.origin?.how ?? "comes from the session above"}>
            <span aria-hidden="true">└</span>
            <span class="unseen">{row.origin?.how ?? "belongs to"} the session above: </span>
          </span>
        )}
        {isRenaming ? (
          <NameField name={name} finish={props.finishRenaming} />
        ) : (
          <a
            class="session-name flex narrow medium"
            href={turnAddress(row.host, row.id, props.turn)}
            aria-current={isSelected ? "true" : undefined}
            onFocus={props.select}
          >
            <span class="clip isolate">{name}</span>
          </a>
        )}
        {!isRenaming && depth > 0 && row.origin && <Badge>{LINEAGE[row.origin.how]}</Badge>}
        {row.isGone && (
          <Badge title="The agent deleted its transcript. What was indexed is kept.">
            transcript deleted
          </Badge>
        )}
        {!isRenaming && props.children === undefined && intent !== null && (
          <span class="session-intent isolate clip faint">{intent}</span>
        )}
      </div>
      <span class="session-project clip isolate">{row.project}</span>
      <span class="session-branch-name clip isolate">{row.branch}</span>
      <span class="session-host">
        <HostName host={row.host} />
      </span>
      <span class="session-turns faint numbers right nowrap" title={count(row.turns, "turn")}>
        {number(row.turns)}
        <span class="unseen"> turns</span>
      </span>
      <Time at={row.modified} class="session-time faint numbers right nowrap" />
      {!isRenaming && (
        <Button
          class="session-rename"
          kind="quiet"
          icon={Pencil}
          aria-label={`Rename ${name}`}
          tabIndex={isSelected ? 0 : -1}
          onClick={props.startRenaming}
        />
      )}
      {props.children}
    </li>
  );
}

const LINEAGE = { "subagent of": "subagent", "fork of": "fork", continues: "continued" } as const;

/** What the agent is doing, or that the user has not looked yet. */
function Sign({ row }: { row: SessionRow }) {
  if (row.activity === "working") {
    const since = row.activeSince === null ? "" : ` since ${exact(row.activeSince)}`;
    return (
      <span
        class="session-sign dot pulse good"
        role="img"
        aria-label={`Working${since}`}
        title={`Working${since}`}
      />
    );
  }
  if (row.unobserved)
    return (
      <span
        class="session-sign dot"
        role="img"
        aria-label="Finished, not looked at yet"
        title="Finished, not looked at yet"
      />
    );
  return <span class="session-sign" />;
}

/** Enter saves the name, Esc cancels; an empty name restores the host's. */
function NameField({ name, finish }: { name: string; finish: (name: string | undefined) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => field.current?.select(), []);
  const end = (value: string | undefined): void => {
    if (isDone.current) return;
    isDone.current = true;
    finish(value);
  };
  return (
    <input
      ref={field}
      class="session-name-field grow narrow"
      aria-label="Name of the session; empty for its own name"
      placeholder="Its own name"
      maxLength={200}
      defaultValue={name}
      onKeyDown={(event) => {
        if (event.key === "Enter") end(event.currentTarget.value);
        if (event.key === "Escape") end(undefined);
        if (event.key === "Enter" || event.key === "Escape") event.preventDefault();
        event.stopPropagation();
      }}
      onBlur={(event) => end(event.currentTarget.value)}
    />
  );
}
