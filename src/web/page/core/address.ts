import { useLocation } from "preact-iso";

/** The view's parameters in the address. Changing one replaces the entry in the history unless `push` is set. */
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

/** The page of a session. An id may have any character. */
export function sessionAddress(host: string, id: string, query?: Readonly<Record<string, string>>): string {
  return addressOf(`/sessions/${encodeURIComponent(host)}/${encodeURIComponent(id)}`, query);
}

/** The page of a session at one of its turns, which is then marked; the session's own page if no turn is known. */
export function turnAddress(host: string, id: string, turn: string | undefined): string {
  const page = sessionAddress(host, id);
  return turn === undefined ? page : `${page}#${encodeURIComponent(turn)}`;
}

/** The page of a note, by its `memory://` address. */
export function noteAddress(uri: string, query?: Readonly<Record<string, string>>): string {
  return addressOf(`/memory/${encodeURIComponent(uri.replace(/^memory:\/\//, ""))}`, query);
}
