import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./child.ts";

/** Puts the table of meaning beside a bundle that a test has built, as the package has it. */
export function linkTable(folder: string): void {
  const link = join(folder, "meaning.bin");
  if (!existsSync(link)) symlinkSync(join(ROOT, "assets/meaning/table.bin"), link);
}
