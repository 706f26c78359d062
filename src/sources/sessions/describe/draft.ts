import { quote } from "../../../compose/escape.ts";
import { cleanName } from "../../../moments/state/session-name.ts";
import { redact } from "../../../store/redact.ts";
import { modelsName, type OwnRecord, type SessionRecord } from "../records/files.ts";

/** A model's description of a session, checked. */
export interface Draft {
  readonly name: string;
  readonly description: string;
  readonly summary: string;
  readonly tags: readonly string[];
}

/** As other readers of records expect. */
const LONGEST = { name: 120, description: 1200, summary: 8000 } as const;
const TAGS = { least: 3, most: 12, longest: 80 } as const;

/** The draft without secrets, or what is wrong with it, for the model to correct. */
export function readDraft(value: unknown): Draft | string {
  const { name, description, summary, tags } = value as Readonly<Record<string, unknown>>;
  const texts = { name, description, summary };
  for (const [field, longest] of Object.entries(LONGEST)) {
    const wrong = whyNoText(texts[field as keyof typeof texts], longest);
    if (wrong !== undefined) return `"${field}" ${wrong}`;
  }
  if (!Array.isArray(tags)) return '"tags" is no list';
  if (tags.length < TAGS.least || tags.length > TAGS.most)
    return `"tags" has ${tags.length} entries, and ${TAGS.least} to ${TAGS.most} are wanted`;
  for (const tag of tags as unknown[]) {
    const wrong = whyNoText(tag, TAGS.longest);
    if (wrong !== undefined) return `a tag ${wrong}`;
  }
  const called = cleanName(clean(name as string, LONGEST.name));
  if (called === "") return '"name" has no words';
  return {
    name: called,
    description: clean(description as string, LONGEST.description),
    summary: clean(summary as string, LONGEST.summary),
    tags: [
      ...new Set(
        (tags as string[])
          .map((tag) => clean(tag, TAGS.longest).replace(/\s+/g, " "))
          .filter((tag) => tag !== ""),
      ),
    ],
  };
}

function whyNoText(value: unknown, longest: number): string | undefined {
  if (typeof value !== "string") return "is no text";
  const { length } = value.trim();
  if (length === 0) return "is empty";
  return length > longest ? `has ${length} characters, and at most ${longest} are wanted` : undefined;
}

/**
 * Other programs may show records to a model or a terminal: removes invisible characters, and tags of Continuo or a
 * host. Cut again because a cleaned text may be longer.
 */
function clean(text: string, longest: number): string {
  return redact(quote(text)).trim().slice(0, longest).toWellFormed();
}

const MOST_TAGS = 12;
/** Of tags for facts, to leave room for the model's tags. */
const MOST_FACTS = 5;
const MOST_EARLIER_NAMES = 10;

interface Drafted {
  readonly draft: Draft;
  /** `provider/id`. */
  readonly model: string;
  readonly lastTurn: string;
  /** The whole prompt. */
  readonly shown: string;
}

/** Combines the model's text with the facts of `own`, the extracted record. */
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

/**
 * First facts, then the model's tags, then files. Words counted by extraction are only for records without a model.
 * Drops a ticket, branch or file that does not occur in the prompt, because it was made up.
 */
function tagsOf(own: readonly string[], drafted: readonly string[], shown: string): string[] {
  const words = shown.toLowerCase();
  const facts = own.filter((tag) => /^(?:ticket|branch):/.test(tag)).slice(0, MOST_FACTS);
  const kept = drafted.filter((tag) => {
    const named = /^(?:ticket|slack|issue|pr|branch|file):\s*(.+)$/i.exec(tag)?.[1];
    return named === undefined || words.includes(named.toLowerCase());
  });
  const files = own.filter((tag) => tag.startsWith("file:"));
  return [...new Set([...facts, ...kept, ...files])].slice(0, MOST_TAGS);
}
