import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { isRecord } from "../../../base/json.ts";
import { othersFirst } from "../../../base/slices.ts";
import type { SessionState } from "../../../moments/state/session-state.ts";
import { hottestFiles, projectPath } from "../../../moments/working-set.ts";
import { changeSince, readStamps, type Stamps, stampOf } from "../../../sources/sets/files-in-use.ts";
import type { CardFile } from "../../api/cards.ts";
import type { RootsWorld } from "../files/known-roots.ts";
import { allowedPath } from "../files/roots.ts";

const MAX_USED = 10;

/** Pinned files and files in use, and what happened to them since the session was last idle. */
export async function cardFiles(
  web: RootsWorld,
  pinned: readonly string[],
  state: SessionState | undefined,
  /** Called with all paths before any is read, so that no change is missed. */
  onPaths: (paths: readonly string[]) => void,
): Promise<{ files: CardFile[]; used: CardFile[] }> {
  const root = state?.project.root;
  const memo = state?.memos["context"];
  const stamps = readStamps(isRecord(memo) ? memo["stamps"] : undefined);
  const view = (path: string) => viewOf(web, path, root, stamps);
  const uses: { readonly path: string; readonly isEdited: boolean }[] = [];
  const shown = new Set(pinned);
  for (const use of hottestFiles(state?.workingSet ?? [], MAX_USED + pinned.length)) {
    const path = isAbsolute(use.path) || root === undefined ? use.path : join(root, use.path);
    if (uses.length === MAX_USED || shown.has(path) || !isAbsolute(path)) continue;
    uses.push({ path, isEdited: use.edited });
  }
  onPaths([...pinned, ...uses.map(({ path }) => path)]);
  const files: CardFile[] = [];
  for (const path of pinned) files.push(await view(path));
  const used: CardFile[] = [];
  for (const { path, isEdited } of uses) used.push({ ...(await view(path)), isEdited });
  return { files, used };
}

async function viewOf(
  web: RootsWorld,
  path: string,
  root: string | undefined,
  stamps: Stamps,
): Promise<CardFile> {
  await othersFirst(); // a file may have 2 MB, so let other requests run in between
  const name = root === undefined ? path : projectPath(path, root, root);
  const before = stamps[path] ?? stamps[name];
  const isThere = existsSync(path);
  const change = before === undefined || !isThere ? undefined : changeSince(before, stampOf(path));
  return {
    path,
    name,
    state: !isThere ? "gone" : change === undefined ? "same" : "changed",
    change,
    canOpen: await canOpen(web, path),
  };
}

async function canOpen(web: RootsWorld, path: string): Promise<boolean> {
  try {
    await allowedPath(web, path);
    return true;
  } catch (error) {
    // A deleted file can be opened too: the applet says what happened.
    return systemCode(error) === "no-such-file";
  }
}
