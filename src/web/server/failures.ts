import type { Context, Hono } from "hono";
import { ContinuoError, describeError, isContinuoError, isSystemError } from "../../base/errors.ts";
import { forTerminal } from "../../base/for-terminal.ts";
import type { Failure } from "../api/failure.ts";
import { statusOf } from "./statuses.ts";
import type { Web } from "./web.ts";

/**
 * Turns an error of a route into an answer. An unexpected error is recorded, and its text is not sent, because it may
 * quote a file.
 */
export function failureHandler(web: Pick<Web, "report">): (error: Error, context: Context) => Response {
  return (error, context) => {
    const { code, message, hint } = describeError(ofTheDisk(error) ?? error);
    const status = isContinuoError(error) || ofTheDisk(error) ? statusOf(code) : undefined;
    if (status !== undefined) return context.json(failure(code, message, hint), status);
    web.report(code, `${context.req.method} ${context.req.path.slice(0, 200)}: ${message}`, hint);
    return isContinuoError(error)
      ? context.json(failure(code, message, hint), 500)
      : context.json(failure("unexpected", "the server failed", SEE_WHY), 500);
  };
}

export const SEE_WHY = "to see why: continuo doctor";

/** System errors of the disk or a folder, in words: these are not bugs. */
const OF_THE_DISK: Readonly<Record<string, readonly [code: string, why: string, hint: string]>> = {
  ENOSPC: ["disk-full", "no space is left on the disk", "free some space, then try again"],
  EDQUOT: ["disk-full", "your quota of the disk is used up", "free some space, then try again"],
  EROFS: ["disk-read-only", "the disk is read-only", "make it writable, then try again"],
  EACCES: ["no-permission", "this user has no permission", "check who owns it, then try again"],
  EPERM: ["no-permission", "this user has no permission", "check who owns it, then try again"],
};

function ofTheDisk(error: unknown): ContinuoError | undefined {
  if (!isSystemError(error) || !Object.hasOwn(OF_THE_DISK, error.code ?? "")) return undefined;
  const [code, why, hint] = OF_THE_DISK[error.code ?? ""] ?? ["unexpected", "", ""];
  const where = error.path === undefined ? "" : ` (${forTerminal(error.path).slice(0, 300)})`;
  return new ContinuoError(code, `${why}${where}`, { hint, cause: error });
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** For an address that no area serves, or not with this method. */
export function unknownAddress(api: Hono): (context: Context) => Response {
  return (context) => {
    const { method, path } = context.req;
    const allowed = METHODS.filter((one) =>
      api.router.match(one, path)[0].some(([[, route]]) => route.method !== "ALL"),
    );
    if (allowed.length > 0 && !allowed.includes(method === "HEAD" ? "GET" : method)) {
      context.header("allow", allowed.join(", "));
      const hint = `allowed: ${allowed.join(", ")}`;
      return context.json(failure("wrong-method", `${method} is not possible here`, hint), 405);
    }
    const message = `there is no ${method} ${path.slice(0, 200)}`;
    return context.json(failure("no-such-address", message, "all addresses: docs/web-api.md"), 404);
  };
}

export function failure(code: string, message: string, hint?: string): Failure {
  return { error: { code, message, hint } };
}
