import type { MiddlewareHandler } from "hono";

/** Nothing is loaded from elsewhere, nothing inline runs, and no other page may frame this one. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const DEFAULTS: readonly (readonly [name: string, value: string])[] = [
  ["content-security-policy", PAGE_POLICY],
  ["cross-origin-resource-policy", "same-origin"],
  ["cross-origin-opener-policy", "same-origin"],
  ["cache-control", "no-store"],
  [
    "permissions-policy",
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()",
  ],
];

/**
 * Sets the headers of every answer. A route that needs another policy, such as for applets' frames, sets that header
 * itself; headers whose absence would weaken every page (`nosniff`, no referrer) cannot be changed.
 */
export function securityHeaders(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    for (const [name, value] of DEFAULTS) if (!headers.has(name)) headers.set(name, value);
    headers.set("x-content-type-options", "nosniff");
    headers.set("referrer-policy", "no-referrer");
  };
}
