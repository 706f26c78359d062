import { X } from "lucide";
import { useState } from "preact/hooks";
import type { FilterValue, SessionFilters } from "../../api/sessions.ts";
import { useGet } from "../core/resource.ts";
import { hostLabel } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { type FilterName, type Filters, withoutFilters } from "./query.ts";

const TIMES = [
  ["1d", "Last 24 hours"],
  ["7d", "Last 7 days"],
  ["30d", "Last 30 days"],
  ["365d", "Last year"],
] as const;

/** The filters as chips. They are stored in the address, so that a list can be linked. */
export function FilterBar(props: {
  filters: Filters;
  unobserved: number;
  set: (changes: Readonly<Record<string, string | undefined>>) => void;
}) {
  const { filters, set } = props;
  const { data } = useGet<SessionFilters>("/sessions/filters", {}, ["import"]);
  const hosts = (data?.hosts ?? []).map((one) => ({ ...one, label: hostLabel(one.value) }));
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <div class="filters flex wrap gap-tight" role="group" aria-label="Filters">
      <Choice
        name="project"
        label="Project"
        any="All projects"
        values={data?.projects ?? []}
        filters={filters}
        set={set}
      />
      <Choice name="host" label="Agent" any="All agents" values={hosts} filters={filters} set={set} />
      <Choice
        name="branch"
        label="Branch"
        any="All branches"
        values={data?.branches ?? []}
        filters={filters}
        set={set}
      />
      <Choice
        name="since"
        label="Time"
        any="Any time"
        values={TIMES.map(([value, label]) => ({ value, label, count: 0 }))}
        filters={filters}
        set={set}
      />
      <FileFilter file={filters.file} set={set} />
      <Toggle name="unobserved" filters={filters} set={set}>
        Not looked at{props.unobserved > 0 && <span class="count">{props.unobserved}</span>}
      </Toggle>
      <Toggle name="children" filters={filters} set={set}>
        Subagents
      </Toggle>
      {isFiltered && (
        <Button kind="quiet" icon={X} onClick={() => set(withoutFilters())}>
          Clear
        </Button>
      )}
    </div>
  );
}

interface FilterProps {
  readonly filters: Filters;
  readonly set: (changes: Readonly<Record<string, string | undefined>>) => void;
}

function Choice(
  props: FilterProps & {
    readonly name: FilterName;
    readonly label: string;
    readonly any: string;
    readonly values: readonly FilterValue[];
  },
) {
  const { name, label, any, values, filters } = props;
  const chosen = filters[name] ?? "";
  const isKnown = chosen === "" || values.some(({ value }) => value === chosen);
  return (
    <select
      class={`filter muted surface ${chosen === "" ? "" : "filter-on"}`}
      aria-label={label}
      value={chosen}
      onChange={(event) => props.set({ [name]: event.currentTarget.value || undefined })}
    >
      <option value="">{any}</option>
      {!isKnown && <option value={chosen}>{chosen}</option>}
      {values.map(({ value, label: text, count }) => (
        <option key={value} value={value}>
          {count === 0 ? text : `${text} (${count})`}
        </option>
      ))}
    </select>
  );
}

function Toggle(
  props: FilterProps & { name: "unobserved" | "children"; children: preact.ComponentChildren },
) {
  const isOn = props.filters[props.name] === "true";
  return (
    <button
      type="button"
      class={`filter muted surface ${isOn ? "filter-on" : ""}`}
      aria-pressed={isOn}
      onClick={() => props.set({ [props.name]: isOn ? undefined : "true" })}
    >
      {props.children}
    </button>
  );
}

/** A path, or the end of one. */
function FileFilter({ file, set }: { file: string | undefined; set: FilterProps["set"] }) {
  const [typed, setTyped] = useState<string | undefined>();
  const apply = (value: string): void => {
    setTyped(undefined);
    if (value.trim() !== (file ?? "")) set({ file: value.trim() || undefined });
  };
  return (
    <input
      class={`filter muted surface filter-text ${file === undefined ? "" : "filter-on"}`}
      aria-label="A file that was read or edited"
      placeholder="File"
      value={typed ?? file ?? ""}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onChange={(event) => apply(event.currentTarget.value)}
    />
  );
}
