import { spawn } from "node:child_process";
import { findProgram } from "../../../store/find-program.ts";
import type { World } from "../../command.ts";

/** Each is started with the address as one argument, never by a shell. */
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

/** Does not wait. The link is printed too, so that nothing is lost if no browser comes. */
export function openBrowser(
  url: string,
  { env, cwd, tell }: Pick<World, "env" | "cwd" | "tell">,
  platform: NodeJS.Platform = process.platform,
): void {
  const [name, ...args] = OPENERS[platform] ?? USUAL;
  const program = findProgram(name, { env, near: [cwd] });
  if (program === undefined) return;
  const child = spawn(program, [...args, url], { env, stdio: "ignore", detached: true, windowsHide: true });
  child.on("error", ({ message }) => tell?.(`the browser could not be opened (${message})`));
  child.unref();
}
