import type { Change } from "../hosts/wire.ts";

/** A unified diff. The library is loaded only when there is something to show. */
export async function showDiff(change: Change): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  const name = change.file;
  return createTwoFilesPatch(name, name, change.before ?? "", change.after ?? "", "before", "after", {
    context: 2,
  })
    .replace(/^=+\n/, "")
    .trimEnd();
}
