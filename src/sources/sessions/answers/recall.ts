import { ContinuoError } from "../../../base/errors.ts";
import type { ToolContext } from "../../../moments/ports/tool.ts";
import { viewpointOf, withSessions } from "../access.ts";
import { ABANDONED, label, oneLine } from "../labels.ts";
import type { SessionFilter, Sessions } from "../library.ts";
import type { Viewpoint } from "../references/resolve.ts";

const MOST_HITS = 8;
const LONGEST_PASSAGE = 200;

/** Somebody is waiting, but new sessions are worth some time; later calls index the rest. */
const SYNC_MS = 2_000;

export function recall(
  words: string,
  call: Pick<ToolContext, "home" | "env" | "now" | "history" | "cwd" | "session">,
): Promise<string> {
  if (words.trim() === "") throw new ContinuoError("usage", "recall what?", { hint: "give a few words" });
  return withSessions(call, SYNC_MS, (library) => recallText(library, words, viewpointOf(call)));
}

/** Past sessions that match these words, best first, each with its best passage. */
function recallText(library: Sessions, words: string, { self }: Viewpoint): string {
  const { hits, total, notices } = library.search(words, {
    limit: MOST_HITS,
    except: self,
  });
  if (hits.length === 0) return "No past session is about this.";
  const lines = hits.map(({ session, best }) => {
    const passage =
      best === undefined
        ? ""
        : `\n  ${oneLine(best.snippet, LONGEST_PASSAGE)}${best.isLeft ? ABANDONED : ""}`;
    return `- ${label(session)}${passage}`;
  });
  const rest = total > hits.length ? [`${total - hits.length} more`] : [];
  return [...lines, ...rest, ...notices].join("\n");
}

const MOST_PROJECTS = 8;
const LONGEST_VALUE = 80;

/**
 * Explains why a search found nothing: lists filter values that no session has and, for a project, which ones exist.
 */
export function explainNoMatch(library: Sessions, { host, project, branch, file }: SessionFilter): string[] {
  const isUnknown = (filter: SessionFilter): boolean =>
    library.list({ ...filter, children: true, limit: 1 }).length === 0;
  const reasons: string[] = [];
  if (host !== undefined && isUnknown({ host })) reasons.push(`No session of ${host} is known.`);
  if (project !== undefined && isUnknown({ project })) {
    const labels = new Set(library.list().flatMap(({ label }) => label ?? []));
    const known = [...labels].slice(0, MOST_PROJECTS).map((label) => oneLine(label, LONGEST_VALUE));
    const others =
      known.length === 0 ? "" : ` There are: ${known.join(", ")}${labels.size > known.length ? ", …" : ""}.`;
    const named =
      typeof project === "string" ? `project "${oneLine(project, LONGEST_VALUE)}"` : "this project";
    reasons.push(`No session is of ${named}.${others}`);
  }
  if (branch !== undefined && isUnknown({ branch }))
    reasons.push(`No session was on branch "${oneLine(branch, LONGEST_VALUE)}".`);
  if (file !== undefined && isUnknown({ file }))
    reasons.push(
      `No session touched a file "${oneLine(file, LONGEST_VALUE)}": give its path or the end of it.`,
    );
  return reasons;
}
