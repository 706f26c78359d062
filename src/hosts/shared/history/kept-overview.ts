import { statFile } from "../../../store/read-file.ts";

/**
 * The overview of the file that was last asked about, made again when the file has changed: a page that shows a session
 * reads it in many small parts.
 */
export function keptOverview<T>(make: (path: string) => T): (path: string) => T {
  let last: { readonly stamp: string; readonly overview: T } | undefined;
  return (path) => {
    const now = statFile(path);
    const stamp = `${now?.size} ${now?.modified} ${path}`;
    if (last?.stamp !== stamp || now === undefined) last = { stamp, overview: make(path) };
    return last.overview;
  };
}
