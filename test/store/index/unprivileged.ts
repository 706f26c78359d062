const NOBODY = 65_534;

/** Runs `fn` bound by file permissions even where the tests run as root, as they do in most containers. */
export function unprivileged<T>(fn: () => T): T {
  if (process.getuid?.() !== 0 || process.seteuid === undefined) return fn();
  process.seteuid(NOBODY);
  try {
    return fn();
  } finally {
    process.seteuid(0);
  }
}
