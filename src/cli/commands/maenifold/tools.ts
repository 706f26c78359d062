import type { Tool } from "./tool.ts";
import { buildContext } from "./tools/build-context.ts";
import { deleteMemory } from "./tools/delete-memory.ts";
import { editMemory } from "./tools/edit-memory.ts";
import { extractConceptsFromFile } from "./tools/extract-concepts-from-file.ts";
import { findSimilarConcepts } from "./tools/find-similar-concepts.ts";
import { getConfig } from "./tools/get-config.ts";
import { listMemories } from "./tools/list-memories.ts";
import { memoryStatus } from "./tools/memory-status.ts";
import { moveMemory } from "./tools/move-memory.ts";
import { readMemory } from "./tools/read-memory.ts";
import { recentActivity } from "./tools/recent-activity.ts";
import { searchMemories } from "./tools/search-memories.ts";
import { sync } from "./tools/sync.ts";
import { visualize } from "./tools/visualize.ts";
import { writeMemory } from "./tools/write-memory.ts";

/** maenifold's tools that are about memory: twelve, and three more that tell of it. */
export const TOOLS: readonly Tool[] = [
  writeMemory,
  readMemory,
  editMemory,
  deleteMemory,
  moveMemory,
  searchMemories,
  extractConceptsFromFile,
  sync,
  buildContext,
  recentActivity,
  listMemories,
  findSimilarConcepts,
  visualize,
  memoryStatus,
  getConfig,
];
