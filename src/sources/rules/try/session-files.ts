import type { Edit } from "../../../moments/tool-use.ts";
import type { Step } from "./steps.ts";

type CallStep = Pick<Extract<Step, { kind: "call" }>, "call" | "hasFailed" | "result" | "before">;

/** Texts of one session that are kept, in characters, and files that it is known to have used. */
const MOST_TEXT = 32_000_000;
const MOST_FILES = 20_000;

/** How hosts number the lines of a file that was read. */
const LINE_NUMBER = /^\s*\d+(?:[→\t|:]|\. )/;

/**
 * What a past session knew about files: those that it had read or edited, and lines that stood in them. A call that writes
 * a whole file mostly does not say whether the file is new and which of its lines are. Texts are compared only if somebody
 * asks.
 */
export class SessionFiles {
  readonly #known = new Set<string>();
  /** By path, the file whose first text is the oldest first. */
  readonly #texts = new Map<string, string[]>();
  #length = 0;

  /** The call, with what the session and the host say about the files that it writes as a whole. */
  completed({ call, before }: CallStep): CallStep["call"] {
    const { edits } = call;
    return edits === undefined
      ? call
      : { ...call, edits: () => edits().map((edit) => this.#completed(edit, before)) };
  }

  /** Remembers a call that was made. One that failed says nothing: often the file is not there. */
  add({ call, hasFailed, result }: CallStep): void {
    if (hasFailed) return;
    for (const { path, access } of call.files) this.#keep(path, access === "read" ? result : undefined);
    for (const { path, hunks } of call.edits?.() ?? [])
      for (const { text } of hunks.length === 0 ? [{ text: undefined }] : hunks) this.#keep(path, text);
  }

  #completed(edit: Edit, before: string | null | undefined): Edit {
    if (edit.kind !== "whole" || edit.isNew !== undefined || edit.before !== undefined) return edit;
    if (typeof before === "string") return { ...edit, isNew: false, before: () => before };
    const isNew = before === null || !this.#known.has(edit.path);
    return isNew ? { ...edit, isNew } : { ...edit, isNew, before: () => this.#oldLines(edit) };
  }

  /** The lines of the edit that stood in the file, as far as the session has seen it. */
  #oldLines({ path, hunks }: Edit): string | undefined {
    const texts = this.#texts.get(path);
    if (texts === undefined) return undefined;
    const seen = new Set<string>();
    for (const line of texts.flatMap((text) => text.split("\n")))
      seen.add(line.trim()).add(line.replace(LINE_NUMBER, "").trim());
    const lines = hunks.flatMap(({ text }) => text.split("\n"));
    return lines.filter((line) => seen.has(line.trim())).join("\n");
  }

  #keep(path: string, text: string | undefined): void {
    if (this.#known.size < MOST_FILES) this.#known.add(path);
    if (text === undefined || text === "" || text.length > MOST_TEXT) return;
    const texts = this.#texts.get(path) ?? [];
    this.#texts.set(path, texts);
    texts.push(text);
    this.#length += text.length;
    for (const [oldest, dropped] of this.#texts) {
      if (this.#length <= MOST_TEXT) break;
      this.#texts.delete(oldest);
      this.#length -= dropped.reduce((sum, { length }) => sum + length, 0);
    }
  }
}
