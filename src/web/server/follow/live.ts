import { once } from "../../../base/once.ts";
import type { Web } from "../web.ts";
import { type Follower, follow } from "./follow.ts";
import { createIndexKeeper, type KeeperOptions } from "./index-keeper.ts";

/** Keeps open pages up to date. Nothing runs before the first page is open. */
export interface Live {
  /** Call it when a page connects to the event stream. */
  onPage(): void;
  /** Call it when a page sends a request. */
  onRequest(): void;
}

export function createLive(web: Web, options: KeeperOptions): Live {
  const keeper = createIndexKeeper(web, options);
  let follower: Follower | undefined;
  const start = once(() => {
    follower = follow(web, { onIndex: keeper.changed });
    web.subscribe((event) => {
      if (event.type === "session" && (event.reason === "state" || event.reason === "ended")) keeper.nudge();
    });
  });
  web.onClose(() => {
    keeper.close();
    follower?.close();
  });
  return {
    onPage() {
      start();
      keeper.nudge();
    },
    onRequest: () => follower?.check(),
  };
}
