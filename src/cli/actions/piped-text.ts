import { fstatSync } from "node:fs";
import { resolve } from "node:path";
import { ContinuoError, systemCode } from "../../base/errors.ts";
import { withFile } from "../../store/read-file.ts";
import type { Input } from "../command.ts";
import { readInput } from "../terminal/input.ts";

/**
 * A text from an argument, `--file` or standard input, of at most this many bytes. `example`: a command with such a
 * text.
 */
export function pipedText(
  input: Input,
  given: string | undefined,
  { most, example }: { readonly most: number; readonly example: string },
): string {
  const file = String(input.values["file"] ?? "") || undefined;
  if (file !== undefined && given !== undefined)
    throw new ContinuoError("usage", "both a text and --file were given", { hint: "pass one of them" });
  if (file !== undefined && file !== "-") return fromFile(resolve(input.cwd, file), most);
  if (given !== undefined && given !== "-") return given;
  // At a terminal, waiting for input would look like a hang.
  if (given === undefined && file === undefined && fstatSync(input.stdin).isCharacterDevice()) {
    throw new ContinuoError("usage", "there is no text to write", {
      hint: [`for example: ${example}`, "also possible: --file FILE, or a text on standard input"],
    });
  }
  return readInput(input.stdin, most);
}

function fromFile(path: string, most: number): string {
  try {
    return withFile(path, ({ descriptor }) => readInput(descriptor, most, path));
  } catch (error) {
    if (error instanceof ContinuoError) throw error;
    const why =
      systemCode(error) === "not-a-file" ? "is not a file" : `cannot be read (${systemCode(error)})`;
    throw new ContinuoError("no-such-file", `${path} ${why}`, {
      hint: "--file needs a text file that exists",
    });
  }
}
