/** The rules of a project: what is active and why; try a path or a prompt. */
export function Rules(_: { project?: string; path?: string; prompt?: string }) {
  return null;
}
