import type { LinkedNote } from "../../sources/notes/note-index/link-targets.ts";
import type { BrowsedNote, BrowseOrder, Facet } from "../../sources/notes/search/browse.ts";
import type { Relation } from "../../sources/notes/search/project-notes.ts";

import type { Failure } from "./failure.ts";

/** Times are in milliseconds since 1970. Texts are plain: the page renders them. */

export type NoteOrder = BrowseOrder;

/** `relation`: to the project that `continuo web` was started in. */
export type NoteRow = Pick<BrowsedNote, "uri" | "title" | "modified" | "tags"> &
  Partial<Pick<BrowsedNote, "project" | "relation" | "problem">>;

/** What applies to all notes. */
export interface MemoryState {
  /** False: the source is disabled, so agents get no notes. They can still be read and changed. */
  readonly isOn: boolean;
  /** Another program answers at the start of sessions, instead of these notes. */
  readonly command?: string;
  /** Whether some notes are not indexed yet. */
  readonly isIndexing: boolean;
  /** The project in which `continuo web` was started. */
  readonly project?: string;
  readonly problems: readonly string[];
}

/** `GET /api/notes` */
export interface NoteList {
  readonly state: MemoryState;
  readonly notes: readonly NoteRow[];
  readonly offset: number;
  readonly total: number;
  /** How many of these belong to the project. */
  readonly own: number;
}

interface NoteRoot {
  /** Absent for the main folder. */
  readonly name?: string;
  readonly path: string;
  readonly kind: string;
  readonly isWritable: boolean;
  readonly isMissing: boolean;
  readonly notes: number;
  /** The folder as the list's filter expects it. */
  readonly folder: string;
}

/** `GET /api/notes/facets` */
export interface NoteFacets {
  readonly roots: readonly NoteRoot[];
  readonly folders: readonly Facet[];
  readonly tags: readonly Facet[];
  readonly projects: readonly Facet[];
}

export type NoteHit = NoteRow & {
  /** 0 to 1. */
  readonly score: number;
  readonly passage: string;
  /** Ranges in the passage, and in the title, that match a word of the query. */
  readonly marks: readonly (readonly [number, number])[];
  readonly titleMarks: readonly (readonly [number, number])[];
};

/** `GET /api/notes/search` */
export interface NoteHits {
  readonly hits: readonly NoteHit[];
  readonly total: number;
  readonly notices: readonly string[];
}

export interface NoteLinkAnswer {
  readonly target: string;
  /** Absent if there is no such note. */
  readonly uri?: string;
}

export interface GivenTo {
  readonly host: string;
  readonly session: string;
  readonly at: string;
  readonly what: string;
}

/** `GET /api/notes/:uri` */
export interface NoteAnswer {
  readonly uri: string;
  readonly path: string;
  readonly root: { readonly name?: string; readonly kind: string; readonly isWritable: boolean };
  readonly title: string;
  /** The whole file, for the editor. */
  readonly text: string;
  /** The offset of the text after the frontmatter. */
  readonly bodyAt: number;
  readonly checksum: string;
  readonly size: number;
  readonly created?: number;
  readonly modified: number;
  readonly properties: readonly { readonly key: string; readonly texts: readonly string[] }[];
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly project?: string;
  readonly relation?: Relation;
  readonly concepts: readonly Facet[];
  readonly links: readonly NoteLinkAnswer[];
  readonly backlinks: readonly LinkedNote[];
  readonly givenTo: readonly GivenTo[];
  readonly problems: readonly string[];
  /** False if the page only shows it, while an editor on this machine can change it. */
  readonly isEditable: boolean;
}

/** `PUT /api/notes/:uri` */
export interface NoteChanged {
  readonly uri: string;
  readonly checksum?: string;
  /** The written text: saving sets the time in the frontmatter. */
  readonly text?: string;
}

/** The body of a 409 if a note changed since it was read. */
export interface NoteConflict extends Failure {
  readonly current: { readonly text: string; readonly checksum: string; readonly modified: number };
}

/** `GET /api/notes/titles`: for completion of links. */
export interface NoteTitles {
  readonly titles: readonly { readonly title: string; readonly uri?: string }[];
}

/** `GET /api/graph`: concepts and relations as columns, which are a third of the size of objects. */
export interface GraphAnswer {
  readonly names: readonly string[];
  readonly notes: readonly number[];
  readonly communities: readonly number[];
  /** Three numbers per edge: the two concepts, and how many notes name both. */
  readonly edges: readonly number[];
  readonly totalConcepts: number;
  readonly totalEdges: number;
  readonly state: MemoryState;
}

/** `GET /api/graph/context` */
export interface ConceptAnswer {
  readonly concept: string;
  readonly notes: readonly LinkedNote[];
  readonly related: readonly {
    readonly name: string;
    readonly notes: number;
    readonly files: readonly LinkedNote[];
  }[];
  /** Concepts further away. */
  readonly further: readonly string[];
  readonly siblings: readonly string[];
  /** The note named like the concept, if there is one. */
  readonly own?: LinkedNote;
}
