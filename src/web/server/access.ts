import type { Context, MiddlewareHandler } from "hono";
import * as v from "valibot";
import { ContinuoError } from "../../base/errors.ts";
import type { RateLimit } from "./rate-limit.ts";
import { readBody, text } from "./requests.ts";
import type { SignIn } from "./sign-in.ts";
import { ENTRY_SCRIPT, entryPage, entryScript, refusalPage } from "./small-pages.ts";

/** The beginning of links with a token. The token follows, then the address to open. */
export const ENTRY = "/enter/";

interface AccessOptions {
  readonly port: number;
  readonly signIn: SignIn;
  readonly rate: RateLimit;
  /** Paths that need no cookie, because their area checks access itself. */
  readonly isOpen: (path: string) => boolean;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
const CHANGING = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Refuses other host names: any website can make a name of its own resolve to this machine (DNS rebinding). */
export function checkHost(port: number): MiddlewareHandler {
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
  return async (context, next) => {
    const host = context.req.header("host") ?? "";
    if (!hosts.has(host) || new URL(context.req.url).host !== host)
      throw new ContinuoError("wrong-host", "this server is only for the page that it serves", {
        hint: `open http://127.0.0.1:${port}, or run \`continuo web\` again`,
      });
    return next();
  };
}

/** The header with the page's key. */
const PAGE_KEY = "x-continuo-page";
/** The path at which a page asks the server to prove itself, and proves that it is the same page. */
const AGAIN = "/api/again";
/** The path at which it then gets its passes. */
const PASSES = "/api/passes";
const Again = v.strictObject({ id: text(100), nonce: text(100), proof: text(100) });

/**
 * Refuses every request that does not come from the page. Data needs the page's key in addition to the cookie: browsers
 * send the cookie to all ports of this machine, and treat pages on them as the same site.
 */
export function checkAccess({ port, signIn, rate, isOpen }: AccessOptions): MiddlewareHandler {
  return async (context, next) => {
    const { method, path } = context.req;
    if (!METHODS.has(method))
      throw new ContinuoError("wrong-method", `${method.slice(0, 20)} is not supported`);
    if (path === ENTRY_SCRIPT) return context.body(entryScript, 200, { "content-type": "text/javascript" });
    if (path.startsWith(ENTRY)) return enter(context, signIn, port);
    if (isOpen(path) && !CHANGING.has(method)) return next();
    if (isData(path) || CHANGING.has(method)) checkOrigin(context, `http://${context.req.header("host")}`);
    const cookie = cookiesOf(context, port).find((one) => signIn.ownerOf(one) !== undefined);
    const isAgain = path === AGAIN && method === "POST";
    if (cookie === undefined && !isAgain) return refuse(context);
    const waitSeconds = rate.take(isAgain ? AGAIN : (signIn.ownerOf(cookie ?? "") ?? ""));
    if (waitSeconds > 0) {
      context.header("retry-after", String(waitSeconds));
      throw new ContinuoError("too-many-requests", "too many requests at once", {
        hint: `try again in ${waitSeconds} s`,
      });
    }
    if (isAgain) return again(context, signIn, port, cookie);
    const key = context.req.header(PAGE_KEY) ?? "";
    if (path === PASSES && method === "GET") {
      const passes = signIn.passes(key);
      return passes === undefined ? refuse(context) : context.json(passes);
    }
    if (isData(path) && !signIn.isPage(cookie ?? "", key)) return refuse(context);
    return next();
  };
}

async function again(
  context: Context,
  signIn: SignIn,
  port: number,
  cookie: string | undefined,
): Promise<Response> {
  const asked = await readBody(context, Again);
  const origin = `http://${context.req.header("host")}`;
  const back = signIn.again({ ...asked, origin, cookie });
  if (back === undefined) return refuse(context);
  context.header("set-cookie", cookieHeader(port, back.cookie));
  return context.json({ proof: back.proof });
}

function cookieHeader(port: number, cookie: string): string {
  return `${cookieName(port)}=${cookie}; Path=/; HttpOnly; SameSite=Strict`;
}

/** All ports of a machine share cookies, so the name contains the port. */
function cookieName(port: number): string {
  return `continuo-${port}`;
}

function isData(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

/** Checks where the browser says a request comes from. A request that changes something must say it. */
function checkOrigin(context: Context, own: string): void {
  const origin = context.req.header("origin");
  const site = context.req.header("sec-fetch-site");
  const isForeign =
    (origin !== undefined && origin !== own) ||
    (site !== undefined && site !== "same-origin" && site !== "none") ||
    (CHANGING.has(context.req.method) && origin === undefined && site === undefined);
  if (isForeign)
    throw new ContinuoError("wrong-origin", "requests of other pages are refused", {
      hint: `send the header origin: ${own}`,
    });
}

/** All cookies of that name: a page on another port can add one for a longer path, which then comes first. */
function cookiesOf(context: Context, port: number): readonly string[] {
  const name = `${cookieName(port)}=`;
  const parts = (context.req.header("cookie") ?? "").split(";", 100).map((part) => part.trim());
  return parts.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length));
}

/**
 * Answers a link with a token. The answer is a page that forwards itself: after a redirect the browser would not send a
 * strict cookie if the link was clicked on another site, such as a chat.
 */
function enter(context: Context, signIn: SignIn, port: number): Response {
  const url = new URL(context.req.url);
  const [, , token = "", ...rest] = url.pathname.split("/");
  const to = `/${rest.filter((part) => part !== "").join("/")}${url.search}`;
  // Link previews and prefetching must not use up the token.
  const isEarly = ["sec-purpose", "purpose"].some((name) => context.req.header(name) !== undefined);
  if (context.req.method !== "GET" || isEarly)
    throw new ContinuoError("wrong-method", "open this link in a browser");
  const entered = signIn.redeem(token);
  if (entered !== undefined) context.header("set-cookie", cookieHeader(port, entered.cookie));
  else if (!cookiesOf(context, port).some((one) => signIn.ownerOf(one) !== undefined)) return refuse(context);
  // A program that uses the API reads the key from the answer; in a browser, the page stores it together with the
  // secret by which it later recognises the server.
  const isProgram = (context.req.header("accept") ?? "") === "application/json";
  return isProgram && entered !== undefined
    ? context.json({ page: entered.now.key })
    : context.html(entryPage(to, entered && `${entered.now.key}.${entered.now.secret}`));
}

function refuse(context: Context): Response {
  const hint = "run `continuo web` again: it prints a new link";
  const wantsPage = !isData(context.req.path) && (context.req.header("accept") ?? "").includes("text/html");
  if (!wantsPage)
    throw new ContinuoError(
      "not-signed-in",
      "this needs the cookie and the key of a link that `continuo web` printed",
      {
        hint,
      },
    );
  return context.html(refusalPage(), 401);
}
