import { byModel, type OwnRecord, type SessionRecord } from "../records/record.ts";
import type { Draft } from "./draft.ts";

const MOST_TAGS = 12;
/** Of a fact's own tags, so that the model's have room too. */
const MOST_FACTS = 5;
const MOST_EARLIER_NAMES = 10;

export interface Drafted {
  readonly draft: Draft;
  /** `provider/id`. */
  readonly model: string;
  readonly lastTurn: string;
  /** Everything that the model was shown. */
  readonly shown: string;
}

/** The model's words on the facts of `own`, the record that is made of the session's own words. */
export function draftedRecord(
  own: OwnRecord,
  before: SessionRecord | undefined,
  { draft, model, lastTurn, shown }: Drafted,
): SessionRecord {
  const { namedBy } = own.continuo;
  const isNamed = namedBy === "given" || namedBy === "person";
  const name = isNamed ? own.name : draft.name;
  const earlier = [...new Set([...(before?.continuo?.earlierNames ?? []), ...modelsName(before)])]
    .filter((one) => one !== name)
    .slice(-MOST_EARLIER_NAMES);
  return {
    ...own,
    name,
    description: draft.description,
    summary: draft.summary,
    tags: tagsOf(own.tags, draft.tags, shown),
    model,
    lastIndexedLeafId: lastTurn,
    continuo: {
      ...own.continuo,
      namedBy: isNamed ? namedBy : "model",
      ...(earlier.length > 0 && { earlierNames: earlier }),
    },
  };
}

/** The name that a model gave, if one did. Other programs that write records have their names from a model. */
export function modelsName(record: SessionRecord | undefined): readonly string[] {
  const written = byModel(record);
  if (written === undefined) return [];
  return written.continuo === undefined || written.continuo.namedBy === "model" ? [written.name] : [];
}

/** What is certain first, then the model's, then what else there is. A ticket, branch or file that nobody named was made up. */
function tagsOf(own: readonly string[], drafted: readonly string[], shown: string): string[] {
  const words = shown.toLowerCase();
  const facts = own.filter((tag) => /^(?:ticket|branch):/.test(tag)).slice(0, MOST_FACTS);
  const kept = drafted.filter((tag) => {
    const named = /^(?:ticket|slack|issue|pr|branch|file):\s*(.+)$/i.exec(tag)?.[1];
    return named === undefined || words.includes(named.toLowerCase());
  });
  return [...new Set([...facts, ...kept, ...own])].slice(0, MOST_TAGS);
}
