import { join } from "node:path";
import type { Context } from "hono";
import { isSystemError } from "../../base/errors.ts";
import { namesIn } from "../../store/folder.ts";
import { readBytes } from "../../store/read-file.ts";
import { unbuiltPage } from "./small-pages.ts";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  map: "application/json",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
};

/** Plain names only, because the build creates no subfolders. */
const FILE = /^[A-Za-z0-9_][\w.-]*\.(\w+)$/;
/** The build puts a hash of the content into the name, so such a file never changes. */
const HASHED = /-[A-Za-z0-9]{8}\.\w+$/;
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/**
 * Serves the page's files, and the page itself at every address that it shows. All files are read at the start, so that
 * the page is of the same build as its server, even after the package was updated or removed.
 */
export function pageFiles(
  packageRoot: string,
  unknown: (context: Context) => Response,
): (context: Context) => Response {
  const files = filesIn(join(packageRoot, "dist", "web"));
  return (context) => {
    const { method, path } = context.req;
    if (method !== "GET" && method !== "HEAD") return unknown(context);
    const name = path.slice(1);
    const type = TYPES[FILE.exec(name)?.[1] ?? ""];
    const file = files.get(name);
    if (file !== undefined && type !== undefined)
      return answer(
        context,
        file,
        type,
        HASHED.test(path) ? "private, max-age=31536000, immutable" : "no-cache",
      );
    // A missing script of an earlier build must not be answered with the page.
    const wantsPage = path === "/" || (context.req.header("accept") ?? "").includes("text/html");
    if (!wantsPage || isReserved(path)) return unknown(context);
    const page = files.get("index.html");
    return page === undefined
      ? context.html(unbuiltPage(), 503)
      : answer(context, page, TYPES["html"] ?? "", "no-cache");
  };
}

function isReserved(path: string): boolean {
  return /^\/(?:api|applets)(?:\/|$)/.test(path);
}

function filesIn(folder: string): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const name of namesIn(folder).filter((one) => FILE.test(one))) {
    try {
      files.set(
        name,
        new Uint8Array(readBytes(join(folder, name), { maxBytes: MAX_FILE_BYTES, root: folder })),
      );
    } catch (error) {
      if (!isSystemError(error)) throw error; // it leads out of the folder
    }
  }
  return files;
}

/** Not compressed, because the browser is on this machine. */
function answer(context: Context, bytes: Uint8Array<ArrayBuffer>, type: string, caching: string): Response {
  return context.body(bytes, 200, { "content-type": type, "cache-control": caching });
}
