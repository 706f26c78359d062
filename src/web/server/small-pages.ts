/** Pages that the server writes itself, for when the real page cannot be loaded yet. */

/** Gives a new page its pass, and forwards to an address of this server. */
export function entryPage(to: string, pass: string | undefined): string {
  // An address that begins with two slashes would lead to another server.
  const own = escapeHtml(`/${to.replace(/^[/\\]+/, "")}`);
  const keyTag = pass === undefined ? "" : `<meta name="continuo-page" content="${escapeHtml(pass)}">`;
  return page(
    "Continuo",
    `${keyTag}<meta name="continuo-to" content="${own}"><script src="${ENTRY_SCRIPT}"></script>`,
    `<p><a href="${own}">Open Continuo</a></p>`,
  );
}

/** In its own file, because the policy allows no inline script. */
export const ENTRY_SCRIPT = "/enter.js";

/**
 * Uses the tab's session storage, which other ports cannot see. A later program on the same port can, so the pass ends
 * with the server.
 */
export const entryScript = `const given = (name) => document.querySelector(\`meta[name=\${name}]\`)?.content;
const key = given("continuo-page");
if (key) sessionStorage.setItem("continuo.page", key);
location.replace(given("continuo-to"));
`;

export function refusalPage(): string {
  return page(
    "Continuo: open a new link",
    "",
    "<h1>This link does not work any more</h1>\n<p>Run <code>continuo web</code> again: it prints a new link and opens it.</p>",
  );
}

/** For a checkout that has not been built. */
export function unbuiltPage(): string {
  return page(
    "Continuo: not built",
    "",
    "<h1>The page is not built</h1>\n<p>Run <code>npm run build</code> in Continuo's folder, then load this page again.</p>",
  );
}

function page(title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title>${head}</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
