import type { Checked } from "./checked.ts";
import { forPerson } from "./lines.ts";

/** More lines at one moment are not read, and a repository can have any number of rules. */
export const MOST_SAID = 3;

/** The first notices of a moment, and how many more there are. */
export function withFewNotices<C extends Pick<Checked, "notices">>(checked: C): C {
  const { notices = [] } = checked;
  const more = notices.length - MOST_SAID;
  if (more <= 0) return checked;
  const rest = forPerson(`and ${more} more: continuo rules report`);
  return { ...checked, notices: [...notices.slice(0, MOST_SAID), rest] };
}
