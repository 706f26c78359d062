import type { Tool } from "./tool.ts";
import { listMemories, recentActivity, searchMemories } from "./tools/find.ts";
import { buildContext, extractConceptsFromFile, findSimilarConcepts, visualize } from "./tools/graph.ts";
import { deleteMemory, editMemory, moveMemory, readMemory, writeMemory } from "./tools/notes.ts";
import { getConfig, memoryStatus, sync } from "./tools/store.ts";

/** maenifold's tools for memory. */
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
