import type { ContentfulStatusCode } from "hono/utils/http-status";

/**
 * The status of an answer by the code of its error. A code that is not here is a failure that nobody expected: 500, and
 * recorded for `continuo doctor`. One code a line, by the alphabet, so that areas can add theirs.
 */
const STATUSES: Readonly<Record<string, ContentfulStatusCode>> = {
  "ambiguous-id": 400,
  "api-body": 400,
  "api-body-too-large": 413,
  "api-field": 400,
  "api-id": 400,
  "api-method": 405,
  "api-no-route": 404,
  "api-no-session": 404,
  "api-value": 400,
  "body-not-json": 415,
  "body-too-large": 413,
  "context-item": 400,
  "context-mode": 400,
  "context-set-name": 400,
  "folder-known": 400,
  "folder-refused": 400,
  "folder-unknown": 404,
  "index-busy": 503,
  "invalid-argument": 400,
  "invalid-request": 400,
  "learned-already": 409,
  "lock-busy": 503,
  "meta-too-large": 413,
  "name-empty": 400,
  "no-model": 400,
  "no-project": 404,
  "no-such-address": 404,
  "no-such-file": 404,
  "no-such-folder": 404,
  "no-such-id": 404,
  "no-such-rule": 404,
  "no-such-session": 404,
  "not-allowed": 403,
  "not-confirmed": 409,
  "not-signed-in": 401,
  "query-empty": 400,
  "seed-changed": 409,
  "seed-missing": 404,
  "seed-newer": 409,
  "session-ambiguous": 400,
  "session-not-found": 404,
  "session-not-kept": 404,
  "settings-changed": 409,
  "settings-foreign": 409,
  "settings-invalid": 409,
  "settings-not-utf8": 409,
  "settings-read-only": 409,
  "status-line-taken": 409,
  "timespan-invalid": 400,
  "too-many-requests": 429,
  "too-many-streams": 503,
  "unknown-host": 404,
  usage: 400,
  "wrong-host": 421,
  "wrong-method": 405,
  "wrong-origin": 403,
};

/** undefined for a code that is in no table. */
export function statusOf(code: string): ContentfulStatusCode | undefined {
  return Object.hasOwn(STATUSES, code) ? STATUSES[code] : undefined;
}
