import type { Context } from "hono";
import * as v from "valibot";
import { ContinuoError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";

/**
 * Reads and checks requests with schemas. Write schemas with `v.strictObject`: it refuses unknown fields, whereas a
 * misspelt field would otherwise be ignored silently.
 */

/** Enough for every request except a file's content. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

export interface BodyOptions {
  /** For the few requests with larger bodies (default: 2 MB). */
  readonly maxBytes?: number;
}

/** The JSON body of a request. */
export async function readBody<S extends v.GenericSchema>(
  context: Context,
  schema: S,
  { maxBytes = MAX_BODY_BYTES }: BodyOptions = {},
): Promise<v.InferOutput<S>> {
  return checked(schema, await readObject(context, { maxBytes }), "body");
}

/** The JSON object of a body, for code that checks it itself. */
export async function readObject(
  context: Context,
  { maxBytes = MAX_BODY_BYTES }: BodyOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  requireJson(context);
  const body = parsed(await bodyText(context, maxBytes));
  // A schema without required fields would accept a list.
  if (!isRecord(body)) throw new ContinuoError("invalid-request", "body: must be an object");
  return body;
}

/** A request's body as text, of bounded size, for a handler that checks it itself. */
export function readText(context: Context): Promise<string> {
  requireJson(context);
  return bodyText(context, MAX_BODY_BYTES);
}

/** The query of a request. A repeated parameter is a list, which most schemas refuse. */
export function readQuery<S extends v.GenericSchema>(context: Context, schema: S): v.InferOutput<S> {
  const given = Object.entries(context.req.queries()).map(([name, values]) => [
    name,
    values.length === 1 ? values[0] : values,
  ]);
  return checked(schema, Object.fromEntries(given), "query");
}

/** A whole number in a query. */
export function whole(min: number, max: number) {
  return v.pipe(
    v.string(),
    v.regex(/^-?\d{1,15}$/, "must be a whole number"),
    v.transform(Number),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
  );
}

/** A boolean in a query: `true` or `false`. */
export function flag() {
  return v.pipe(
    v.picklist(["true", "false"], "must be true or false"),
    v.transform((text) => text === "true"),
  );
}

/** A text of bounded length, in a body or a query. */
export function text(maxLength: number) {
  return v.pipe(
    v.string("must be a text"),
    v.maxLength(maxLength, `must have at most ${maxLength} characters`),
  );
}

function checked<S extends v.GenericSchema>(schema: S, given: unknown, where: string): v.InferOutput<S> {
  const result = v.safeParse(schema, given, { abortPipeEarly: true });
  if (result.success) return result.output;
  const lines = result.issues.slice(0, MOST_ISSUES).map((issue) => describeIssue(issue, where));
  throw new ContinuoError("invalid-request", lines.join("; "), {
    hint: "the fields of every request are listed in docs/web-api.md",
  });
}

const MOST_ISSUES = 5;

/** Describes an error, without repeating long values of the request. */
function describeIssue(issue: v.BaseIssue<unknown>, where: string): string {
  const path = (v.getDotPath(issue) ?? "").slice(0, 100);
  if (issue.type === "strict_object")
    return issue.expected === "never"
      ? `${where}: unknown field "${path}"`
      : issue.input === undefined
        ? `${where}: field "${path}" is missing`
        : `${where}: "${path}" must be an object`;
  const wrong = issue.message.startsWith("Invalid")
    ? `must be ${issue.expected ?? "something else"}`.slice(0, 300)
    : issue.message.slice(0, 300);
  return path === "" ? `${where}: ${wrong}` : `${where}: "${path}" ${wrong}`;
}

/** Another site's page cannot send this type without a preflight request. */
function requireJson(context: Context): void {
  const type = context.req.header("content-type") ?? "";
  if (!/^application\/json\s*(?:;|$)/i.test(type))
    throw new ContinuoError("body-not-json", "the body must be JSON", {
      hint: "send it with the header content-type: application/json",
    });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ContinuoError("invalid-request", "the body is not valid JSON", {
      hint: "send one JSON object",
    });
  }
}

/** Reads in chunks, so that a body without a declared length cannot fill the memory. */
async function bodyText(context: Context, maxBytes: number): Promise<string> {
  const { body } = context.req.raw;
  if (body === null) return "";
  if (Number(context.req.header("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    pieces.push(piece);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    throw new ContinuoError("invalid-request", "the body is not valid UTF-8");
  }
}

function tooLarge(maxBytes: number): ContinuoError {
  return new ContinuoError("body-too-large", `the body has more than ${maxBytes} bytes`);
}
