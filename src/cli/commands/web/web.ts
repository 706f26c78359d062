import { isatty } from "node:tty";
import type { Command } from "../../command.ts";
import { wholeOption } from "../../terminal/options.ts";
import { openBrowser, wantsBrowser } from "./browser.ts";

/** The server runs on after the command has printed its link: Ctrl-C stops it. */
export const webCommand: Command = {
  name: "web",
  summary: "open the page: sessions, notes and rules",
  usage: "web",
  section: "start",
  guide:
    "Serves a page on this machine, only for you, and opens it in your browser. The link works once. The page shows every session as it happens, what Continuo added to it and why, notes, rules and suggestions. Ctrl-C stops it.",
  options: {
    port: { type: "string", value: "N", help: "listen on this port", fallback: "any free port" },
    "no-open": { type: "boolean", help: "only print the link; do not open a browser" },
  },
  examples: [
    ["continuo web", "open the page"],
    ["continuo web --no-open --port 8123", "print the link, for a tunnel over ssh"],
  ],
  async run(input) {
    const port = wholeOption(input, "port", 1, 65_535) ?? 0;
    const { url, port: used, pid, isNew } = await input.serveWeb(input, { port });
    const isAsked = input.values["no-open"] !== true && input.values["json"] !== true;
    const isOpened = isAsked && wantsBrowser(input.env, isatty(1)) && openBrowser(url, input);
    const about = isNew ? "Ctrl-C stops it." : `It runs already (process ${pid}).`;
    input.tell?.(`This link works once, within ten minutes. ${about}`);
    if (isOpened) input.tell?.("If your browser does not show the page, open the link in it yourself.");
    return { data: { url, port: used, pid }, text: url };
  },
};
