/** Pages that the server writes itself: what is shown before the page may be loaded. */

/** Gives the page its pass, if it is new, and goes on to an address of this server. */
export function entryPage(to: string, pass: string | undefined): string {
  // An address that begins with two slashes would name another server.
  const own = escapeHtml(`/${to.replace(/^[/\\]+/, "")}`);
  const keyTag = pass === undefined ? "" : `<meta name="continuo-page" content="${escapeHtml(pass)}">`;
  return page(
    "Continuo",
    `${keyTag}<meta name="continuo-to" content="${own}"><script src="${ENTRY_SCRIPT}"></script>`,
    `<p><a href="${own}">Open Continuo</a></p>`,
  );
}

/** In a file of its own, because the policy allows no script inside a page. */
export const ENTRY_SCRIPT = "/enter.js";

/** The storage of a tab: other ports do not see it. What has this port later does, so the pass ends with the server. */
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

/** From a checkout whose build has not run. */
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
