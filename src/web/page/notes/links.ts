import type { NoteLinkAnswer } from "../../api/notes.ts";
import { noteAddress } from "../core/address.ts";
import { newNoteAddress } from "./addresses.ts";

/** Where a note's WikiLinks lead: to a note, or to the editor for the missing one. */
export function linksOf(links: readonly NoteLinkAnswer[]): (name: string) => string | undefined {
  const known = new Map(links.map(({ target, uri }) => [target, uri]));
  return (name) => {
    const target = name.split("#")[0]?.trim() ?? "";
    if (target === "") return undefined; // a heading of the note itself
    const uri = known.get(target);
    return uri === undefined ? newNoteAddress({ title: target }) : noteAddress(uri);
  };
}
