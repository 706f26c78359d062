import type { NoteFacets } from "../../api/notes.ts";
import { SidePart, SideRow } from "../parts/Side.tsx";
import { Skeleton } from "../parts/States.tsx";
import type { Filters } from "./NotesPage.tsx";

interface Props {
  readonly facets: NoteFacets | undefined;
  readonly filters: Filters;
  choose(changes: Readonly<Record<string, string | undefined>>): void;
}

/** The list's side panel: projects, folders and tags, each with its number of notes. */
export function NoteFilters({ facets, filters, choose }: Props) {
  if (facets === undefined) return <Skeleton lines={8} />;
  const { roots, folders, tags, projects } = facets;
  const rootFolders =
    roots.length > 1
      ? roots.map(({ folder, notes, name }) => ({
          value: folder,
          label: name === undefined ? "Main folder" : `@${name}`,
          notes,
        }))
      : [];
  const plain = (list: NoteFacets["tags"]) =>
    list.map(({ name, notes }) => ({ value: name, label: name, notes }));
  const pick = (name: keyof Filters) => (value: string) =>
    choose({ [name]: filters[name] === value ? undefined : value });
  return (
    <nav class="facets" aria-label="Filters">
      <Facet
        title="Project"
        chosen={filters.project}
        choose={pick("project")}
        options={[{ value: ".", label: "This project" }, ...plain(projects)]}
      />
      <Facet
        title="Folder"
        chosen={filters.folder}
        choose={pick("folder")}
        options={[...rootFolders, ...plain(folders)]}
      />
      <Facet title="Tag" chosen={filters.tag} choose={pick("tag")} options={plain(tags)} />
      <SidePart title="Where notes are">
        <ul>
          {roots.map(({ path, isWritable, isMissing, kind }) => (
            <li key={path} class="stack pad-y-1">
              <code class="file-path">{path}</code>
              <span class="muted small">
                {isMissing ? "does not exist yet" : isWritable ? "new notes go here" : `read only (${kind})`}
              </span>
            </li>
          ))}
        </ul>
      </SidePart>
    </nav>
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
  readonly notes?: number;
}

const SHOWN = 12;

function Facet(props: {
  title: string;
  options: readonly Option[];
  chosen: string | undefined;
  choose: (value: string) => void;
}) {
  const { title, options, chosen, choose } = props;
  if (options.length === 0) return null;
  const first = options.slice(0, SHOWN);
  const rest = options.slice(SHOWN);
  const list = (shown: readonly Option[]) => (
    <ul>
      {shown.map(({ value, label, notes }) => (
        <SideRow key={value} isOn={chosen === value} onClick={() => choose(value)} aside={notes}>
          {label}
        </SideRow>
      ))}
    </ul>
  );
  return (
    <SidePart title={title}>
      {list(first)}
      {rest.length > 0 && (
        <details open={rest.some(({ value }) => value === chosen)}>
          <summary class="muted small pointer pad-y-1">{rest.length} more</summary>
          {list(rest)}
        </details>
      )}
    </SidePart>
  );
}
