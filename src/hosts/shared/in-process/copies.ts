/**
 * A host may load two copies of Continuo into one process, from two installations and in two versions. Only one must
 * answer. Copies share nothing but the global object, so a copy stores there what it did, under names that every
 * version uses.
 */
const HANDLED = Symbol.for("continuo.opencode.served");
const CLAIMS = Symbol.for("continuo.pi.claims");

interface Shared {
  [HANDLED]?: WeakSet<object>;
  [CLAIMS]?: WeakMap<object, object>;
}

const shared = globalThis as Shared;

/** Whether a copy has already handled this object, which the host passes to every copy in turn. Marks it as handled. */
export function isHandled(given: object): boolean {
  shared[HANDLED] ??= new WeakSet();
  if (shared[HANDLED].has(given)) return true;
  shared[HANDLED].add(given);
  return false;
}

/** The first copy that asks gets the session until it releases it. `session` is the host's own object for it. */
export function claim(session: object, copy: object): boolean {
  const all = claims();
  if (!all.has(session)) all.set(session, copy);
  return all.get(session) === copy;
}

/** The host may keep its object when it loads Continuo again, and the new copy needs the session. */
export function release(session: object, copy: object): void {
  if (claims().get(session) === copy) claims().delete(session);
}

function claims(): WeakMap<object, object> {
  shared[CLAIMS] ??= new WeakMap();
  return shared[CLAIMS];
}
