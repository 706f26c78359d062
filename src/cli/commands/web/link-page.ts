import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { ensureFolder } from "../../../store/folder.ts";
import type { Home } from "../../../store/home.ts";
import { createFileAtomic } from "../../../store/write-file.ts";

/** Longer than a browser takes to start. */
const KEPT_MS = 60_000;
/** The server writes it when somebody has signed in. */
const SIGNED_IN = "web-pages.json";

/**
 * Writes a page that leads to the link, which only this user can read: the arguments of a browser's process can be read
 * by all users of the machine, and whoever is first to open the link is signed in. It is removed once somebody has signed
 * in, after a minute, and when this process ends. Throws if it cannot be written.
 */
export function writeLinkPage(home: Home, url: string): string {
  const folder = join(home.root, "web-open");
  ensureFolder(folder);
  removeOld(folder);
  const path = join(folder, `${randomBytes(12).toString("hex")}.html`);
  if (!createFileAtomic(path, linkPage(url), 0o600)) throw new Error(`${path} exists already`);

  const remove = () => {
    clearTimeout(timer);
    watcher?.close();
    process.off("exit", remove);
    rmSync(path, { force: true });
  };
  const timer = setTimeout(remove, KEPT_MS);
  const watcher = watched(home.root, (name) => name === SIGNED_IN && remove());
  process.once("exit", remove);
  return path;
}

function watched(folder: string, changed: (name: string | null) => void) {
  try {
    return watch(folder, (_, name) => changed(name)).on("error", () => undefined);
  } catch {
    return undefined; // no watchers left: it is removed after a minute
  }
}

/** What a killed process left. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - at > KEPT_MS) rmSync(path, { force: true });
  }
}

function linkPage(url: string): string {
  const link = url.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${link}"><title>Continuo</title></head>
<body><p><a href="${link}">Open Continuo</a></p></body>
</html>
`;
}
