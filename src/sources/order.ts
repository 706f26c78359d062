/** The order of sections in a snapshot or an addition. A new section needs one line here. */
const SECTION_ORDER = [
  "broken rules",
  "output of commands",
  "rules",
  "rules on request",
  "learnings",
  "references",
  "last sessions",
  "session card",
  "working context",
  "notes at a prompt",
  "notes at a start",
  "about the user",
] as const;

export type SectionName = (typeof SECTION_ORDER)[number];

/** The value of `Section.priority`: higher comes first. */
export function priorityOf(name: SectionName): number {
  return SECTION_ORDER.length - SECTION_ORDER.indexOf(name);
}
