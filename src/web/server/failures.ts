import type { Context, Hono } from "hono";
import { describeError, isContinuoError } from "../../base/errors.ts";
import type { Failure } from "../api/failure.ts";
import { statusOf } from "./statuses.ts";
import type { Web } from "./web.ts";

/** Turns what a route throws into an answer. What nobody expected is recorded, and its text is not sent: it may quote a file. */
export function failureHandler(web: Pick<Web, "report">): (error: Error, context: Context) => Response {
  return (error, context) => {
    const { code, message, hint } = describeError(error);
    const status = isContinuoError(error) ? statusOf(code) : undefined;
    if (status !== undefined) return context.json(failure(code, message, hint), status);
    web.report(code, `${context.req.method} ${context.req.path.slice(0, 200)}: ${message}`, hint);
    return isContinuoError(error)
      ? context.json(failure(code, message, hint), 500)
      : context.json(failure("unexpected", "the server failed", "to see why: continuo doctor"), 500);
  };
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** For an address that no area has, or not with this method. */
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
  return { error: { code, message, ...(hint === undefined ? {} : { hint }) } };
}
