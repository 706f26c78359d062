/**
 * Two copies of us in one pi, from two installations, must not both answer. The first to hear of a session has it until
 * that session ends. Keyed by pi's own object for the session: copies share nothing else.
 */
const CLAIMS = Symbol.for("continuo.pi.claims");

export function claim(session: object, me: object): boolean {
  const all = claims();
  if (!all.has(session)) all.set(session, me);
  return all.get(session) === me;
}

/** pi may keep its object when it loads us anew, and the new instance is another one. */
export function release(session: object, me: object): void {
  if (claims().get(session) === me) claims().delete(session);
}

function claims(): WeakMap<object, object> {
  const shared = globalThis as { [CLAIMS]?: WeakMap<object, object> };
  shared[CLAIMS] ??= new WeakMap();
  return shared[CLAIMS];
}
