import { cutFrontmatter } from "../../../markdown/frontmatter.ts";
import { type TextBlock, textBlocks } from "../../../markdown/text-blocks.ts";
import { redact } from "../../../store/redact.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";
import { noteFailure } from "./failures.ts";
import type { Located } from "./identify.ts";
import { assertReadable, checksumOf, type NoteText, readNoteText } from "./note.ts";
import { assertHasLink, assertNoneBanned } from "./wikilinks.ts";
import { type WriteContext, withRootLock } from "./with-lock.ts";
import { timestamp } from "./write-note.ts";

export interface EditOptions {
  /** The checksum of the note when it was read: if the note has changed since, the edit is refused. */
  readonly checksum?: string;
  /** For text that a model wrote: secrets in it are replaced. */
  readonly redacted?: boolean;
  /** maenifold's contract refuses a text without a link. */
  readonly isLinkRequired?: boolean;
}

/** Changes a note in place. Changes that another program writes at the same time are not lost. */
export function editNote(
  context: WriteContext,
  { root, path, uri }: Located,
  edit: Edit,
  { checksum, redacted = false, isLinkRequired = false }: EditOptions = {},
): Promise<{ readonly uri: string; readonly path: string; readonly checksum: string }> {
  return withRootLock(context, root, () => {
    const change = redacted ? { ...edit, content: redact(edit.content) } : edit;
    // In maenifold's contract a replacement needs no link of its own, as long as the note still has one.
    const isReplacement = change.operation === "find_replace";
    if (isLinkRequired && !isReplacement) assertHasLink(change.content);
    assertNoneBanned(root, change.content);
    for (let attempt = 0; attempt < 5; attempt++) {
      const before = readEditable(path, uri);
      const actual = checksumOf(before.text);
      if (checksum !== undefined && !isSame(checksum, actual)) {
        throw noteFailure(
          "note-changed",
          `${uri} has changed since it was read: its checksum is ${shortChecksum(actual)}`,
          ({ read }) => `read it again (${read}) and edit the new text; nothing was changed`,
        );
      }
      const text = editText(before.text, change, context.now());
      if (isLinkRequired && isReplacement) assertHasLink(text);
      assertReadable(text);
      // Editors do not use Continuo's lock: if one saved in the meantime, its text is edited instead.
      if (readEditable(path, uri).text !== before.text) continue;
      writeFileAtomic(path, (before.hasBom ? "\ufeff" : "") + text);
      return { uri, path, checksum: checksumOf(text) };
    }
    throw noteFailure("note-changed", `${uri} keeps changing`, "wait until the other program is done");
  });
}

/** Long enough to be unique among a note's texts, short enough to be sent with every note. */
const SHORT_CHECKSUM = 12;

export function shortChecksum(checksum: string): string {
  return checksum.slice(0, SHORT_CHECKSUM);
}

/** Compares the whole checksum, or its beginning, which is what models get. */
function isSame(given: string, actual: string): boolean {
  const wanted = given.trim();
  return wanted.length >= SHORT_CHECKSUM && actual.startsWith(wanted);
}

function readEditable(path: string, uri: string): NoteText {
  const read = readNoteText(path);
  if (read === undefined) throw noteFailure("note-not-found", `${uri} is gone`, "write it again");
  if (read.problem !== undefined) {
    throw noteFailure(
      "note-unreadable",
      `${uri} cannot be edited: ${read.problem}`,
      "change it with an editor",
    );
  }
  return read;
}

export type Edit =
  | { readonly operation: "prepend"; readonly content: string }
  /** Appends to the end of the note, or of a section. */
  | { readonly operation: "append"; readonly content: string; readonly sectionName?: string }
  | {
      readonly operation: "find_replace";
      readonly content: string;
      readonly findText: string;
      /** How often the text must occur. Without it, every occurrence is replaced. */
      readonly expectedCount?: number;
    }
  | { readonly operation: "replace_section"; readonly content: string; readonly sectionName: string }
  /** Replaces the whole file with its frontmatter, for editors. Pass a checksum with it. */
  | { readonly operation: "replace_text"; readonly content: string };

/** The text of a note after an edit. All other bytes stay the same. Pure. */
export function editText(text: string, edit: Edit, now: number): string {
  const cut = cutFrontmatter(text);
  const start = cut === "none" || cut === "unclosed" ? 0 : cut.body;
  const body = text.slice(start);
  const end = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const lines = (given: string) => given.replace(/\r\n?|\n/g, end);
  const content = lines(edit.content);
  const head = dated(text.slice(0, start), now);
  switch (edit.operation) {
    case "append":
      if (edit.sectionName === undefined) return head + appended(body, content, end);
      return head + withSection(body, edit.sectionName, content, end, true);
    case "prepend":
      return head + prepended(body, content, end);
    case "find_replace":
      return head + replaced(body, lines(edit.findText), content, edit.expectedCount);
    case "replace_section":
      return head + withSection(body, edit.sectionName, content, end, false);
    case "replace_text":
      return wholeText(content, now);
  }
}

function wholeText(content: string, now: number): string {
  const text = content.replace(/^\ufeff/, "");
  const cut = cutFrontmatter(text);
  const start = typeof cut === "string" ? 0 : cut.body;
  return dated(text.slice(0, start), now) + text.slice(start);
}

/** Updates `modified` if the frontmatter has it. It is not added to notes of other programs. */
function dated(head: string, now: number): string {
  const value = /^(modified[ \t]{0,20}:[ \t]{1,20})(["']?)[^\s#"'][^#"'\r\n]{0,80}?\2(?=[ \t]{0,20}(?:#|$))/m;
  return head.replace(value, (_, key: string, quote: string) => key + quote + timestamp(now) + quote);
}

function appended(body: string, content: string, end: string): string {
  const gap = body === "" || body.endsWith(end + end) ? "" : body.endsWith(end) ? end : end + end;
  return body + gap + closed(content, end);
}

/** Inserted above everything except the title. */
function prepended(body: string, content: string, end: string): string {
  const first = textBlocks(body)[0];
  const at = lineStarts(body);
  const isTitled = first?.level === 1 && first.depth === 0 && body.slice(0, at(first.from)).trim() === "";
  const place = isTitled ? at(first.to) : 0;
  const [before, after] = [body.slice(0, place), body.slice(place)];
  const gap = before === "" ? "" : /[\r\n]$/.test(before) ? end : end + end;
  return before + gap + closed(content, end) + (after === "" || after.startsWith(end) ? "" : end) + after;
}

function replaced(body: string, find: string, content: string, expected: number | undefined): string {
  if (find === "")
    throw noteFailure("note-invalid", "there is no text to find", ({ find }) => `give the text as ${find}`);
  const parts = body.split(find);
  const count = parts.length - 1;
  if (count === 0) {
    throw noteFailure(
      "note-invalid",
      expected === undefined || expected === 0
        ? "the note does not have the text to replace"
        : `the text to replace occurs 0 times, not ${expected}`,
      ({ read }) => `read the note (${read}) and copy the text exactly`,
    );
  }
  if (expected !== undefined && count !== expected) {
    throw noteFailure(
      "note-invalid",
      `the text occurs ${count} times, not ${expected}`,
      ({ find, count }) => `give a longer text as ${find}, or the right ${count}`,
    );
  }
  const result = parts.join(content);
  if (tooManyBrackets(result) > tooManyBrackets(body)) {
    throw noteFailure(
      "note-invalid",
      "a link would be inside another link",
      ({ find }) => `include the brackets in ${find}: [[old]] becomes [[new]]`,
    );
  }
  return result;
}

function tooManyBrackets(text: string): number {
  return text.match(/\[{3,}/g)?.length ?? 0;
}

/** Replaces or extends the text between a heading and the next one of the same or a higher level. The heading stays. */
function withSection(body: string, name: string, content: string, end: string, isAdded: boolean): string {
  const headings = textBlocks(body).filter((block) => block.kind === "heading" && block.depth === 0);
  const wanted = plain(name);
  const found = headings.filter((heading) => plain(heading.text) === wanted);
  const section = found[0];
  if (section === undefined || found.length > 1) {
    const names = headings.map((heading) => `"${heading.text}"`).join(", ");
    throw noteFailure(
      "note-invalid",
      section === undefined
        ? `the note has no section "${name}"`
        : `the note has ${found.length} sections "${name}"`,
      section === undefined
        ? `its sections: ${names || "none"}`
        : ({ find }) => `give text of the one that you mean as ${find}`,
    );
  }
  const below = headings.filter((heading) => heading.from >= section.to);
  const next = below.find((heading) => heading.level <= section.level);
  const at = lineStarts(body);
  if (isAdded) {
    // A subsection is added at the end; other text belongs to the heading itself, not to its last subsection.
    const follower = textBlocks(content)[0]?.kind === "heading" ? next : below[0];
    const place = follower === undefined ? body.length : at(follower.from);
    const rest = body.slice(place);
    return appended(body.slice(0, place), content, end) + (rest === "" ? "" : end) + rest;
  }
  const before = body.slice(0, at(section.to));
  const after = next === undefined ? "" : body.slice(at(next.from));
  const inner = withoutHeading(content, section)
    .trimEnd()
    .replace(/^(?:[ \t]*(?:\r\n|\r|\n))+/, "");
  return (
    before + (/[\r\n]$/.test(before) ? end : end + end) + inner + end + (after === "" ? "" : end) + after
  );
}

/** If the new text begins with the section's heading, the heading is not repeated. */
function withoutHeading(content: string, section: TextBlock): string {
  const first = textBlocks(content)[0];
  const isSame =
    first?.kind === "heading" && first.level === section.level && plain(first.text) === plain(section.text);
  return isSame ? content.slice(lineStarts(content)(first.to)) : content;
}

function plain(heading: string): string {
  return heading
    .replace(/^#+\s*/, "")
    .trim()
    .toLowerCase();
}

function closed(content: string, end: string): string {
  return /[\r\n]$/.test(content) ? content : content + end;
}

/** Where each line of a text begins; past the last line, the length of the text. */
function lineStarts(text: string): (line: number) => number {
  const starts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map((found) => found.index + found[0].length)];
  return (line) => starts[line] ?? text.length;
}
