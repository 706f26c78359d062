import { useLocation } from "preact-iso";

/** The view's parameters in the address. Changing one replaces the history entry unless `push` is set. */
export function useQuery(): {
  readonly query: Readonly<Record<string, string>>;
  set(changes: Readonly<Record<string, string | undefined>>, options?: { push?: boolean }): void;
} {
  const { path, query, route } = useLocation();
  return {
    query,
    set(changes, { push = false } = {}) {
      route(addressOf(path, { ...query, ...changes }), !push);
    },
  };
}

export function addressOf(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, value]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** The address of a session's page. An id may contain any character. */
export function sessionAddress(host: string, id: string, query?: Readonly<Record<string, string>>): string {
  return addressOf(`/sessions/${encodeURIComponent(host)}/${encodeURIComponent(id)}`, query);
}

/** The address of a turn in a session's page, where it is marked; the session's own page if the turn is unknown. */
export function turnAddress(host: string, id: string, turn: string | undefined): string {
  const page = sessionAddress(host, id);
  return turn === undefined ? page : `${page}#${encodeURIComponent(turn)}`;
}

/** The address of a note's page, by its `memory://` address. */
export function noteAddress(uri: string, query?: Readonly<Record<string, string>>): string {
  return addressOf(`/memory/${encodeURIComponent(uri.replace(/^memory:\/\//, ""))}`, query);
}
