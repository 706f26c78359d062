import { extname, join } from "node:path";
import { ContinuoError, isSystemError } from "../../../base/errors.ts";
import { readBytes } from "../../../store/read-file.ts";
import type { Web } from "../web.ts";
import { FRAME_SCRIPT } from "./frame-script.ts";
import { appletsFolder, isProblems, usersApplet } from "./list.ts";

const MAX_BYTES = 5 * 1024 * 1024;

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".gif": "image/gif",
  ".html": "text/html; charset=utf-8",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/** The name of the script that every frame gets. */
const OWN_SCRIPT = "continuo.js";

/**
 * No browser policy prevents a page from sending data by WebRTC. Every script of an applet begins with this, even in a
 * nested frame, so that none of them can use it.
 */
const NO_WEBRTC = "delete globalThis.RTCPeerConnection;delete globalThis.webkitRTCPeerConnection;";

interface FrameFile {
  readonly type: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

/** A file of a user's applet; without a name, its page. */
export function frameFile(web: Pick<Web, "home">, slug: string, name: string): FrameFile {
  const manifest = usersApplet(web, slug);
  if (isProblems(manifest))
    throw new ContinuoError("applet-broken", `this applet cannot be used: ${manifest.join("; ")}`);
  if (name === OWN_SCRIPT) return { type: TYPES[".js"] ?? "", content: NO_WEBRTC + FRAME_SCRIPT };
  const root = join(appletsFolder(web), slug);
  if (/\.m?js$/i.test(name))
    return { type: typeOf(name), content: `${NO_WEBRTC}${read(root, name).toString("utf8")}` };
  if (name !== "") return { type: typeOf(name), content: read(root, name) };
  const { html, script, style } = manifest;
  // At the end of a page, browsers handle these as if they were inside it.
  const tags = [
    ...(style === undefined ? [] : [`<link rel="stylesheet" href="${style}">`]),
    ...(script === undefined ? [] : [`<script src="${script}"></script>`]),
  ];
  return {
    type: TYPES[".html"] ?? "",
    content: `<!doctype html>\n<script src="${OWN_SCRIPT}"></script>\n${withoutDoctype(read(root, html).toString("utf8"))}\n${tags.join("\n")}\n`,
  };
}

/** Continuo's script comes first, so that the applet's scripts find `continuo`. */
function withoutDoctype(html: string): string {
  return html.replace(/^\ufeff?\s*<!doctype[^>]*>/i, "");
}

function typeOf(name: string): string {
  const type = TYPES[extname(name).toLowerCase()];
  if (type === undefined || name.split("/").some((part) => part.startsWith(".")) || /[\\\0]/.test(name))
    throw noSuchFile();
  return type;
}

/** Links may lead only to files of this applet. */
function read(root: string, name: string): Buffer<ArrayBuffer> {
  try {
    return Buffer.from(readBytes(join(root, name), { maxBytes: MAX_BYTES, root }));
  } catch (error) {
    if (isSystemError(error)) throw noSuchFile();
    throw error;
  }
}

function noSuchFile(): ContinuoError {
  return new ContinuoError("no-such-file", "the applet has no such file", {
    hint: `files of these kinds are served, up to 5 MB: ${Object.keys(TYPES).join(" ")}`,
  });
}

/**
 * What a frame may do: run its own script files and show its own files. No requests, forms, frames, workers, origin or
 * inline scripts: every script comes through `frameFile`. `base` is the applet's address.
 */
export function framePolicy(base: string): string {
  return [
    "sandbox allow-scripts",
    "default-src 'none'",
    `script-src ${base}`,
    `style-src 'unsafe-inline' ${base}`,
    `img-src data: ${base}`,
    `font-src data: ${base}`,
    "connect-src 'none'",
    "worker-src 'none'",
    "frame-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
}
