import type { Hono } from "hono";
import { expect, onTestFinished } from "vitest";
import { registries } from "../../src/entries/registries.ts";
import type { WebEvent } from "../../src/web/api/events.ts";
import { AREAS } from "../../src/web/server/areas.ts";
import { type ClosableWeb, createWeb } from "../../src/web/server/create-web.ts";
import {
  createApi,
  type RunningServer,
  type ServerOptions,
  startServer,
} from "../../src/web/server/server.ts";
import type { Area, WebWorld } from "../../src/web/server/web.ts";
import { ROOT } from "./child.ts";
import { ask } from "./raw-http.ts";
import { temporaryWorld } from "./world.ts";

type Place = ReturnType<typeof temporaryWorld>;

export interface TestWeb extends Place {
  readonly web: ClosableWeb;
  /** The API without a socket and without access checks: `app.request("/api/…")`. */
  readonly app: Hono;
  /** What pages were told since the beginning. */
  readonly events: WebEvent[];
  /** The answer to a request that succeeds. */
  get<T>(address: string): Promise<T>;
  /** The answer to any request; `body` is sent as JSON. */
  send<T>(method: string, address: string, body?: unknown): Promise<Sent<T>>;
}

export interface Sent<T> {
  readonly status: number;
  readonly body: T & {
    readonly error: { readonly code: string; readonly message: string; readonly hint?: string };
  };
}

/** The world of a test for the server: a temporary home and project, all hosts and sources. */
export function webWorld(place: Pick<Place, "env" | "root">, more: Partial<WebWorld> = {}): WebWorld {
  return { ...registries, env: place.env, cwd: place.root, now: Date.now, packageRoot: ROOT, ...more };
}

/** A `Web` for a temporary world, and the routes of the given areas (all by default). */
export function temporaryWeb(
  files: Record<string, string> = {},
  areas: readonly Area[] = AREAS,
  more: Partial<WebWorld> = {},
): TestWeb {
  const place = temporaryWorld(files);
  const web = createWeb(webWorld(place, more));
  onTestFinished(() => web.close());
  const app = createApi(web, areas);
  const events: WebEvent[] = [];
  web.subscribe((event) => void events.push(event));
  const send = async <T>(method: string, address: string, body?: unknown): Promise<Sent<T>> => {
    const answer = await app.request(address, body === undefined ? { method } : json(method, body));
    return { status: answer.status, body: (await answer.json()) as Sent<T>["body"] };
  };
  const get = async <T>(address: string): Promise<T> => {
    const { status, body } = await send<T>("GET", address);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  return { ...place, web, app, events, get, send };
}

/** A request body as JSON: `app.request("/api/…", json("PATCH", {…}))`. */
export function json(method: string, body: unknown): RequestInit {
  return { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

export interface RunningTestWeb {
  readonly web: ClosableWeb;
  readonly server: RunningServer;
  /** Without a path: `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** The value of the header `cookie`. */
  readonly cookie: string;
  /** The value of the header `x-continuo-page`. */
  readonly key: string;
  /** Asks as the page does: with cookie, key and origin. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Also called when the test ends. */
  close(): Promise<void>;
}

/** Runs the real server on a random port in this process and signs in. */
export async function startTestWeb(
  world: WebWorld,
  options: Partial<ServerOptions> = {},
): Promise<RunningTestWeb> {
  const web = createWeb(world);
  const server = await startServer(web, { port: 0, areas: AREAS, ...options });
  const close = async (): Promise<void> => {
    await server.close();
    await web.close();
  };
  onTestFinished(close);
  const url = server.origin;
  // Not with `fetch`, which would use a connection again that a server before this one on the same port has closed.
  const entered = await ask(server.port, new URL(server.link()).pathname, {
    headers: { host: new URL(url).host, accept: "application/json" },
  });
  const cookie = entered.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  const { page: key } = JSON.parse(entered.body) as { readonly page: string };
  return {
    web,
    server,
    url,
    cookie,
    key,
    close,
    fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      headers.set("cookie", cookie);
      headers.set("x-continuo-page", key);
      headers.set("origin", url);
      return fetch(`${url}${path}`, { ...init, headers });
    },
  };
}
