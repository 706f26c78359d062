import type { InferOutput } from "valibot";
import * as v from "valibot";
import { ContinuoError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import type { Action, InputSchema } from "../ports/action.ts";
import type { JsonSchema } from "../ports/tool.ts";
import { type FieldFacts, factsOf } from "./fields.ts";

export type Field = FieldFacts & { readonly name: string; readonly isOptional: boolean };

export function fieldsOf({ input }: Pick<Action, "input">): readonly Field[] {
  return Object.entries(input.entries).map(([name, field]) => ({ name, ...factsOf(field) }));
}

export interface Refused {
  readonly name: string;
  readonly why: "missing" | "unknown" | "wrong";
  /** What the value must be. */
  readonly message: string;
}

/** Checks an input. Every front end uses this. */
export function checkInput(
  schema: InputSchema,
  given: unknown,
): { readonly input: object } | { readonly refused: Refused } {
  const result = v.safeParse(schema, given, { abortEarly: true, abortPipeEarly: true });
  if (result.success) return { input: result.output };
  const [issue] = result.issues;
  const name = (v.getDotPath(issue) ?? "").slice(0, 100);
  if (issue.type !== "strict_object") return { refused: { name, why: "wrong", message: issue.message } };
  const why = issue.expected === "never" ? "unknown" : issue.input === undefined ? "missing" : "wrong";
  return { refused: { name, why, message: "must be an object" } };
}

/** The same for input sent by a program; `where` names it in the refusal, such as `body`. */
export function checkSent(schema: InputSchema, given: unknown, where: string): object {
  if (!isRecord(given)) throw invalid(`${where}: must be an object`, schema);
  const checked = checkInput(schema, given);
  if ("input" in checked) return checked.input;
  const { name, why, message } = checked.refused;
  if (why === "unknown") throw invalid(`${where}: unknown field "${name}"`, schema);
  if (why === "missing") throw invalid(`${where}: field "${name}" is missing`, schema);
  throw invalid(`${where}: "${name}" ${message}`, schema);
}

/**
 * The same for input from a model. Models fill in every argument and put numbers in quotes. So a blank text counts as
 * absent, unless the field is optional and verbatim, and unknown arguments are ignored.
 */
export function checkTold<S extends InputSchema>(schema: S, given: unknown): InferOutput<S> {
  const args = given ?? {};
  if (!isRecord(args))
    throw new ContinuoError("invalid-argument", "the arguments are no object", { hint: 'give {"…": "…"}' });
  const told = fieldsOf({ input: schema }).flatMap((field) => toldValue(field, args[field.name]));
  const checked = checkInput(schema, Object.fromEntries(told));
  if ("input" in checked) return checked.input as InferOutput<S>;
  const { name, why, message } = checked.refused;
  throw new ContinuoError("invalid-argument", `${name} ${why === "missing" ? "is missing" : message}`);
}

function toldValue(field: Field, given: unknown): [string, unknown][] {
  const value = meant(field, given);
  const { name, kind, isOptional, isVerbatim = false } = field;
  const isKept = isVerbatim && (isOptional || !isBlank(value));
  const kept = isKept || (Array.isArray(value) && kind !== "texts") ? value : trimmed(value);
  return kept === null || kept === "" || kept === undefined ? [] : [[name, kept]];
}

const isBlank = (value: unknown): boolean => typeof value === "string" && value.trim() === "";

function trimmed(value: unknown): unknown {
  if (!Array.isArray(value)) return typeof value === "string" ? value.trim() : value;
  const full = value.filter((one) => !isBlank(one));
  return full.length === 0 ? undefined : full;
}

/** Converts a text to the field's type. A text that is not a number stays a text, which the check then refuses. */
export function meant({ kind, choices }: Field, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (kind === "whole" && /^\d{1,15}$/.test(text)) return Number(text);
  if (kind === "share" && text !== "" && Number.isFinite(Number(text))) return Number(text);
  if (kind === "flag" && (text === "true" || text === "false")) return text === "true";
  if (kind === "texts") return [value];
  return choices?.find((one) => folded(one) === folded(text)) ?? value;
}

/** `self-knowledge` and `selfKnowledge` are the same choice. */
const folded = (choice: string): string => choice.toLowerCase().replace(/[-_]/g, "");

function invalid(message: string, { entries }: InputSchema): ContinuoError {
  const names = Object.keys(entries);
  const hint = names.length === 0 ? "it takes no fields" : `fields: ${names.join(", ")}`;
  return new ContinuoError("invalid-request", message, { hint });
}

/** For MCP, and for clients that ask the page's server what an action accepts. */
export function jsonSchemaOf(action: Pick<Action, "input">): JsonSchema {
  const all = fieldsOf(action);
  const required = all.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(
      all.map(({ name, about, json }) => [name, { ...json, description: about }]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
}
