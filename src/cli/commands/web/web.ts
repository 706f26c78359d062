import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { isatty } from "node:tty";
import { pathToFileURL } from "node:url";
import { describeError } from "../../../base/errors.ts";
import { fields, flag, optional, whole } from "../../../moments/actions/fields.ts";
import { action, alone } from "../../../moments/ports/action.ts";
import { exact } from "../../../moments/ports/view.ts";
import { findProgram } from "../../../store/find-program.ts";
import { ensureFolder } from "../../../store/folder.ts";
import { findHome, type Home } from "../../../store/home.ts";
import { createFileAtomic } from "../../../store/write-file.ts";
import type { CommandPlace } from "../../actions/as-command.ts";
import type { World } from "../../command.ts";

/** The server keeps running after the command has printed its link; Ctrl-C stops it. */
const web = action({
  name: "web",
  about: "open the page: sessions, notes and rules",
  guide:
    "Serves a page on this machine, only for you, and opens it in your browser. The link works once. The page shows every session as it happens, what Continuo added to it and why, notes, rules and suggestions. Ctrl-C stops it.",
  examples: [
    ["continuo web", "open the page"],
    ["continuo web --no-open --port 8123", "print the link, for a tunnel over ssh"],
  ],
  effect: "reads",
  input: fields({
    port: optional(whole("listen on this port", 1, 65_535, { value: "N", fallback: "any free port" })),
    noOpen: optional(flag("only print the link; do not open a browser")),
  }),
  async run({ port: wanted = 0, noOpen = false }, { world, env, tell }: CommandPlace) {
    const { url, port, pid, isNew } = await world.serveWeb(world, { port: wanted });
    const isAsked = !noOpen && world.values?.["json"] !== true;
    const isOpened = isAsked && wantsBrowser(env, isatty(1)) && openBrowser(url, world);
    const about = isNew ? "Ctrl-C stops it." : `It runs already (process ${pid}).`;
    tell?.(`This link works once, within ten minutes. ${about}`);
    if (isOpened) tell?.("If your browser does not show the page, open the link in it yourself.");
    return { url, port, pid };
  },
  view: ({ url }) => [exact(url)],
});

export const WEB = alone("start", web);

/** Each is started with a file's address as its only argument, never by a shell. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
const USUAL: readonly [program: string, ...args: string[]] = ["xdg-open"];

/** Only for a user at a terminal with a screen on this machine. */
export function wantsBrowser(
  env: NodeJS.ProcessEnv,
  isTerminal: boolean,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (!isTerminal || env["CI"] || env["SSH_CONNECTION"]) return false;
  const hasScreen = Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"] || env["WSL_DISTRO_NAME"]);
  return platform === "darwin" || platform === "win32" || hasScreen;
}

/**
 * Opens a local page that forwards to the link. Does not wait, and returns false if nothing was opened: the link is
 * also printed.
 */
export function openBrowser(
  url: string,
  { env, cwd, tell }: Pick<World, "env" | "cwd" | "tell">,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const [name, ...args] = OPENERS[platform] ?? USUAL;
  const program = findProgram(name, { env, near: [cwd] });
  if (program === undefined) return false;
  let page: string;
  try {
    page = pathToFileURL(writeLinkPage(findHome(env), url)).href;
  } catch (error) {
    tell?.(`No browser was opened: ${describeError(error).message}. Open the link yourself.`);
    return false;
  }
  const child = spawn(program, [...args, page], { env, stdio: "ignore", detached: true, windowsHide: true });
  child.on("error", ({ message }) => tell?.(`the browser could not be opened (${message})`));
  child.unref();
  return true;
}

/** Longer than a browser takes to start. */
const KEPT_MS = 60_000;
/** Written by the server after a sign-in. */
const SIGNED_IN = "web-pages.json";

/**
 * Writes a page that forwards to the link and that only this user can read, because all users of the machine can read a
 * browser's arguments, and whoever opens the link first is signed in. It is removed after a sign-in, after a minute,
 * and when this process ends. Throws if it cannot be written.
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
    return undefined; // no more file watchers: it is removed after a minute
  }
}

/** Removes pages of killed processes. */
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
