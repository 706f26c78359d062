/** The concept graph. */
export function Graph(_: { project?: string; concept?: string; onConcept?: (name: string) => void }) {
  return null;
}
