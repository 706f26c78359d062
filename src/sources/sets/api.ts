import { createHash } from "node:crypto";
import { ContinuoError, describeError } from "../../base/errors.ts";
import { isRecord, parseBounded } from "../../base/json.ts";
import { unknownKey } from "../../base/settings.ts";
import { observe } from "../../moments/state/activity.ts";
import {
  findSessions,
  isPlainId,
  type MetaPatch,
  metaFile,
  type SessionKey,
  type SessionMeta,
} from "../../moments/state/session-meta.ts";
import { cleanName } from "../../moments/state/session-name.ts";
import type { Home } from "../../store/home.ts";
import { changeContext } from "./change.ts";
import { changedEvent, publish } from "./events.ts";
import { intentPatch, MAX_INTENT } from "./intent.ts";
import { type Context, MAX_IN_ALL, type Place, shorten, typeName } from "./sets.ts";

/** A request without its transport. The body is JSON as text or bytes, or a parsed value. */
interface SessionRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The header `If-Match`: an `etag` of before, so that nothing is changed that somebody else has changed since. */
  readonly ifMatch?: string | undefined;
}

interface SessionResponse {
  readonly status: number;
  /** Of what a PATCH may change, in the form of the header `ETag`. */
  readonly etag?: string;
  readonly body: object;
}

export interface SessionApi {
  readonly home: Home;
  readonly userHome: string | undefined;
  readonly now: () => number;
  /** The folder that a session's relative paths refer to. Without it they are refused. */
  readonly cwdOf?: (session: SessionKey) => string | undefined;
  readonly lockWaitMs?: number;
  /** The index of past sessions, if the program has one: a session may be known there only. */
  readonly index?: SessionIndex;
}

interface SessionIndex {
  /** The sessions of all hosts with this id. */
  keysOf(id: string): readonly SessionKey[];
  /** The name that it has when nobody gave it one. */
  nameOf(session: SessionKey): string | undefined;
  /** Its metadata has this name now; empty if the name was given back. */
  named(session: SessionKey, name: string): void;
}

const PREFIX = "/api/sessions/";
const FIELDS = ["context", "setContext", "unionContext", "name", "envHint", "currentIntent"];
/** Enough for 50 items of 4096 characters of up to six bytes. */
const MAX_BODY = 2_000_000;
const MAX_NAME = 200;
const MAX_HINT = 2000;
/** Far longer than the ids of any host. */
const MAX_ID = 4096;
const STATUS: Readonly<Record<string, number>> = {
  "api-no-route": 404,
  "api-no-session": 404,
  "session-ambiguous": 400,
  "api-method": 405,
  "api-changed": 412,
  "api-body-too-large": 413,
  "meta-corrupt": 409,
  "meta-too-large": 409,
  "lock-busy": 503,
};

/** Never throws: a failure becomes a status and an error with a hint. */
export async function handleSessionRequest(
  request: SessionRequest,
  api: SessionApi,
): Promise<SessionResponse> {
  try {
    const session = sessionOf(request.path, api);
    const file = metaFile(api.home, api.userHome, session, { lockWaitMs: api.lockWaitMs ?? 5000 });
    const { index } = api;
    if (request.method === "GET") {
      const meta = file.read();
      return { status: 200, body: show(session, meta, index), etag: tagOf(meta) };
    }
    if (request.method !== "PATCH") {
      throw new ContinuoError("api-method", `${shorten(request.method)} is not possible here`, {
        hint: "GET or PATCH",
      });
    }
    const body = parseBody(request.body);
    const place = { cwd: api.cwdOf?.(session), home: api.userHome };
    let before: Context = {};
    let wanted: Wanted = { patch: {}, evicted: [], warnings: [] };
    const meta = await file.update((old) => {
      checkUnchanged(request.ifMatch, old);
      before = old.context ?? {};
      wanted = wantedBy(body, before, place, api.now());
      return wanted.patch;
    });
    if (typeof wanted.patch.name === "string") index?.named(session, wanted.patch.name);
    await observe(api.home, session, api.now(), api.lockWaitMs ?? 5000);
    const event = changedEvent(session, before, meta.context ?? {}, api.now());
    if (event !== undefined) publish(event);
    return {
      status: 200,
      etag: tagOf(meta),
      body: { ...show(session, meta, index), evicted: wanted.evicted, warnings: wanted.warnings },
    };
  } catch (error) {
    const described = describeError(error);
    const status = STATUS[described.code] ?? (/^(api|context)-/.test(described.code) ? 400 : 500);
    return { status, body: { error: described } };
  }
}

function tagOf({ name, context, envHint, currentIntent }: Partial<SessionMeta> = {}): string {
  const changeable = JSON.stringify([name ?? "", context ?? {}, envHint ?? "", currentIntent ?? ""]);
  return `"${createHash("sha256").update(changeable).digest("base64url").slice(0, 22)}"`;
}

/** Called under the file's lock. */
function checkUnchanged(ifMatch: string | undefined, meta: SessionMeta): void {
  const tags = ifMatch?.split(",").map((tag) => tag.trim()) ?? ["*"];
  if (tags.includes("*") || tags.includes(tagOf(meta))) return;
  throw new ContinuoError("api-changed", "the session was changed meanwhile", {
    hint: "GET it again and send its new ETag in If-Match",
  });
}

/** The session at an address: `HOST/ID`, or `ID` if only one host has it. */
function sessionOf(path: string, api: SessionApi): SessionKey {
  const [place = ""] = path.split(/[?#]/, 1);
  if (!place.startsWith(PREFIX)) {
    throw new ContinuoError("api-no-route", "there is nothing at this address", {
      hint: `${PREFIX}:host/:id`,
    });
  }
  const parts = place.slice(PREFIX.length).split("/").map(decoded);
  const [first = "", second] = parts;
  const [host, id] = second === undefined ? [undefined, first] : [first, second];
  if (parts.length > 2 || id === "" || id.length > MAX_ID || (host !== undefined && !isPlainId(host))) {
    throw new ContinuoError("api-id", "this is not a session's address", {
      hint: `${PREFIX}HOST/ID, each encoded as a part of a URL`,
    });
  }
  return findOne(id, host, api);
}

/** Looks a session up by its id, in one host or in all. */
export function findOne(
  id: string,
  host: string | undefined,
  { home, userHome, index }: Pick<SessionApi, "home" | "userHome" | "index">,
): SessionKey {
  const indexed = (index?.keysOf(id) ?? []).filter((key) => host === undefined || key.host === host);
  const hosts = new Set([...findSessions(home, userHome, id, host), ...indexed].map((key) => key.host));
  const [found] = hosts;
  if (found === undefined)
    throw new ContinuoError("api-no-session", `nothing is known of session ${shorten(id)}`);
  if (hosts.size > 1)
    throw new ContinuoError("session-ambiguous", `several hosts have a session ${shorten(id)}`, {
      hint: `name the host: ${PREFIX}HOST/ID (${[...hosts].sort().join(", ")})`,
    });
  return { host: found, id };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return ""; // refused by the caller
  }
}

function parseBody(body: unknown): Readonly<Record<string, unknown>> {
  let value = body;
  if (typeof body === "string" || body instanceof Uint8Array) {
    if (body.length > MAX_BODY) {
      throw new ContinuoError("api-body-too-large", `the body has ${body.length} bytes, max ${MAX_BODY}`);
    }
    try {
      value = parseBounded(
        typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body),
      );
    } catch (error) {
      throw new ContinuoError("api-body", "the body is not JSON", {
        hint: `an object with ${FIELDS.join(", ")}`,
        cause: error,
      });
    }
  }
  return fieldsOf("the body", value, FIELDS);
}

interface Wanted {
  readonly patch: MetaPatch;
  readonly evicted: readonly string[];
  readonly warnings: readonly string[];
}

/** Applied in this order: replace the whole context, set one set, merge into one set. */
function wantedBy(
  body: Readonly<Record<string, unknown>>,
  before: Context,
  place: Place,
  now: number,
): Wanted {
  const all =
    body["context"] === undefined ? undefined : Object.entries(fieldsOf("context", body["context"]));
  if (all !== undefined && all.length > MAX_IN_ALL)
    throw bad("context", `${all.length} sets`, `up to ${MAX_IN_ALL} items`);
  const one = optional(body, "setContext", ["setName", "items", "mode"]);
  const union = optional(body, "unionContext", ["setName", "items"]);
  const requests = [
    ...(all ?? []).map(([setName, items]) => ({ setName, items, mode: "replace" })),
    ...(one === undefined ? [] : [{ setName: one["setName"], items: one["items"], mode: one["mode"] }]),
    ...(union === undefined ? [] : [{ setName: union["setName"], items: union["items"], mode: "merge" }]),
  ];
  let context = all === undefined ? before : {};
  const evicted: string[] = [];
  const warnings: string[] = [];
  for (const request of requests) {
    const change = changeContext(context, request, place);
    context = change.context;
    evicted.push(...change.evicted);
    if (change.warning !== undefined) warnings.push(change.warning);
  }
  const patch: MetaPatch = {
    ...(all === undefined && requests.length === 0 ? {} : { context }),
    ...(body["name"] === undefined ? {} : { name: checkName(body["name"]) }),
    ...(body["currentIntent"] === undefined
      ? {}
      : intentPatch(checkText("currentIntent", body["currentIntent"], MAX_INTENT), now)),
    ...(body["envHint"] === undefined
      ? {}
      : { envHint: checkText("envHint", body["envHint"], MAX_HINT) || null }),
  };
  return { patch, evicted, warnings };
}

/** As `continuo sessions name` stores it; empty gives the name back. */
function checkName(value: unknown): string {
  const given = checkText("name", value, MAX_NAME);
  const name = cleanName(given);
  if (name === "" && given !== "") throw bad("name", "without a letter that a name can have", "a few words");
  return name;
}

function optional(body: Readonly<Record<string, unknown>>, field: string, known: readonly string[]) {
  return body[field] === undefined ? undefined : fieldsOf(field, body[field], known);
}

/** An object with known fields only: a mistyped field must not be ignored silently. */
function fieldsOf(
  what: string,
  value: unknown,
  known?: readonly string[],
): Readonly<Record<string, unknown>> {
  if (!isRecord(value))
    throw bad(what, `of type ${typeName(value)}`, `an object${known ? ` with ${known.join(", ")}` : ""}`);
  const odd = known && Object.keys(value).find((key) => !known.includes(key));
  if (odd === undefined) return value;
  const { message, hint } = unknownKey(shorten(odd), shorten(odd), known ?? []);
  throw new ContinuoError("api-field", `${message} in ${what}`, { hint });
}

/** Checks one line of text; null counts as empty. Also used by the command line. */
export function checkText(field: string, value: unknown, max = MAX_HINT): string {
  if (value === null) return "";
  if (typeof value !== "string") throw bad(field, `of type ${typeName(value)}`, "a string");
  if (value.length > max) throw bad(field, `${value.length} characters long`, `up to ${max} characters`);
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(value) || !value.isWellFormed()) {
    throw bad(field, "more than one line of plain text", "one line");
  }
  return value.trim();
}

function bad(what: string, is: string, accepted: string): ContinuoError {
  return new ContinuoError("api-value", `${what} is ${is}`, { hint: `give ${accepted}` });
}

function show(session: SessionKey, meta: SessionMeta | undefined, index: SessionIndex | undefined): object {
  const { host, id } = session;
  const name = cleanName(meta?.name ?? "") || (index?.nameOf(session) ?? "");
  return { sessionId: id, host, ...meta, name, context: meta?.context ?? {} };
}
