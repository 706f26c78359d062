import { withDeadline } from "../base/deadline.ts";
import { ContinuoError, describeError } from "../base/errors.ts";
import type { FilterName, Finder, FindFilter, Findings, Sought } from "./ports/finder.ts";
import type { ToolContext } from "./ports/tool.ts";

export interface FindOptions {
  readonly call: ToolContext;
  /** A page's size for every kind, instead of each one's own. */
  readonly pageSize?: number;
  /** A finder failed or was late, through no fault of who asks. */
  onTrouble(where: string, error: unknown): void;
  readonly deadlineMs?: number;
}

/** What one kind has; or, in `failure`, why nothing can be said about it. */
export type Answered =
  | { readonly finder: Finder; readonly sought: Sought; readonly findings: Findings }
  | { readonly finder: Finder; readonly failure: string };

/** Past what a finder may take to read what is new, and to wait for another process. */
const DEADLINE_MS = 10_000;
/** What was asked wrongly is told to who asked, and is nobody's failure. */
const ASKED_WRONGLY = ["invalid-argument", "query-empty", "semantic-missing"];

/** Those of the kind that is asked for, or all whose things can pass the filter. */
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

/** Asks all at once. One that fails or is late is told of and does not touch the others; if all fail, so does this. */
export async function findAll(
  finders: readonly Finder[],
  sought: Omit<Sought, "pageSize">,
  options: FindOptions,
): Promise<readonly Answered[]> {
  const { call, deadlineMs = DEADLINE_MS } = options;
  const errors: unknown[] = [];
  const answers = await Promise.all(
    finders.map(async (finder): Promise<Answered> => {
      try {
        const late = () =>
          new ContinuoError(
            "finder-late",
            `the search of ${finder.kind} took longer than ${deadlineMs} ms and was left out`,
          );
        const whole = { ...sought, pageSize: options.pageSize ?? finder.pageSize };
        return {
          finder,
          sought: whole,
          findings: await withDeadline(deadlineMs, late, () => finder.find(whole, call)),
        };
      } catch (error) {
        errors.push(error);
        const { code, message, hint } = describeError(error);
        if (finders.length > 1 && !ASKED_WRONGLY.includes(code)) options.onTrouble(finder.kind, error);
        return { finder, failure: hint === undefined ? message : `${message}; ${hint}` };
      }
    }),
  );
  if (errors.length === finders.length) throw errors[0];
  return answers;
}
