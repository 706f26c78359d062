import { statSync } from "node:fs";
import { basename, isAbsolute, relative, sep } from "node:path";
import { describeError } from "../../../base/errors.ts";
import { contractSlug, slugify } from "../../../base/slug.ts";
import { nearest, normalized } from "../../../base/text.ts";
import { noteFailure } from "./failures.ts";
import { walkNotes } from "./list-notes.ts";
import { type Note, readNote } from "./note.ts";
import type { MemoryRoot } from "./roots.ts";
import { assertInside, isSafePath, parseUri, pathBelow, SCHEME, safeSegments, uriOf } from "./uri.ts";

/** An existing note: its root and path. */
export interface Located {
  readonly root: MemoryRoot;
  readonly path: string;
  readonly uri: string;
}

/**
 * Finds the note for an address, a path, a file name or a title. If several notes have the title, the error lists them,
 * because the first one might not be the one meant.
 */
export function identify(
  identifier: string,
  roots: readonly MemoryRoot[],
  /** A title may differ from the file name: a caller with an index can find notes by title. */
  titled: (title: string) => readonly Located[] = () => [],
): Located {
  const name = identifier.trim().replace(/^\[\[([^[\]|]+)(?:\|[^[\]]*)?\]\]$/, "$1");
  if (name === "")
    throw noteFailure("note-invalid", "no note was given", "give memory://folder/name or a title");
  if (name.startsWith(SCHEME)) {
    const { root, segments } = parseUri(name, roots);
    return existing(root, pathBelow(root, segments)) ?? notFound(identifier, roots);
  }
  return (
    byPath(name, roots) ??
    only(name, byName(name, roots)) ??
    only(name, titled(name)) ??
    notFound(identifier, roots)
  );
}

function byPath(name: string, roots: readonly MemoryRoot[]): Located | undefined {
  if (isAbsolute(name)) {
    const root = roots.find((one) => relative(one.path, name).split(sep)[0] !== ".." && name !== one.path);
    if (root === undefined) {
      throw noteFailure(
        "note-path",
        `${name} is not in a notes folder`,
        "give memory://folder/name or a title",
      );
    }
    assertInside(root, name);
    return existing(root, name) ?? existing(root, `${name}.md`);
  }
  // A title such as "C: a language" is not a path. An unsafe path with a slash is refused instead of being searched for
  // as a title.
  if (!/[/\\\0]/.test(name) && !isSafePath(name)) return undefined;
  const main = roots.find((root) => root.name === undefined);
  return main && existing(main, pathBelow(main, safeSegments(name)));
}

/** The notes whose file name is the one that this title would produce. */
function byName(title: string, roots: readonly MemoryRoot[]): Located[] {
  const lower = normalized(title, "NFC").toLowerCase();
  const ours = slugify(title);
  // For a title that is not ASCII, maenifold's name is too short to identify a note.
  const names = new Set(/^[\x00-\x7f]*$/.test(title) ? [lower, ours, contractSlug(title)] : [lower, ours]);
  const found: Located[] = [];
  for (const root of roots) {
    for (const { path, uri } of walkNotes(root)) {
      if (names.has(normalized(stemOf(path), "NFC").toLowerCase())) found.push({ root, path, uri });
    }
  }
  return found;
}

function only(title: string, found: readonly Located[]): Located | undefined {
  if (found.length > 1) {
    const candidates = found.slice(0, 10).map((one) => one.uri);
    throw noteFailure(
      "note-ambiguous",
      `"${title}" matches ${found.length} notes: ${candidates.join(", ")}`,
      "give one of these addresses",
    );
  }
  return found[0];
}

function existing(root: MemoryRoot, path: string): Located | undefined {
  const isNote = statSync(path, { throwIfNoEntry: false })?.isFile() === true && /\.md$/i.test(path);
  return isNote ? { root, path, uri: uriOf(root, path) } : undefined;
}

function notFound(identifier: string, roots: readonly MemoryRoot[]): never {
  const last = identifier.split(/[/\\]/).at(-1) ?? identifier;
  const close = last.length > 200 ? undefined : nearestNote(slugify(last), roots);
  throw noteFailure(
    "note-not-found",
    `there is no note "${identifier.slice(0, 200)}"`,
    close === undefined ? ({ search }) => `find it with ${search}` : `did you mean ${close}?`,
  );
}

/** How many names are compared: a hint must not take a second. */
const COMPARED = 2000;

function nearestNote(name: string, roots: readonly MemoryRoot[]): string | undefined {
  const uris = new Map<string, string>();
  for (const root of roots) {
    for (const { path, uri } of walkNotes(root)) {
      if (uris.size >= COMPARED) break;
      if (!uris.has(stemOf(path))) uris.set(stemOf(path), uri);
    }
  }
  return uris.get(nearest(name, [...uris.keys()]) ?? "");
}

function stemOf(path: string): string {
  return basename(path).replace(/\.md$/i, "");
}

export async function readLocated(found: Located): Promise<Note> {
  const note = await readNote(found.root, found.path);
  if (note === undefined)
    throw noteFailure("note-not-found", `${found.uri} is gone`, ({ search }) => `find it with ${search}`);
  return note;
}

/** A title may belong to a note that is not indexed yet, so `sync` is tried before giving up. */
export async function withSync(
  identifier: string,
  locate: (identifier: string) => Located,
  sync: () => Promise<unknown>,
): Promise<Located> {
  try {
    return locate(identifier);
  } catch (error) {
    if (describeError(error).code !== "note-not-found" || identifier.startsWith(SCHEME)) throw error;
    await sync();
    return locate(identifier);
  }
}
