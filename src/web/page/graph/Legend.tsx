import { COLOURS, type Group } from "./groups.ts";

const SHOWN = 10;

/** The communities by their most named concept. Choosing one leaves only it in colour. */
export function Legend(props: {
  groups: readonly Group[];
  chosen: number | undefined;
  choose: (community: number | undefined) => void;
}) {
  const coloured = props.groups.filter(({ colour }) => colour < COLOURS).slice(0, SHOWN);
  if (coloured.length < 2) return null;
  return (
    <ul class="graph-legend flex wrap" aria-label="Communities">
      {coloured.map(({ community, name, size, colour }) => (
        <li key={community}>
          <button
            type="button"
            class="pointer hover-strong"
            aria-pressed={props.chosen === community}
            title={`${name} and ${size - 1} more concepts that occur together`}
            onClick={() => props.choose(props.chosen === community ? undefined : community)}
          >
            <span class="graph-dot dot" style={{ background: `var(--graph-${colour})` }} aria-hidden="true" />
            <span class="clip">{name}</span>
            <span class="muted">{size}</span>
          </button>
        </li>
      ))}
      {props.groups.length > coloured.length && (
        <li class="muted small graph-rest">and {props.groups.length - coloured.length} smaller</li>
      )}
    </ul>
  );
}
