import { statSync } from "node:fs";
import { resolve } from "node:path";
import { wayInside } from "../../../base/inside.ts";
import { stripInjected } from "../../../compose/strip.ts";
import type { FileAccess } from "../../../moments/tool-use.ts";
import type { Moment, PromptMoment } from "../../../moments/types.ts";
import { projectPath } from "../../../moments/working-set.ts";
import type { PromptForm } from "../../port/prompt-form.ts";

type Place = Pick<Moment, "cwd" | "project">;
type Mentioned = Pick<PromptMoment, "mentioned">;

/** What the user typed, and the files mentioned in it. `form` is absent for a host without mentions. */
export function promptWithFiles(
  given: string,
  form: PromptForm | undefined,
  place: Place,
): Mentioned & Pick<PromptMoment, "prompt"> {
  if (form === undefined) return { prompt: given };
  const prompt = form.typedIn?.(given) ?? given;
  // Most prompts mention nothing, which is faster to find out than whether there are injected blocks.
  if (form.mentionsIn(given)[Symbol.iterator]().next().done === true) return { prompt };
  return { prompt, ...mentionedFiles(form.mentionsIn(stripInjected(given)), place) };
}

/** How many different paths of one prompt are checked. A pasted text may contain any number. */
const MAX_LOOKS = 200;
/** The same for mentions, many of which may be equal. */
const MAX_MENTIONS = 1_000;

/** `@Injectable`, `@types/node` and the like count only if such a file exists. Folders do not count. */
export function mentionedFiles(mentions: Iterable<readonly string[]>, { cwd, project }: Place): Mentioned {
  const looked = new Map<string, boolean>();
  const files = new Map<string, FileAccess>();
  let count = 0;
  for (const readings of mentions) {
    for (const one of readings)
      if (!looked.has(one) && looked.size < MAX_LOOKS) looked.set(one, isFileHere(one, cwd, project.root));
    const written = readings.find((one) => looked.get(one) === true);
    const path = written === undefined ? undefined : projectPath(written, cwd, project.root);
    if (path !== undefined) files.set(path, { path, access: "read" });
    if (looked.size === MAX_LOOKS || ++count === MAX_MENTIONS) break;
  }
  return files.size === 0 ? {} : { mentioned: [...files.values()] };
}

/**
 * Only files in the project are checked: a pasted text could contain a path on another machine, which the check would
 * contact.
 */
function isFileHere(path: string, cwd: string, root: string): boolean {
  const full = resolve(cwd, path);
  if (wayInside(root, full) === undefined && wayInside(cwd, full) === undefined) return false;
  try {
    return statSync(full, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // not a path, or in an inaccessible folder
  }
}
