import * as v from "valibot";
import { A_TIME, timeOf } from "../../search/timespan.ts";

/**
 * The fields of an action's input. Each says what it is for and what it accepts; every front end reads that from here.
 */

export interface FieldFacts {
  readonly about: string;
  readonly kind: "text" | "texts" | "flag" | "whole" | "share" | "time";
  /** What the field accepts, for a refusal: `a whole number from 1 to 100`. */
  readonly expected: string;
  /** The placeholder for the value in the help. */
  readonly value?: string;
  /** The one-letter option, such as `a` for `-a`. */
  readonly short?: string;
  /** The default, for the help. */
  readonly fallback?: string;
  readonly choices?: readonly string[];
  /**
   * How it is given on a command line (default: as an option). `word`: one argument; `rest`: all remaining arguments,
   * as one text; `never`: only programs give it.
   */
  readonly typed?: "word" | "rest" | "never";
  /** Set if a command line may also read it from a file or from standard input; at most this many bytes. */
  readonly piped?: number;
  /** White space counts, even in a blank value: the text of a note. */
  readonly isVerbatim?: true;
  /** The value is a folder's path. The page's server accepts only folders that the page may use. */
  readonly isFolder?: true;
  /** An empty text is not the same as none: it removes the current text, or is refused. */
  readonly canBeEmpty?: boolean;
  /** Of `texts`: several may be typed as one, with commas between them. */
  readonly hasCommas?: true;
  /** The JSON schema of the value. */
  readonly json: object;
}

type Said = Partial<
  Pick<
    FieldFacts,
    | "value"
    | "short"
    | "fallback"
    | "typed"
    | "expected"
    | "piped"
    | "isVerbatim"
    | "isFolder"
    | "canBeEmpty"
    | "hasCommas"
    | "choices"
  >
>;
interface Limits {
  /** In characters. */
  readonly least?: number;
  readonly most?: number;
}

/** The most characters of a text in any schema that sets no limit of its own. */
const MOST_CHARACTERS = 2_000;

export function text(about: string, { least = 1, most = MOST_CHARACTERS, ...said }: Said & Limits = {}) {
  const expected = `a text of ${least} to ${most} characters`;
  return v.pipe(
    v.string("must be a text"),
    v.minLength(least, "must not be empty"),
    v.maxLength(most, `must have at most ${most} characters`),
    facts({ about, kind: "text", expected, canBeEmpty: least === 0, json: { type: "string" }, ...said }),
  );
}

/** One line of plain text; an empty one removes the current text. */
export function line(about: string, most: number, said: Said = {}) {
  const expected = `one line of at most ${most} characters`;
  const isPlain = (given: string) =>
    !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(given) && given.isWellFormed();
  return v.pipe(
    text(about, { least: 0, most, expected, ...said }),
    v.check(isPlain, `must be ${expected}`),
    v.trim(),
  );
}

/** Repeated on the command line, or a list. */
export function texts(about: string, { most = MOST_CHARACTERS, ...said }: Said & Limits = {}) {
  const one = v.pipe(v.string("must be a text"), v.maxLength(most, `must have at most ${most} characters`));
  const json = { type: "array", items: { type: "string" } };
  return v.pipe(
    v.array(one, "must be a list of texts"),
    v.maxLength(1_000, "must have at most 1000 items"),
    facts({ about, kind: "texts", expected: "a list of texts", json, ...said }),
  );
}

export function flag(about: string, said: Said = {}) {
  return v.pipe(
    v.boolean("must be true or false"),
    facts({ about, kind: "flag", expected: "true or false", json: { type: "boolean" }, ...said }),
  );
}

export function whole(about: string, least: number, most: number, said: Said = {}) {
  const expected = `a whole number from ${least} to ${most}`;
  return v.pipe(
    v.number(`must be ${expected}`),
    v.check((given) => Number.isInteger(given) && given >= least && given <= most, `must be ${expected}`),
    facts({
      about,
      kind: "whole",
      expected,
      json: { type: "integer", minimum: least, maximum: most },
      ...said,
    }),
  );
}

/** A number from 0 to 1. */
export function share(about: string, said: Said = {}) {
  const expected = "a number from 0 to 1";
  return v.pipe(
    v.number(`must be ${expected}`),
    v.minValue(0, `must be ${expected}`),
    v.maxValue(1, `must be ${expected}`),
    facts({ about, kind: "share", expected, json: { type: "number", minimum: 0, maximum: 1 }, ...said }),
  );
}

export function oneOf<const C extends string>(about: string, choices: readonly C[], said: Said = {}) {
  const expected = `one of ${choices.join(", ")}`;
  return v.pipe(
    v.picklist(choices, `must be ${expected}`),
    facts({ about, kind: "text", expected, choices, json: { type: "string", enum: [...choices] }, ...said }),
  );
}

/** A day or time, or how long ago: `2026-11-01`, `7d`. Stays a text: `timeOf` reads it when the action runs. */
export function time(about: string, said: Said = {}) {
  return v.pipe(
    v.string("must be a text"),
    v.check((given) => timeOf(given, 0) !== undefined, `must be ${A_TIME}`),
    facts({ about, kind: "time", expected: A_TIME, json: { type: "string" }, ...said }),
  );
}

export function optional<S extends v.GenericSchema>(field: S) {
  return v.optional(field);
}

/** The project to act on. */
export const PROJECT = optional(
  text("project folder", { value: "DIR", fallback: "the current one", isFolder: true }),
);

export const fields = v.strictObject;

/** The facts of a field, whether it is optional or not. */
export function factsOf(field: v.GenericSchema): FieldFacts & { readonly isOptional: boolean } {
  const isOptional = field.type === "optional";
  const inner = isOptional ? (field as v.OptionalSchema<v.GenericSchema, undefined>).wrapped : field;
  const { field: found } = v.getMetadata(inner as v.GenericSchema) as { readonly field?: FieldFacts };
  if (found === undefined) throw new Error("a field of an action must be made by actions/fields.ts");
  return { ...found, isOptional };
}

function facts<T>(field: FieldFacts): v.MetadataAction<T, { readonly field: FieldFacts }> {
  return v.metadata({ field });
}
