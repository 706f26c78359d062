import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { readAt } from "../../../store/read-file.ts";
import type { FileView, LineEnd } from "../../api/files.ts";
import type { RootsWorld } from "./known-roots.ts";
import { withAllowed } from "./open-allowed.ts";

/** A larger file is shown in part and cannot be edited, because a text field with more is too slow. */
export const MAX_TEXT_BYTES = 2 * 1024 * 1024;

export function viewFile(web: RootsWorld, path: string): Promise<FileView> {
  return withAllowed(web, path, ({ descriptor, stats }, { real, root }) => {
    const isCut = stats.size > MAX_TEXT_BYTES;
    const bytes = readAt(descriptor, 0, Math.min(stats.size, MAX_TEXT_BYTES));
    const text = textOf(isCut ? wholeCharacters(bytes) : bytes);
    const lineEnd = lineEndOf(text ?? "");
    const language = languageOf(basename(real));
    const readOnly = whyReadOnly({
      isText: text !== undefined,
      isCut,
      lineEnd,
      isProtected: isProtected(stats.mode),
      isForeign: !root.isWritable,
    });
    return {
      path: real,
      name: basename(real),
      root: root.path,
      kind: text === undefined ? "binary" : "text",
      text: text === undefined ? "" : withoutMark(text),
      size: stats.size,
      modified: Math.trunc(stats.mtimeMs),
      ...(isCut ? {} : { checksum: checksumOf(bytes) }),
      isCut,
      hasByteOrderMark: text?.startsWith(MARK) === true,
      lineEnd,
      language,
      readOnly,
    };
  });
}

export const MARK = "\ufeff";

function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(MARK.length) : text;
}

export function checksumOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** undefined for bytes that are not UTF-8, because they would be written back as other bytes. */
export function textOf(bytes: Buffer): string | undefined {
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString("utf8") : undefined;
}

/** Drops an incomplete character at the end of a file's first bytes. */
function wholeCharacters(bytes: Buffer): Buffer {
  let last = bytes.length - 1;
  while (last > bytes.length - 4 && ((bytes[last] ?? 0) & 0xc0) === 0x80) last--;
  return isUtf8(bytes.subarray(last)) ? bytes : bytes.subarray(0, last);
}

/** A text field converts all line ends to LF, so only a file with a single kind can be written back unchanged. */
export function lineEndOf(text: string): LineEnd {
  const crlf = count(text, "\r\n");
  const cr = count(text, "\r");
  if (cr === 0) return "lf";
  return cr === crlf && crlf === count(text, "\n") ? "crlf" : "mixed";
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found++;
  return found;
}

/** Whether the owner has no write permission: the user protected the file, even if this process could write it. */
export function isProtected(mode: number): boolean {
  return (mode & 0o200) === 0;
}

export function whyReadOnly(file: {
  isText: boolean;
  isCut: boolean;
  lineEnd: LineEnd;
  isProtected: boolean;
  isForeign: boolean;
}): string | undefined {
  if (!file.isText) return "it is not UTF-8 text";
  if (file.isCut) return "it is larger than 2 MB; only the beginning is shown";
  if (file.isProtected) return "the file is write-protected";
  if (file.isForeign) return "it belongs to another program, and Continuo only reads its notes";
  if (file.lineEnd === "mixed") return "it has different line ends, which a page would make equal";
  return undefined;
}

/** File name extensions by highlight.js's language names. */
const ENDINGS: Readonly<Record<string, string>> = {
  bash: "bash sh",
  c: "c h",
  cpp: "cc cpp hpp",
  csharp: "cs",
  css: "css",
  diff: "diff patch",
  go: "go",
  ini: "ini toml",
  java: "java",
  javascript: "cjs js jsx mjs",
  json: "json jsonc",
  kotlin: "kt",
  lua: "lua",
  markdown: "md mdc mdx",
  php: "php",
  python: "py",
  ruby: "rb",
  rust: "rs",
  scss: "scss",
  sql: "sql",
  swift: "swift",
  typescript: "cts mts ts tsx",
  xml: "htm html svg vue xml",
  yaml: "yaml yml",
};

const BY_ENDING = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) => endings.split(" ").map((one) => [one, language])),
);
const BY_NAME = new Map([
  ["dockerfile", "dockerfile"],
  ["makefile", "makefile"],
]);

function languageOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  return BY_NAME.get(lower) ?? BY_ENDING.get(/\.([a-z0-9]+)$/.exec(lower)?.[1] ?? "");
}
