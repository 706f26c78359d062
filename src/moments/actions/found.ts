import { ContinuoError, describeError } from "../../base/errors.ts";
import { oneLine } from "../../base/for-terminal.ts";
import type { Block, Found, Shown } from "../ports/view.ts";

/** A kind that could not be searched, and why. */
export interface NotSearched {
  readonly title: string;
  readonly failure: { readonly code: string; readonly message: string };
  readonly error: unknown;
}

export type Searched<Data = unknown> = Found<Data> | NotSearched;

/** If one kind cannot be searched, the others must still be shown. */
export async function attempt<Data>(
  title: string,
  work: () => Promise<Found<Data>>,
): Promise<Searched<Data>> {
  try {
    return await work();
  } catch (error) {
    const { code, message, hint } = describeError(error);
    const advice = hint === undefined ? "" : ` (${[hint].flat().map(oneLine).join(" ")})`;
    return { title, failure: { code, message: `${oneLine(message)}${advice}` }, error };
  }
}

/** Throws if no kind could be searched. */
export function assertSearched(kinds: readonly Searched[]): void {
  const [first] = kinds;
  if (first !== undefined && "failure" in first && kinds.every((one) => "failure" in one))
    throw first.error instanceof Error ? first.error : new ContinuoError("failed", first.failure.message);
}

export interface Page {
  readonly page: number;
  readonly pageSize: number;
}

/** All kinds, each below its heading, and the next steps. */
export function foundBlocks(kinds: readonly Searched[], paged: Page, shown: Shown): readonly Block[] {
  const { page, pageSize } = paged;
  const searched = kinds.flatMap((one) => ("failure" in one ? [] : [one]));
  const isNothing = searched.every(({ total }) => total === 0);
  const hasOther = searched.some(({ isEmpty }) => !isEmpty);
  // Kinds with results or failures first, then those without results.
  const parts = kinds
    .toSorted((a, b) => Number(isNone(a)) - Number(isNone(b)))
    .map((one) =>
      "failure" in one
        ? [shown.paint("yellow", `${one.title} could not be searched: ${one.failure.message}`)]
        : kindBlocks(one, paged, shown),
    );
  const more = searched.some(({ total }) => page * pageSize < total);
  return [
    ...parts.flatMap((part, at) => (at === 0 || isNothing ? part : ["", ...part])),
    ...(isNothing && hasOther ? ["Try fewer words or another spelling."] : []),
    {
      next: [
        ...searched.flatMap(({ found, step }) => (found.length === 0 || step === undefined ? [] : [step])),
        ...(more ? [[`--page ${page + 1}`, "For the next page, add"] as const] : []),
      ],
    },
  ];
}

function isNone(kind: Searched): boolean {
  return !("failure" in kind) && kind.total === 0;
}

function kindBlocks(kind: Found, { page, pageSize }: Page, shown: Shown): readonly string[] {
  const { title, total, found, remarks, nothing } = kind;
  if (total === 0) return [nothing, ...remarks];
  if (found.length === 0)
    return [`${title}: page ${page} does not exist; the last page is ${Math.ceil(total / pageSize)}.`];
  const first = (page - 1) * pageSize + 1;
  const part = page === 1 ? String(found.length) : `${first} to ${first + found.length - 1}`;
  const range = found.length === total ? String(total) : `${part} of ${total}`;
  return [
    shown.paint("bold", `${title} (${range})`),
    ...found.flatMap((lines) => ["", ...lines(shown)]),
    ...remarks.flatMap((line) => ["", shown.paint("dim", line)]),
  ];
}
