import { ContinuoError } from "../../../base/errors.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { normaliseConcept } from "../files/wikilinks.ts";
import { communityOf, communitySiblings, type Sibling } from "./communities.ts";
import {
  byScore,
  type DecayContext,
  directRelations,
  expandedRelations,
  notesNaming,
  type Relation,
} from "./relations.ts";

export interface ContextQuery {
  readonly conceptName: string;
  readonly depth?: number;
  readonly maxEntities?: number;
  readonly includeContent?: boolean;
  /** False omits the other members of the community, because comparing them takes longer than everything else. */
  readonly includeSiblings?: boolean;
}

export interface ConceptContext {
  readonly concept: string;
  readonly depth: number;
  /** The newest notes that name the concept. */
  readonly notes: readonly string[];
  readonly direct: readonly (Relation & { readonly preview?: Readonly<Record<string, string>> })[];
  readonly expanded: readonly string[];
  readonly community: number | undefined;
  readonly siblings: readonly Sibling[];
}

const MAX_ENTITIES = 200;
const MAX_DEPTH = 5;
const MAX_NOTES = 10;

/** The neighbourhood of a concept: direct relations, concepts further away, and members of the same community. */
export function buildContext(
  db: Database,
  query: ContextQuery,
  decayContext: DecayContext,
  /** Returns the body of a note; undefined if it does not exist any more. */
  bodyOf: (uri: string) => string | undefined,
): ConceptContext {
  const concept = normaliseConcept(query.conceptName);
  if (concept === "")
    throw new ContinuoError("invalid-argument", "conceptName is not a concept", {
      hint: 'a name such as "session-start"',
    });
  const depth = whole("depth", query.depth ?? 2, 0, MAX_DEPTH);
  const maxEntities = whole("maxEntities", query.maxEntities ?? 20, 1, MAX_ENTITIES);
  const direct = depth === 0 ? [] : directRelations(db, concept, maxEntities, decayContext);
  const withCommunities = direct.map((relation) => {
    const community = communityOf(db, relation.name);
    const withCommunity = community === undefined ? relation : { ...relation, community };
    return query.includeContent === true
      ? { ...withCommunity, preview: previews(relation.files, relation.name, bodyOf) }
      : withCommunity;
  });
  return {
    concept,
    depth,
    notes: notesNaming(db, concept, MAX_NOTES),
    direct: withCommunities,
    expanded: expandedRelations(db, concept, { depth, limit: maxEntities }).map(({ name }) => name),
    community: communityOf(db, concept),
    siblings: query.includeSiblings === false ? [] : communitySiblings(db, concept),
  };
}

/** The context of a concept if there are no notes. */
export function emptyContext(conceptName: string): ConceptContext {
  return {
    concept: normaliseConcept(conceptName),
    depth: 0,
    notes: [],
    direct: [],
    expanded: [],
    community: undefined,
    siblings: [],
  };
}

function previews(
  files: readonly string[],
  concept: string,
  bodyOf: (uri: string) => string | undefined,
): Record<string, string> {
  const found = files.map((uri) => [uri, previewOf(bodyOf(uri) ?? "", concept)] as const);
  return Object.fromEntries(found.filter(([, text]) => text !== ""));
}

function whole(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least) return Math.min(value, most);
  throw new ContinuoError("invalid-argument", `${name} is ${value}`, {
    hint: `a whole number from ${least} to ${most}`,
  });
}

const SECTION_LENGTH = 500;
const PREVIEW_LENGTH = 200;

/**
 * What a note says about a concept: the section that links it, else the beginning of the note. Whole sentences if
 * possible.
 */
export function previewOf(body: string, concept: string): string {
  const section = sectionsOf(body).find((text) => names(text, concept));
  return section === undefined ? cut(body, PREVIEW_LENGTH) : cut(section, SECTION_LENGTH);
}

/** Splits at headings of level 2. */
function sectionsOf(body: string): string[] {
  return body.split(/^(?=## )/m).filter((text) => text.startsWith("## "));
}

function names(text: string, concept: string): boolean {
  return [...text.matchAll(/\[\[([^[\]]+)\]\]/g)].some((link) => normaliseConcept(link[1] ?? "") === concept);
}

function cut(text: string, length: number): string {
  const plain = text.trim();
  if (plain.length <= length) return plain;
  const head = plain.slice(0, length);
  const end = Math.max(head.lastIndexOf(". "), head.lastIndexOf(".\n"));
  return end > length / 2 ? head.slice(0, end + 1) : `${head.trimEnd()}…`;
}

type Direct = ConceptContext["direct"][number];

/**
 * Merges the contexts of one concept from all roots. Each root has its own graph, so that a read-only folder can be
 * removed without a trace. Community numbers are those of the first root that has any.
 */
export function mergeContexts(contexts: readonly ConceptContext[], limit: number): ConceptContext {
  const [first, ...rest] = contexts;
  if (first === undefined) throw new Error("no context to merge");
  if (rest.length === 0) return first;
  const direct = new Map<string, Direct>();
  for (const relation of contexts.flatMap((one) => one.direct)) {
    const known = direct.get(relation.name);
    direct.set(relation.name, known === undefined ? relation : together(known, relation));
  }
  const grouped = contexts.find(({ community }) => community !== undefined) ?? first;
  const expanded = new Set(contexts.flatMap((one) => one.expanded));
  return {
    ...first,
    notes: contexts.flatMap(({ notes }) => notes).slice(0, MAX_NOTES),
    direct: [...direct.values()].sort(byScore).slice(0, limit),
    expanded: [...expanded].filter((name) => !direct.has(name)).slice(0, limit),
    community: grouped.community,
    siblings: grouped.siblings,
  };
}

function together(a: Direct, b: Direct): Direct {
  const notes = a.notes + b.notes;
  const score = a.score + b.score;
  return {
    ...a,
    notes,
    score,
    decayWeight: score / notes,
    files: [...a.files, ...b.files].slice(0, 3),
    ...(a.preview || b.preview ? { preview: { ...a.preview, ...b.preview } } : {}),
  };
}
