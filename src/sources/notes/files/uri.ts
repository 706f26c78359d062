import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { wayInside } from "../../../base/inside.ts";
import { RESERVED_NAME } from "../../../base/slug.ts";
import { clip, normalized } from "../../../base/text.ts";
import { realPath } from "../../../store/real-path.ts";
import { noteFailure } from "./failures.ts";
import type { MemoryRoot } from "./roots.ts";

export const SCHEME = "memory://";

/**
 * The address of a note: its path below the root, without `.md`. Keeps another spelling of the extension (`.MD`), and
 * an extension that hides another (`a.md.md`), so that every address leads back to its file.
 */
export function uriOf(root: MemoryRoot, path: string): string {
  const inside = relative(root.path, path);
  const name = sep === "/" ? inside : inside.replaceAll(sep, "/");
  const bare = name.endsWith(".md") ? name.slice(0, -3) : name;
  // `memory://@x` means another root. A folder of the main root that begins with `@` is written `./@x`.
  const start = root.name === undefined ? (bare.startsWith("@") ? "./" : "") : `@${root.name}/`;
  return SCHEME + start + (/(?:^|\/)$|\.md$/i.test(bare) ? name : bare);
}

/** The root of an address and the path below it, checked by `safeSegments`. */
export function parseUri(
  uri: string,
  roots: readonly MemoryRoot[],
): { root: MemoryRoot; segments: string[] } {
  if (!uri.startsWith(SCHEME)) {
    throw noteFailure("note-path", `${shown(uri)} is not an address of a note`, "write memory://folder/name");
  }
  const rest = uri.slice(SCHEME.length);
  const [, name, below = ""] = /^@([^/\\]*)(?:[/\\](.*))?$/s.exec(rest) ?? [];
  const root = roots.find((one) => one.name === name);
  if (root === undefined) {
    const names = roots.flatMap((one) => (one.name === undefined ? [] : [`memory://@${one.name}/…`]));
    throw noteFailure(
      "note-not-found",
      `there is no folder of notes named @${name ?? ""}`,
      `known: ${names.join(", ") || "only memory://…"}`,
    );
  }
  return { root, segments: safeSegments(name === undefined ? rest : below, uri) };
}

export function isSafePath(path: string): boolean {
  return spellings(path).every((spelling) => whyUnsafe(spelling) === undefined);
}

/** The parts of a relative path that stays inside its folder on every system. Throws for any other path. */
export function safeSegments(path: string, whole: string = path): string[] {
  for (const spelling of spellings(path)) {
    const reason = whyUnsafe(spelling);
    if (reason !== undefined) {
      throw noteFailure(
        "note-path",
        `${shown(whole)} ${reason}`,
        "name a note inside the notes folder, such as memory://folder/name",
      );
    }
  }
  return split(path);
}

/**
 * The path of a note below the root, in the spelling on disk, because names that differ only in case or in the Unicode
 * form of accented letters mean the same file. A name that does not exist yet is used as given.
 */
export function pathBelow(root: MemoryRoot, segments: readonly string[]): string {
  let path = root.path;
  for (const [i, segment] of segments.entries()) {
    path = join(path, i === segments.length - 1 ? fileSpelling(path, segment) : spelling(path, segment));
  }
  assertInside(root, path);
  return path;
}

/** The same for a folder. */
export function folderBelow(root: MemoryRoot, segments: readonly string[]): string {
  let path = root.path;
  for (const segment of segments) path = join(path, spelling(path, segment));
  assertInside(root, path);
  return path;
}

/**
 * Throws for a path that leads out of the root through a link. For a path that does not exist yet, checks where it
 * would be created.
 */
export function assertInside(root: MemoryRoot, path: string): void {
  const base = realPath(root.path);
  if (wayInside(base, realPath(path)) === undefined) {
    throw noteFailure(
      "note-path",
      `${shown(path)} leads out of ${root.path}`,
      "a link inside the notes folder may only point to a place inside it; add the other folder to memory.also",
    );
  }
}

function fileSpelling(folder: string, segment: string): string {
  return spelling(folder, /\.md$/i.test(segment) ? segment : `${segment}.md`);
}

function spelling(folder: string, name: string): string {
  const names = namesIn(folder);
  if (names.includes(name)) return name;
  const wanted = folded(name);
  const alike = names.filter((one) => folded(one) === wanted);
  if (alike.length > 1) {
    throw noteFailure(
      "note-ambiguous",
      `${shown(name)} could be ${alike.join(" or ")}`,
      "give the exact spelling",
    );
  }
  return alike[0] ?? name;
}

function folded(name: string): string {
  return normalized(name, "NFC").toLowerCase();
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // it does not exist yet or may not be listed, which opening the file reports
  }
}

/**
 * The path as given, and with each layer of percent-encoding removed, because some programs decode paths before passing
 * them on.
 */
function spellings(path: string): string[] {
  const all = [path];
  for (let text = path; all.length < 5; ) {
    const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === text) break;
    all.push(decoded);
    text = decoded;
  }
  return all;
}

function whyUnsafe(path: string): string | undefined {
  if (path.includes("\0")) return "has a NUL character";
  if (/^[/\\]/.test(path)) return "is an absolute path";
  if (/^[A-Za-z]:/.test(path)) return "names a drive";
  const parts = split(path);
  if (parts.length === 0) return "does not name a note";
  for (const part of parts) {
    if (part === "..") return "leads out of its folder";
    // Windows drops trailing dots and spaces of a name, so `.. ` means `..` there.
    if (/^[. ]+$/.test(part)) return "has a part that is only dots";
    if (RESERVED_NAME.test(part)) return `has the reserved name "${part}"`;
  }
  return undefined;
}

function split(path: string): string[] {
  return path.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
}

/** Shortened, and without control characters. */
function shown(text: string): string {
  return `"${clip(text.replace(/[\x00-\x1f\x7f]/g, "\ufffd"), 120)}"`;
}
