const SHOWN = 20;
const MAX_LENGTH = 300;

/**
 * The files in use, edited before read, most recent first. The host's summariser is asked to keep them, and since a
 * summariser may not, the snapshot after the compaction has them too.
 */
export function workingContext(paths: readonly string[]): string {
  if (paths.length === 0) return "";
  const more = paths.length - SHOWN;
  return [
    "Current file paths in context:",
    ...paths.slice(0, SHOWN).map((path) => `  - ${path.replace(/[\r\n\t]/g, " ").slice(0, MAX_LENGTH)}`),
    ...(more > 0 ? [`  ... and ${more} more paths`] : []),
  ].join("\n");
}
