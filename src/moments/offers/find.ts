import { withDeadline } from "../../base/deadline.ts";
import { ContinuoError, describeError, whatFailed } from "../../base/errors.ts";
import type { FilterName, Finder, FindFilter, Findings, FindRequest } from "../ports/finder.ts";
import type { ToolContext } from "../ports/tool.ts";

export interface FindOptions {
  readonly call: ToolContext;
  /** A page size for every kind, instead of each finder's own. */
  readonly pageSize?: number;
  /** Called if a finder failed or was late and the request was not the reason. */
  onFailure(where: string, error: unknown): void;
  readonly deadlineMs?: number;
}

/** A finder's results or, in `failure`, why there are none. */
export type FinderAnswer =
  | { readonly finder: Finder; readonly request: FindRequest; readonly findings: Findings }
  | { readonly finder: Finder; readonly failure: string };

/** Longer than a finder may take to read new files and to wait for another process. */
const DEADLINE_MS = 10_000;
/** An invalid request is reported to the caller and is not recorded as a failure. */
const REQUEST_ERRORS = ["invalid-argument", "query-empty", "semantic-missing"];

/** The finders of the requested kind, or all that support every given filter. */
export function findersFor(
  finders: readonly Finder[],
  kind: string | undefined,
  filter: FindFilter,
  call: ToolContext,
): readonly Finder[] {
  const given = (Object.keys(filter) as FilterName[]).filter((name) => filter[name] !== undefined);
  const asked = finders.filter((one) => kind === undefined || one.kind === kind);
  const on = asked.filter((one) => one.isOn(call));
  if (on.length === 0)
    throw new ContinuoError("invalid-argument", `${kind ?? "every source that could answer"} is turned off`, {
      hint: "the user can turn it on in config.json",
    });
  const fitting = on.filter(({ filters }) => given.every((name) => filters.includes(name)));
  if (fitting.length > 0) return fitting;
  const known = on.map((one) => `${one.kind} by ${one.filters.join(", ")}`);
  throw new ContinuoError("invalid-argument", `nothing can be filtered by ${given.join(" and ")}`, {
    hint: `filter ${known.join("; ")}`,
  });
}

/**
 * Asks all finders in parallel. One that fails or is late is reported and does not affect the others; if all fail, this
 * throws.
 */
export async function findAll(
  finders: readonly Finder[],
  request: Omit<FindRequest, "pageSize">,
  options: FindOptions,
): Promise<readonly FinderAnswer[]> {
  const { call, deadlineMs = DEADLINE_MS } = options;
  const errors: unknown[] = [];
  const answers = await Promise.all(
    finders.map(async (finder): Promise<FinderAnswer> => {
      try {
        const late = () =>
          new ContinuoError(
            "finder-late",
            `the search of ${finder.kind} took longer than ${deadlineMs} ms and was left out`,
          );
        const whole = { ...request, pageSize: options.pageSize ?? finder.pageSize };
        return {
          finder,
          request: whole,
          findings: await withDeadline(deadlineMs, late, () => finder.find(whole, call)),
        };
      } catch (error) {
        errors.push(error);
        const { code } = describeError(error);
        if (finders.length > 1 && !REQUEST_ERRORS.includes(code)) options.onFailure(finder.kind, error);
        return { finder, failure: whatFailed(error) };
      }
    }),
  );
  if (errors.length === finders.length) throw errors[0];
  return answers;
}
