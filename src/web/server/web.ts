import type { Hono } from "hono";
import type { Registries } from "../../setup/registries.ts";
import type { Sessions } from "../../sources/sessions/library.ts";
import type { Home } from "../../store/home.ts";
import type { WebEvent } from "../api/events.ts";

/** The environment of the server. Nothing global, so that tests can run it anywhere. */
export interface WebWorld extends Registries {
  readonly env: NodeJS.ProcessEnv;
  /** The folder in which `continuo web` was started. */
  readonly cwd: string;
  readonly now: () => number;
  /** The folder of the installed package; it contains `dist/web`, the page's files. */
  readonly packageRoot: string;
}

/** What all areas of the server share. */
export interface Web extends WebWorld {
  readonly home: Home;
  /** Sends an event to all open pages. */
  publish(event: WebEvent): void;
  /** Called for every event, including those of other processes. Returns a function that unsubscribes. */
  subscribe(notify: (event: WebEvent) => void): () => void;
  /** The past sessions of all hosts. One library for the whole server; it is closed with the server. */
  sessions(): Promise<Sessions>;
  /** Records a failure that no page showed, for `continuo doctor`. */
  report(code: string, message: string, hint?: string): void;
  /** Called once when the server ends. */
  onClose(close: () => void | Promise<void>): void;
}

/** One part of the API. Its routes are below `/api`; access is checked before they are called. */
export interface Area {
  readonly name: string;
  routes(app: Hono, web: Web): void;
  /**
   * Whether an address may be read without the page's cookie because the area checks access itself: applets' frames
   * have no cookie. Never for requests that change something.
   */
  isOpen?(path: string): boolean;
}
