import { useEffect, useRef, useState } from "preact/hooks";
import type { GraphAnswer } from "../../api/notes.ts";
import { count } from "../core/format.ts";
import { loadPart } from "../core/page-key.ts";
import { useGet } from "../core/resource.ts";
import { isDark } from "../core/theme.ts";
import { Button } from "../parts/Button.tsx";
import { Empty, Loaded } from "../parts/States.tsx";
import { ConceptTable, type GraphView } from "./ConceptTable.tsx";
import { COLOURS, type Group, groupsOf } from "./groups.ts";
import { near } from "./near.ts";
import type { Picture } from "./picture.ts";

interface Props {
  /** A name, or `.` for the project in which `continuo web` was started; without it all notes. */
  readonly project?: string | undefined;
  /** The chosen concept. */
  readonly concept?: string | undefined;
  /** Show only concepts up to this many relations away from the chosen one; without it everything. */
  readonly depth?: number | undefined;
  readonly isTable?: boolean;
  onConcept?(name: string | undefined): void;
}

/** The graph of concepts: a picture, and a table for users who cannot use the picture. */
export function Graph({ project, ...rest }: Props) {
  const graph = useGet<GraphAnswer>("/graph", { project }, ["notes"]);
  return (
    <Loaded resource={graph}>
      {(data) =>
        data.names.length === 0 ? (
          <Empty title="No concepts yet" command='continuo note "We chose [[SQLite]] for [[search]]."'>
            Link topics in notes as <code>[[topic]]</code>. Topics that notes name together are connected
            here.
          </Empty>
        ) : (
          <Shown data={data} {...rest} />
        )
      }
    </Loaded>
  );
}

type ShownProps = Omit<Props, "project"> & { readonly data: GraphAnswer };

function Shown({ data, concept, depth, isTable = false, onConcept }: ShownProps) {
  const [community, setCommunity] = useState<number | undefined>();
  const [failure, setFailure] = useState<string | undefined>();
  const groups = groupsOf(data);
  const choose = (at: number | undefined) => onConcept?.(at === undefined ? undefined : data.names[at]);
  const chosen = concept === undefined ? -1 : data.names.indexOf(concept);
  const among = chosen >= 0 && depth !== undefined ? near(data.edges, chosen, depth) : undefined;
  const view: GraphView = { data, groups, chosen, among, community, choose };
  return (
    <div class="graph stack gap-2 short pad-bottom-3">
      <Legend groups={groups} chosen={community} choose={setCommunity} />
      {failure !== undefined && (
        <p class="memory-notice warn break rounded" role="status">
          {failure} The concepts are shown as a table.
        </p>
      )}
      {isTable || failure !== undefined ? <ConceptTable {...view} /> : <Canvas {...view} fail={setFailure} />}
      <p class="graph-count muted small" role="status">
        {count(data.names.length, "concept")} and {count(data.edges.length / 3, "relation")}
        {data.totalConcepts > data.names.length && ` of ${count(data.totalConcepts, "concept")}`}
        {among !== undefined && ` · ${among.size} shown`}
      </p>
    </div>
  );
}

interface CanvasProps extends GraphView {
  fail(why: string): void;
}

function Canvas({ data, chosen, among, community, choose, fail }: CanvasProps) {
  const container = useRef<HTMLDivElement>(null);
  const picture = useRef<Picture | undefined>(undefined);
  const [isReady, setReady] = useState(false);
  const latest = useRef(choose);
  latest.current = choose;

  useEffect(() => {
    let isGone = false;
    let stop = (): void => undefined;
    const start = async (): Promise<void> => {
      const [{ draw, hasWebGl }, { layout }] = await Promise.all([
        loadPart(() => import("./picture.ts")),
        loadPart(() => import("./layout.ts")),
      ]);
      if (isGone || container.current === null) return;
      if (!hasWebGl()) return fail("This browser has no WebGL, which the picture needs.");
      const { current } = container;
      const isShown = !matchMedia("(prefers-reduced-motion: reduce)").matches;
      stop = layout({ ...data, isShown }, ({ places, isDone, ms }) => {
        if (isGone) return;
        const isFirst = picture.current === undefined;
        picture.current ??= draw(current, data, { choose: (at) => latest.current(at) });
        picture.current.place(places);
        if (isFirst) setReady(true);
        if (isDone) current.dataset["layoutMs"] = String(Math.round(ms));
      });
    };
    start().catch((error: unknown) => fail(`The picture cannot be drawn: ${String(error)}`));
    return () => {
      isGone = true;
      stop();
      picture.current?.close();
      picture.current = undefined;
      setReady(false);
    };
  }, [data]);

  useEffect(() => {
    picture.current?.emphasise({
      ...(chosen >= 0 && { chosen }),
      ...(among !== undefined && { near: among }),
      ...(community !== undefined && { community }),
    });
  }, [isReady, chosen, among?.size, community]);
  useEffect(() => {
    if (chosen >= 0) picture.current?.focus(chosen);
  }, [isReady, chosen]);
  useEffect(() => picture.current?.recolour(), [isDark.value]);

  return (
    <div class="graph-stage box grow relative">
      <div
        class="graph-canvas"
        ref={container}
        role="img"
        aria-label={`Picture of ${count(data.names.length, "concept")}. The table has the same concepts for the keyboard.`}
      />
      {!isReady && (
        <p class="graph-waiting muted" role="status">
          Arranging {count(data.names.length, "concept")}
        </p>
      )}
      <div class="graph-zoom flex gap-1">
        <Button aria-label="Zoom in" onClick={() => picture.current?.zoom("in")}>
          +
        </Button>
        <Button aria-label="Zoom out" onClick={() => picture.current?.zoom("out")}>
          −
        </Button>
        <Button onClick={() => picture.current?.zoom("all")}>All</Button>
      </div>
    </div>
  );
}

const SHOWN = 10;

/** The communities, named by their most frequent concept. Choosing one colours only that one. */
function Legend(props: {
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
