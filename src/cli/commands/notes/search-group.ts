import { ContinuoError, describeError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { paintFor } from "../../terminal/paint.ts";
import type { Screen } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";

export interface Page {
  readonly page: number;
  readonly pageSize: number;
}

/** What a search found of one kind. */
export interface Group<Data = unknown> {
  /** Above what was found. */
  readonly title: string;
  /** On all pages. */
  readonly total: number;
  /** One page, best first: the lines of each. */
  readonly found: readonly (readonly string[])[];
  /** Below them: what the reader should know about how they were found. */
  readonly remarks: readonly string[];
  /** Where nothing was found. */
  readonly nothing: string;
  /** There is nothing of this kind, whatever is searched for. */
  readonly isEmpty: boolean;
  /** What to do with what was found. */
  readonly step: readonly [command: string, whatFor: string] | undefined;
  /** For `--json`. */
  readonly data: Data;
}

/** A kind that could not be searched, and why. */
export interface FailedGroup {
  readonly title: string;
  readonly failure: { readonly code: string; readonly message: string };
  readonly error: unknown;
}

export type SearchedGroup<Data = unknown> = Group<Data> | FailedGroup;

/** One kind that cannot be searched must not hide the other. */
export async function attempt<Data>(
  title: string,
  work: () => Promise<Group<Data>>,
): Promise<SearchedGroup<Data>> {
  try {
    return await work();
  } catch (error) {
    const { code, message, hint } = describeError(error);
    const advice = hint === undefined ? "" : ` (${[hint].flat().map(oneLine).join(" ")})`;
    return { title, failure: { code, message: `${oneLine(message)}${advice}` }, error };
  }
}

/** Throws if nothing could be searched. */
export function assertSearched(groups: readonly SearchedGroup[]): void {
  const [first] = groups;
  if (first !== undefined && "failure" in first && groups.every((one) => "failure" in one))
    throw first.error instanceof Error ? first.error : new ContinuoError("failed", first.failure.message);
}

/** All kinds, each below its heading, and what to do next. */
export function groupsText(
  groups: readonly SearchedGroup[],
  { page, pageSize }: Page,
  screen: Screen,
): string {
  const searched = groups.flatMap((one) => ("failure" in one ? [] : [one]));
  const isNothing = searched.every(({ total }) => total === 0);
  const hasOther = searched.some(({ isEmpty }) => !isEmpty);
  // What was found or failed comes first, then of which kind there is nothing.
  const texts = groups
    .toSorted((a, b) => Number(isNone(a)) - Number(isNone(b)))
    .map((one) =>
      "failure" in one
        ? wrapOn(
            paintFor(screen)("yellow", `${one.title} could not be searched: ${one.failure.message}`),
            screen,
          )
        : groupText(one, { page, pageSize }, screen),
    );
  const steps = nextSteps(
    screen,
    ...searched.map(({ found, step }) => (found.length === 0 ? undefined : step)),
    searched.some(({ total }) => page * pageSize < total)
      ? [`--page ${page + 1}`, "For the next page, add"]
      : undefined,
  );
  const advice = isNothing && hasOther ? ["Try fewer words or another spelling."] : [];
  return [texts.join(isNothing ? "\n" : "\n\n"), ...advice, ...steps].join("\n");
}

function isNone(group: SearchedGroup): boolean {
  return !("failure" in group) && group.total === 0;
}

function groupText(
  { title, total, found, remarks, nothing }: Group,
  { page, pageSize }: Page,
  screen: Screen,
): string {
  if (total === 0) return wrapOn([nothing, ...remarks].join("\n"), screen);
  if (found.length === 0)
    return `${title}: page ${page} does not exist; the last page is ${Math.ceil(total / pageSize)}.`;
  const first = (page - 1) * pageSize + 1;
  const last = first + found.length - 1;
  const part = page === 1 ? String(found.length) : `${first} to ${last}`;
  const range = found.length === total ? String(total) : `${part} of ${total}`;
  const heading = paintFor(screen)("bold", `${title} (${range})`);
  const notes = remarks.map((line) => wrapOn(paintFor(screen)("dim", line), screen));
  return [heading, ...found.map((lines) => lines.join("\n")), ...notes].join("\n\n");
}
