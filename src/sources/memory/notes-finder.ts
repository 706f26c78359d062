import { quoteLine } from "../../compose/escape.ts";
import type { Finder } from "../../moments/ports/finder.ts";
import { findProject } from "../../moments/project.ts";
import type { SearchMode } from "./search/search.ts";
import { memorySettings } from "./settings.ts";
import { withMemory } from "./with-memory.ts";

/** The notes, as one of the kinds that a search asks. `mode` concerns them alone: all others are found by words. */
export function notesFinder(mode: SearchMode | undefined): Finder {
  return {
    kind: "notes",
    heading: "Notes:",
    nothing: "No note found.",
    pageSize: 10,
    filters: ["folder", "tags", "project", "since", "until"],
    isOn: ({ home, env }) => memorySettings(home, env).enabled,
    async find({ query, filter, page, pageSize }, call) {
      const { folder, tags, project, since, until } = filter;
      const { hits, total, notices } = await withMemory(call, (memory) =>
        memory.search({
          query,
          page,
          pageSize,
          ...(mode !== undefined && { mode }),
          ...(folder !== undefined && { folder }),
          ...(tags !== undefined && { tags }),
          ...(project !== undefined && { project: project === "." ? findProject(call.cwd).label : project }),
          ...(since !== undefined && { since }),
          ...(until !== undefined && { until }),
        }),
      );
      return {
        hits: hits.map(({ title, uri, score, modified, snippet }) => ({
          title: quoteLine(title),
          where: [uri],
          score,
          time: modified,
          excerpt: quoteLine(snippet),
        })),
        total,
        notices,
      };
    },
  };
}
