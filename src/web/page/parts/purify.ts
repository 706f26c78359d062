import DOMPurify from "dompurify";

const TAGS = [
  ...["p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li"],
  ...["h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "a", "span", "div"],
];
const ATTRIBUTES = ["href", "rel", "target", "class", "start", "data-language"];
/** The web, mail, and addresses of this page that our own renderer linked. */
const ADDRESSES = /^(?:https?:\/\/|mailto:|\/memory\/)/i;
/** Keeps the classes that our renderers set. Untrusted text has lost its own by now. */
const OWN_CLASS = /^(?:md-[a-z]+|hljs(?:-[a-z_]+)?|language_|function_|class_|inherited__)$/;

const purify = DOMPurify(window);

purify.addHook("afterSanitizeAttributes", (node) => {
  if (node.hasAttribute("class")) {
    const kept = [...node.classList].filter((name) => OWN_CLASS.test(name));
    if (kept.length === 0) node.removeAttribute("class");
    else node.setAttribute("class", kept.join(" "));
  }
  if (node.tagName !== "A") return;
  if (!node.hasAttribute("href")) return;
  if (node.getAttribute("href")?.startsWith("/") === true) return;
  node.setAttribute("rel", "noreferrer noopener");
  node.setAttribute("target", "_blank");
});

/** The only way to add HTML to this page: a short list of elements; no styles, ids, forms, images or scripts. */
export function clean(html: string): string {
  return purify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOWED_URI_REGEXP: ADDRESSES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    KEEP_CONTENT: true,
  });
}
