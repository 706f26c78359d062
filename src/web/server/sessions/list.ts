import type { SessionFilter, Sessions } from "../../../sources/sessions/library.ts";
import type { SessionKey } from "../../../sources/sessions/session.ts";
import type { SessionList } from "../../api/sessions.ts";
import type { Web } from "../web.ts";
import { activitiesOf } from "./activities.ts";
import { type Order, orderOf } from "./order.ts";
import { sessionRow } from "./rows.ts";

interface ListRequest {
  readonly filter: SessionFilter;
  readonly unobserved: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** A user has a few tabs and goes back and forth between filters. */
const MOST_ORDERS = 8;

/** A list's order is kept until the index changes, because the page loads it in parts. */
export function createList(web: Web): (request: ListRequest) => Promise<Omit<SessionList, "indexing">> {
  const orders = new Map<string, Order>();
  let version = "";
  const orderFor = (sessions: Sessions, filter: SessionFilter): Order => {
    const now = sessions.version();
    if (now !== version) orders.clear();
    version = now;
    const key = JSON.stringify(filter);
    const order = orders.get(key) ?? orderOf(sessions.listed({ ...filter, spoken: true }));
    orders.delete(key);
    orders.set(key, order);
    const [oldest] = orders.keys();
    if (orders.size > MOST_ORDERS && oldest !== undefined) orders.delete(oldest);
    return order;
  };
  return async ({ filter, unobserved: isOnlyUnobserved, offset, limit }) => {
    const sessions = await web.sessions();
    const unobserved = await activitiesOf(web).unobserved();
    const { rows, days } = isOnlyUnobserved
      ? orderOf(onlyThese(sessions, filter, unobserved))
      : orderFor(sessions, filter);
    const part = rows.slice(offset, offset + limit);
    const depths = new Map(part.map(({ row, depth }) => [row, depth]));
    const detailed = sessions.details(part.map(({ row }) => row));
    return {
      total: rows.length,
      offset,
      rows: detailed.map((session) => ({ ...sessionRow(web, session), depth: depths.get(session.row) ?? 0 })),
      ...(offset === 0 ? { days } : {}),
      unobserved: unobserved.length,
      indexed: sessions.size().sessions,
    };
  };
}

function onlyThese(sessions: Sessions, filter: SessionFilter, keys: readonly SessionKey[]) {
  const wanted = new Set(keys.map(({ host, id }) => `${host}\0${id}`));
  const all = sessions.listed({ ...filter, spoken: true });
  return all.filter(({ host, id }) => wanted.has(`${host}\0${id}`));
}
