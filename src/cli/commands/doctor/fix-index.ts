import { boundYoungGeneration } from "../../../base/young-generation.ts";

import { withMemory } from "../../../sources/memory/memory.ts";
import { countsOf } from "../../../sources/memory/note-index/note-problems.ts";
import { findHome } from "../../../store/home.ts";

import type { World } from "../../command.ts";
import { throttled } from "../../terminal/progress.ts";
import { counted } from "../../terminal/table.ts";
import { withSessions } from "../sessions/with-sessions.ts";

/** The indexes are derived from files: making one again loses nothing that is on disk. */

export function syncNotes(world: World): Promise<string> {
  const progress = throttled(world);
  return withMemory({ ...world, home: findHome(world.env), syncMs: 0 }, async (memory) => {
    await memory.sync({
      thoroughly: true,
      onProgress: ({ put, same }) => progress(`${counted(put + same, "note")} read`),
    });
    return `indexed ${counted(countsOf(memory.indexes()).notes, "note")}`;
  });
}

export function indexSessions(world: World): Promise<string> {
  const progress = throttled(world);
  return withSessions({ ...world, values: {}, positionals: [] }, async (sessions) => {
    await sessions.sync({
      onProgress({ doneSessions, sessions: all }) {
        boundYoungGeneration();
        progress(`${doneSessions} of ${all} sessions read`);
      },
    });
    return `indexed ${counted(sessions.size().sessions, "session")}`;
  });
}
