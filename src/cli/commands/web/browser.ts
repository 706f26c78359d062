import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { describeError } from "../../../base/errors.ts";
import { findProgram } from "../../../store/find-program.ts";
import { findHome } from "../../../store/home.ts";
import type { World } from "../../command.ts";
import { writeLinkPage } from "./link-page.ts";

/** Each is started with the address of a file as one argument, never by a shell. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
const USUAL: readonly [program: string, ...args: string[]] = ["xdg-open"];

/** Only for a person at a terminal who has a screen on this machine. */
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
 * Opens a page of its own that leads to the link. Does not wait, and returns false if nothing was opened: the link is
 * printed too.
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
