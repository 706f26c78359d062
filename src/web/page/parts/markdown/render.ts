import { Marked, type Tokens } from "marked";
import { clean } from "../purify.ts";

/** The address of a note that a text names as `[[name]]`; undefined if there is none. */
export type NoteLink = (name: string) => string | undefined;

/**
 * Markdown as safe HTML. HTML in the text is shown as text. Nothing is loaded: an image is shown as its description and
 * host, and a link shows the host that it leads to.
 */
export function renderMarkdown(text: string, noteLink?: NoteLink): string {
  return clean(String(parserFor(noteLink).parse(text, { async: false })));
}

function parserFor(noteLink: NoteLink | undefined): Marked {
  const marked = new Marked({ gfm: true, breaks: true });
  marked.use({
    renderer: {
      html: ({ text }) => escaped(text),
      heading({ tokens, depth }) {
        const level = Math.min(6, depth + 2);
        return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
      },
      code({ text, lang }) {
        const language = /^[\w+#.-]{1,30}/.exec(lang ?? "")?.[0] ?? "";
        return `<pre><code data-language="${escaped(language)}">${escaped(text)}</code></pre>`;
      },
      image: ({ href, text }) => {
        const what = text === "" ? "image" : `image: ${text}`;
        return `<span class="md-image">${escaped(what)}${hostMark(hostOf(href), text)}</span>`;
      },
      link({ href, tokens, text }) {
        const inner = this.parser.parseInline(tokens);
        if (/^mailto:[^\s<>"']+$/i.test(href)) return `<a href="${escaped(href)}">${inner}</a>`;
        const host = hostOf(href);
        // A path cannot be followed here, so its target is shown instead.
        if (host === undefined)
          return href === text
            ? inner
            : `${inner} <code class="md-path">${escaped(href.slice(0, 300))}</code>`;
        return `<a href="${escaped(href)}">${inner}</a>${hostMark(host, text)}`;
      },
      checkbox: ({ checked }) => `<span class="md-box">${checked ? "☑" : "☐"}</span> `,
      table({ header, rows }) {
        const cells = (row: readonly Tokens.TableCell[], tag: string): string =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("");
        const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
        return `<div class="md-table"><table><thead><tr>${cells(header, "th")}</tr></thead><tbody>${body}</tbody></table></div>`;
      },
    },
    extensions: noteLink === undefined ? [] : [noteLinks(noteLink)],
  });
  return marked;
}

function noteLinks(noteLink: NoteLink) {
  return {
    name: "noteLink",
    level: "inline" as const,
    start: (text: string) => text.indexOf("[["),
    tokenizer(text: string) {
      const found = /^\[\[([^[\]\n|]{1,200})(?:\|([^[\]\n]{1,200}))?\]\]/.exec(text);
      if (found === null) return undefined;
      return { type: "noteLink", raw: found[0], name: found[1]?.trim() ?? "", label: found[2]?.trim() };
    },
    renderer(token: Tokens.Generic) {
      const { name, label } = token as unknown as { name: string; label: string | undefined };
      const address = noteLink(name);
      const shown = escaped(label ?? name);
      return address === undefined
        ? `<span class="md-unknown">${shown}</span>`
        : `<a class="md-note" href="${escaped(address)}">${shown}</a>`;
    },
  };
}

function hostOf(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address)) return undefined;
  return URL.canParse(address) ? new URL(address).host : undefined;
}

/** Shows where a link leads, unless its text already says so. */
function hostMark(host: string | undefined, text: string): string {
  if (host === undefined || isNamedBy(text, host)) return "";
  return `<span class="md-host"> ${escaped(host)}</span>`;
}

const isNamedBy = (text: string, host: string): boolean =>
  text === host ||
  text.startsWith(`https://${host}/`) ||
  text.startsWith(`http://${host}/`) ||
  text === `https://${host}`;

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
