import { addressOf } from "../core/address.ts";

/**
 * The address for writing a new note. The slash is needed, because rendered Markdown may only link below `/memory/`.
 */
export function newNoteAddress(query: Readonly<Record<string, string | undefined>> = {}): string {
  return addressOf("/memory/", { view: "new", ...query });
}

export function conceptAddress(concept: string): string {
  return addressOf("/graph", { concept });
}

/** The path of a note in the API. */
export function notePath(uri: string, rest = ""): string {
  return `/notes/${encodeURIComponent(uri)}${rest}`;
}

/** Shows `memory://tech/why` as `tech/why`. */
export function shortUri(uri: string): string {
  return uri.replace(/^memory:\/\//, "");
}

/** The folder of a note, with the root's name; empty in the main folder itself. */
export function folderOf(uri: string): string {
  const short = shortUri(uri);
  return short.slice(0, Math.max(0, short.lastIndexOf("/")));
}
