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

/** What a person typed, and the files that it mentions. `form` is absent for a host without mentions. */
export function promptWithFiles(
  given: string,
  form: PromptForm | undefined,
  place: Place,
): Mentioned & Pick<PromptMoment, "prompt"> {
  if (form === undefined) return { prompt: given };
  const prompt = form.typedIn?.(given) ?? given;
  // Most prompts mention nothing, and looking for injected blocks takes longer than seeing that.
  if (form.mentionsIn(given)[Symbol.iterator]().next().done === true) return { prompt };
  return { prompt, ...mentionedFiles(form.mentionsIn(stripInjected(given)), place) };
}

/** Different paths of one prompt that are looked for. Nobody mentions as many files; a pasted text may have any number. */
const MAX_LOOKS = 200;
/** The same for mentions, of which many may be equal. */
const MAX_MENTIONS = 1_000;

/** `@Injectable`, `@types/node` and the like are mentions only if there is such a file. A folder is none. */
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

/** Only files of the project are looked for: a pasted text could name a path on another machine, which would be asked then. */
function isFileHere(path: string, cwd: string, root: string): boolean {
  const full = resolve(cwd, path);
  if (wayInside(root, full) === undefined && wayInside(cwd, full) === undefined) return false;
  try {
    return statSync(full, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // no path at all, or in a folder that may not be looked into
  }
}
