import { createTwoFilesPatch } from "diff/lib/patch/create.js";

/** A comparison that takes longer would stop the page. */
const MOST_MS = 300;

/** A unified diff from the text on the disk to the one in the page; undefined if they differ too much. */
export function diffOf(name: string, disk: string, page: string): string | undefined {
  return createTwoFilesPatch(name, name, disk, page, "on the disk", "here", { context: 2, timeout: MOST_MS });
}
