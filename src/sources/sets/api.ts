import { createHash } from "node:crypto";
import * as v from "valibot";
import { ContinuoError, describeError } from "../../base/errors.ts";
import { isRecord, parseBounded } from "../../base/json.ts";
import { nearest } from "../../base/text.ts";
import { line } from "../../moments/actions/fields.ts";
import { checkInput } from "../../moments/actions/input.ts";
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
import type { ChangeRequest } from "./change.ts";
import { changeSets } from "./events.ts";
import { intentPatch, MAX_HINT, MAX_INTENT, MAX_NAME } from "./intent.ts";
import { MAX_IN_ALL, shorten } from "./sets.ts";

/** A request, independent of its transport. The body is JSON as text or bytes, or a parsed value. */
interface SessionRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The header `If-Match`: an earlier `etag`, so that nothing is overwritten that changed since. */
  readonly ifMatch?: string | undefined;
}

interface SessionResponse {
  readonly status: number;
  /** Identifies what a PATCH may change, in the form of the header `ETag`. */
  readonly etag?: string;
  readonly body: object;
}

export interface SessionApi {
  readonly home: Home;
  readonly userHome: string | undefined;
  readonly now: () => number;
  /** The folder for a session's relative paths. Without it they are refused. */
  readonly cwdOf?: (session: SessionKey) => string | undefined;
  readonly lockWaitMs?: number;
  /** The index of past sessions, if the program has one: some sessions are known only there. */
  readonly index?: SessionIndex;
}

interface SessionIndex {
  /** The sessions of all hosts with this id. */
  keysOf(id: string): readonly SessionKey[];
  /** The session's name if the user gave none. */
  nameOf(session: SessionKey): string | undefined;
  /** Called when its metadata has this name; empty if the name was removed. */
  named(session: SessionKey, name: string): void;
}

const PREFIX = "/api/sessions/";
/** Enough for 50 items of 4096 characters of up to six bytes. */
const MAX_BODY = 2_000_000;
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
    const at = api.now();
    const { meta, changes } = await changeSets(
      file,
      session,
      { ...wantedBy(body, at), check: (old) => checkUnchanged(request.ifMatch, old) },
      { cwd: api.cwdOf?.(session), home: api.userHome, at },
    );
    if (typeof body.name === "string") index?.named(session, meta.name);
    await observe(api.home, session, at, api.lockWaitMs ?? 5000);
    return {
      status: 200,
      etag: tagOf(meta),
      body: {
        ...show(session, meta, index),
        evicted: changes.flatMap(({ evicted }) => evicted),
        warnings: changes.flatMap(({ warning }) => warning ?? []),
      },
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

/** Finds a session by its id, in one host or in all. */
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

const LIST = { setName: v.optional(v.unknown()), items: v.optional(v.unknown()) };

/**
 * Only the structure: the contents of sets are checked where they are changed. A misspelt field must not be ignored
 * silently.
 */
const BODY = v.strictObject({
  /** All sets. */
  context: v.optional(v.custom<Readonly<Record<string, unknown>>>(isRecord, "must be an object")),
  setContext: v.optional(v.strictObject({ ...LIST, mode: v.optional(v.unknown()) }, "must be an object")),
  unionContext: v.optional(v.strictObject(LIST, "must be an object")),
  // As `continuo sessions name` stores it; empty restores the original name.
  name: v.optional(
    v.pipe(
      oneLine(MAX_NAME),
      v.check((given) => given === "" || cleanName(given) !== "", "must have a letter that a name can have"),
      v.transform(cleanName),
    ),
  ),
  envHint: v.optional(oneLine(MAX_HINT)),
  currentIntent: v.optional(oneLine(MAX_INTENT)),
});

const FIELDS =
  "context, setContext (setName, items, mode), unionContext (setName, items), name, envHint, currentIntent";

/** null counts as empty. */
function oneLine(most: number) {
  return v.pipe(
    v.unknown(),
    v.transform((given) => given ?? ""),
    line("", most),
  );
}

type Body = v.InferOutput<typeof BODY>;

function parseBody(body: unknown): Body {
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
        hint: `an object with ${FIELDS}`,
        cause: error,
      });
    }
  }
  if (!isRecord(value)) throw refused("api-value", "the body must be an object");
  const checked = checkInput(BODY, value);
  if ("input" in checked) return checked.input as Body;
  const { name, why, message } = checked.refused;
  if (why !== "unknown") throw refused("api-value", `"${name}" ${message}`);
  const near = nearest(name.split(".").at(-1) ?? "", FIELDS.match(/\w+/g) ?? []);
  throw refused("api-field", `unknown field "${name}"`, near && `did you mean "${near}"?`);
}

function refused(code: string, message: string, hint = `fields: ${FIELDS}`): ContinuoError {
  return new ContinuoError(code, message, { hint });
}

/** Applied in this order: replace the whole context, set one set, merge into one set. */
function wantedBy({ context, setContext, unionContext, name, envHint, currentIntent }: Body, now: number) {
  const all = Object.entries(context ?? {});
  if (all.length > MAX_IN_ALL)
    throw refused("api-value", `"context" has ${all.length} sets, max ${MAX_IN_ALL}`);
  const requests: readonly ChangeRequest[] = [
    ...all.map(([setName, items]) => ({ setName, items, mode: "replace" })),
    ...(setContext === undefined ? [] : [{ setName: undefined, ...setContext }]),
    ...(unionContext === undefined ? [] : [{ setName: undefined, ...unionContext, mode: "merge" }]),
  ];
  const patch: MetaPatch = {
    name,
    ...(currentIntent !== undefined && intentPatch(currentIntent, now)),
    envHint: envHint === "" ? null : envHint,
  };
  return { requests, patch, isWhole: context !== undefined };
}

function show(session: SessionKey, meta: SessionMeta | undefined, index: SessionIndex | undefined): object {
  const { host, id } = session;
  const name = cleanName(meta?.name ?? "") || (index?.nameOf(session) ?? "");
  return { sessionId: id, host, ...meta, name, context: meta?.context ?? {} };
}
