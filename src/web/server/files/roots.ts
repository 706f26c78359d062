import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { ContinuoError, systemCode } from "../../../base/errors.ts";
import { whyRefused } from "./credentials.ts";
import { holds } from "./holds.ts";
import { knownRoots, limitsOf, type Root, type RootsWorld, SYSTEM } from "./known-roots.ts";

/** A path that the page may use. */
export interface AllowedPath {
  /** Its real path. Open this one without following links: the given path may lead elsewhere by then. */
  readonly real: string;
  readonly root: Root;
}

const MAX_PATH = 4096;
/** On Windows: other servers, devices, streams, and names that the system changes. */
const WINDOWS_FORM = /^[\\/]{2}|^.{2,}:|[. ]([\\/]|$)|(^|[\\/])(con|prn|aux|nul|com\d|lpt\d)(\.|[\\/]|$)/i;

/** A path that the page may use, and whether it exists. */
interface AllowedPlace extends AllowedPath {
  readonly isThere: boolean;
}

/**
 * The real path of an existing file or folder inside a known project or notes folder. Everything else is refused. Use
 * the result at once and never store it, because what is at a path may change.
 */
export async function allowedPath(web: RootsWorld, path: string): Promise<AllowedPath> {
  const { real, root, isThere } = await allowedPlace(web, path);
  // Reported only inside a root: the page must not reveal which files exist elsewhere.
  if (!isThere) throw new ContinuoError("no-such-file", `${path} does not exist`);
  return { real, root };
}

/** The same for a path that need not exist. */
export async function allowedPlace(web: RootsWorld, path: string): Promise<AllowedPlace> {
  const asked = checkForm(path);
  const { real, isThere } = realOf(asked);
  const refused = whyRefused(real);
  const root = await rootOf(web, real);
  if (root === undefined) throw notAllowed();
  if (refused !== undefined)
    throw new ContinuoError("path-refused", `${refused}, so the page does not open it`, {
      hint: "open it in your editor",
    });
  return { real, root, isThere };
}

/** The root that contains a real path; undefined if none does. */
export async function rootOf(web: RootsWorld, real: string): Promise<Root | undefined> {
  const { home } = limitsOf(web);
  const isOurs = real === home || holds(home, real);
  for await (const root of knownRoots(web)) {
    if (isOurs && root.kind !== "memory") return undefined; // notes folders come first
    if (real === root.path || holds(root.path, real)) return root;
  }
  return undefined;
}

function checkForm(path: string): string {
  const isWrong =
    path === "" ||
    path.length > MAX_PATH ||
    path.includes("\0") ||
    !path.isWellFormed() ||
    !isAbsolute(path) ||
    (process.platform === "win32" && WINDOWS_FORM.test(path));
  if (isWrong)
    throw new ContinuoError("path-invalid", "this is not the absolute path of a file", {
      hint: "give a path such as /home/you/project/spec.md",
    });
  const asked = resolve(path);
  if (SYSTEM.test(asked)) throw notAllowed();
  return asked;
}

/** For a path that does not exist, its folder's real path counts: a link on the way may lead out of the root. */
function realOf(asked: string): { real: string; isThere: boolean } {
  let missing = "";
  for (let at = asked; ; at = dirname(at)) {
    try {
      return { real: join(realpathSync.native(at), missing), isThere: missing === "" };
    } catch (error) {
      const isMissing = ["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "");
      if (!isMissing || dirname(at) === at) throw notAllowed(); // no access, or a loop of links
      missing = join(basename(at), missing);
    }
  }
}

function notAllowed(): ContinuoError {
  return new ContinuoError("path-not-allowed", "this path is in no known project and no folder of notes", {
    hint: "a project is known once an agent has worked in it",
  });
}
