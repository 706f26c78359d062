import { ContinuoError } from "../../../base/errors.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { normaliseConcept } from "../notes/concept.ts";
import { expandedRelations } from "./expand.ts";
import { previewOf } from "./preview.ts";
import { directRelations, type Look, type Relation } from "./relations.ts";
import { communityOf, communitySiblings, type Sibling } from "./siblings.ts";

export interface ContextQuery {
  readonly conceptName: string;
  readonly depth?: number;
  readonly maxEntities?: number;
  readonly includeContent?: boolean;
  /** False leaves out the community's other members: to compare them takes longer than all the rest. */
  readonly includeSiblings?: boolean;
}

export interface ConceptContext {
  readonly concept: string;
  readonly depth: number;
  readonly direct: readonly (Relation & { readonly preview?: Readonly<Record<string, string>> })[];
  readonly expanded: readonly string[];
  readonly community: number | undefined;
  readonly siblings: readonly Sibling[];
}

const MOST_ENTITIES = 200;
const MOST_DEPTH = 5;

/** Around one concept: what is named with it, what lies further, and what belongs to the same community. */
export function buildContext(
  db: Database,
  query: ContextQuery,
  look: Look,
  /** The text of a note's body; undefined when it is gone. */
  bodyOf: (uri: string) => string | undefined,
): ConceptContext {
  const concept = normaliseConcept(query.conceptName);
  if (concept === "")
    throw new ContinuoError("invalid-argument", "conceptName names no concept", {
      hint: 'a name such as "session-start"',
    });
  const depth = whole("depth", query.depth ?? 2, 0, MOST_DEPTH);
  const maxEntities = whole("maxEntities", query.maxEntities ?? 20, 1, MOST_ENTITIES);
  const direct = depth === 0 ? [] : directRelations(db, concept, maxEntities, look);
  const withGroups = direct.map((relation) => {
    const community = communityOf(db, relation.name);
    const grouped = community === undefined ? relation : { ...relation, community };
    return query.includeContent === true
      ? { ...grouped, preview: previews(relation.files, relation.name, bodyOf) }
      : grouped;
  });
  return {
    concept,
    depth,
    direct: withGroups,
    expanded: expandedRelations(db, concept, { depth, limit: maxEntities }).map(({ name }) => name),
    community: communityOf(db, concept),
    siblings: query.includeSiblings === false ? [] : communitySiblings(db, concept),
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
