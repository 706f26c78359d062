/** Shared by all copies of us in a process: a plugin may be loaded twice, by path and by package, in two versions. */
const KEY = Symbol.for("continuo.opencode.served");

/** Was this object of the host's, which every plugin is handed in turn, dealt with already? From now on it was. */
export function served(seen: object): boolean {
  const shared = globalThis as { [KEY]?: WeakSet<object> };
  shared[KEY] ??= new WeakSet();
  if (shared[KEY].has(seen)) return true;
  shared[KEY].add(seen);
  return false;
}
