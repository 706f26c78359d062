import { collapse } from "../base/text.ts";

/** Long enough to recognise a note in a list, and a comfortable file name. */
const LONGEST = 60;

/** The title comes from the first heading or sentence, so the rest of a long text is not read. */
const LOOKED_AT = 2000;

/** Control characters, except line breaks. */
const CONTROL = /[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]/g;

/** A title for a text that has none: its first heading, else its first sentence, without markup, cut at a word. */
export function titleFromText(text: string): string {
  const start = text.slice(0, LOOKED_AT).toWellFormed().replace(CONTROL, " ");
  const line = /^[ \t]*(?=[^\r\n]*[\p{L}\p{N}])(\S[^\r\n]*)/mu.exec(start)?.[1] ?? collapse(start);
  const plain = withoutMarkup(line);
  // "5 p.m. " and "1. " do not end a sentence.
  const sentence = /^.{4,}?[。！？]|^.{10,}?(?<![\s.]\p{L})[.!?](?=\s|$)/u.exec(plain)?.[0] ?? plain;
  return cutAtWord(sentence.replace(/[.。:;,]+$/u, "").trim() || plain) || "Note";
}

function withoutMarkup(line: string): string {
  return collapse(
    line
      .replace(/^(?:\s*(?:#{1,6}|>|[-*+]|\d{1,9}[.)]|\[[ xX]\])(?=\s))+\s*/, "")
      .replace(
        /!?\[\[([^[\]|]+)(?:\|([^[\]]+))?\]\]/g,
        (_, target: string, alias?: string) => alias ?? target,
      )
      .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, "$1")
      .replace(/[`*]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, ""),
  );
}

function cutAtWord(text: string): string {
  const characters = [...text];
  if (characters.length <= LONGEST) return text;
  const cut = characters.slice(0, LONGEST).join("");
  const space = cut.lastIndexOf(" ");
  // Scripts without spaces, and very long words, are cut anywhere.
  return (space > LONGEST / 2 ? cut.slice(0, space) : cut).replace(/[\s.,:;([{-]+$/u, "");
}
