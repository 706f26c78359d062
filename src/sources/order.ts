/** The order of sections in a snapshot or an addition. A new section is one line here. */
const SECTION_ORDER = [
  "rules",
  "session card",
  "working context",
  "learnings",
  "about the user",
  "proposals",
  "references",
  "notes at a start",
  "notes at a prompt",
] as const;

export type SectionName = (typeof SECTION_ORDER)[number];

/** What `Section.priority` wants: higher comes first. */
export function priorityOf(name: SectionName): number {
  return SECTION_ORDER.length - SECTION_ORDER.indexOf(name);
}
