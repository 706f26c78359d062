/** Pages that the server writes itself, without scripts and styles: what is shown before the page may be loaded. */

/** Goes on to an address of this server. */
export function entryPage(to: string): string {
  // An address that begins with two slashes would name another server.
  const own = escapeHtml(`/${to.replace(/^[/\\]+/, "")}`);
  return page(
    "Continuo",
    `<meta http-equiv="refresh" content="0; url=${own}">`,
    `<p><a href="${own}">Open Continuo</a></p>`,
  );
}

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
