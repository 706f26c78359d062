import { quote } from "../../../compose/escape.ts";
import { redact } from "../../../store/redact.ts";
import { cleanName } from "../records/name.ts";

/** What a model wrote about a session, checked. */
export interface Draft {
  readonly name: string;
  readonly description: string;
  readonly summary: string;
  readonly tags: readonly string[];
}

/** As other programs that read records expect them. */
const LONGEST = { name: 120, description: 1200, summary: 8000 } as const;
const TAGS = { least: 3, most: 12, longest: 80 } as const;

/** The draft, without secrets; or what is wrong with the answer, for the model to mend. */
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
 * Other programs read records as well, and may show them to a model or a terminal: nothing invisible, no frame of ours or a
 * host's. Cut once more: a cleaned text may be longer than it was.
 */
function clean(text: string, longest: number): string {
  return redact(quote(text)).trim().slice(0, longest).toWellFormed();
}
