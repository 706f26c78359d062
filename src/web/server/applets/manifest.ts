import * as v from "valibot";
import { isSystemError } from "../../../base/errors.ts";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { isRefused, readText } from "../../../store/read-file.ts";

const MAX_BYTES = 64 * 1024;
/** As many parameters as the set `applet` stores besides the name. */
export const MAX_PARAMETERS = 9;

const line = (most: number) =>
  v.pipe(
    v.string("must be a text"),
    v.maxLength(most, `must have at most ${most} characters`),
    v.regex(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/, "must be one line"),
  );

/** A file in the applet's folder or below it. */
const file = v.pipe(
  v.string("must be the name of a file"),
  v.regex(
    /^(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9_.-]*(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/,
    "must be the name of a file in the applet's folder",
  ),
  v.maxLength(200, "must have at most 200 characters"),
);

const schema = v.strictObject({
  title: v.pipe(line(60), v.nonEmpty("must not be empty")),
  description: v.optional(line(300), ""),
  html: v.optional(file, "index.html"),
  script: v.optional(file),
  style: v.optional(file),
  parameters: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          name: v.pipe(
            v.string("must be a text"),
            v.regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, "must be a letter, then letters, digits, - and _"),
            v.notValues(["session", "applet"], "must not be session or applet"),
          ),
          description: v.optional(line(300), ""),
        }),
      ),
      v.maxLength(MAX_PARAMETERS, `must have at most ${MAX_PARAMETERS} parameters`),
    ),
    [],
  ),
});

export type Manifest = v.InferOutput<typeof schema>;

/** The content of `applet.json` in a folder, or what is wrong with it. */
export function readManifest(path: string, root: string): Manifest | readonly string[] {
  let value: unknown;
  try {
    value = parseBounded(readText(path, { maxBytes: MAX_BYTES, root }));
  } catch (error) {
    if (error instanceof SyntaxError)
      return [`applet.json is not valid JSON: ${error.message.slice(0, 200)}`];
    if (isRefused(error)) return ["applet.json is not a file of at most 64 kB in this folder"];
    if (isSystemError(error)) return ["applet.json is missing or cannot be read"];
    return ["applet.json is not valid JSON"];
  }
  if (!isRecord(value)) return ["applet.json must be an object"];
  const result = v.safeParse(schema, value, { abortPipeEarly: true });
  return result.success ? result.output : result.issues.slice(0, 5).map(describe);
}

function describe(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue) ?? "";
  if (issue.type === "strict_object" && issue.expected === "never")
    return `unknown field "${path.slice(0, 100)}"`;
  if (issue.type === "strict_object" && issue.path !== undefined) return `field "${path}" is missing`;
  return `"${path}" ${issue.message.startsWith("Invalid") ? `must be ${issue.expected}` : issue.message}`;
}
