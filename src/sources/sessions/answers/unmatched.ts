import { oneLine } from "../labels.ts";
import type { SessionFilter, Sessions } from "../library.ts";

const MOST_PROJECTS = 8;
const LONGEST = 80;

/** Why a search found nothing: each value that no session at all has, and for a project which ones there are. */
export function unmatched(library: Sessions, { host, project, branch, file }: SessionFilter): string[] {
  const isUnknown = (filter: SessionFilter): boolean =>
    library.list({ ...filter, children: true, limit: 1 }).length === 0;
  const told: string[] = [];
  if (host !== undefined && isUnknown({ host })) told.push(`No session of ${host} is known.`);
  if (project !== undefined && isUnknown({ project })) {
    const labels = new Set(library.list().flatMap(({ label }) => label ?? []));
    const known = [...labels].slice(0, MOST_PROJECTS).map((label) => oneLine(label, LONGEST));
    const others =
      known.length === 0 ? "" : ` There are: ${known.join(", ")}${labels.size > known.length ? ", …" : ""}.`;
    told.push(`No session is of project "${oneLine(project, LONGEST)}".${others}`);
  }
  if (branch !== undefined && isUnknown({ branch }))
    told.push(`No session was on branch "${oneLine(branch, LONGEST)}".`);
  if (file !== undefined && isUnknown({ file }))
    told.push(`No session touched a file "${oneLine(file, LONGEST)}": give its path or the end of it.`);
  return told;
}
