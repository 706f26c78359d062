import { existsSync } from "node:fs";
import { join } from "node:path";

/** A build of Continuo that is measured. */
export interface Build {
  /** What its rows are called, after the name of the case. */
  readonly label: string;
  /** Its `continuo.cjs`. */
  readonly script: string;
}

const THIS: Build = { label: "", script: join(import.meta.dirname, "..", "..", "dist", "continuo.cjs") };

/** This build, and the one that BEFORE names (the path of its `continuo.cjs`), measured in the same rounds. */
export function builds(): Build[] {
  const before = process.env["BEFORE"];
  if (before === undefined) return [THIS];
  if (!existsSync(before)) throw new Error(`BEFORE: there is no ${before}`);
  return [THIS, { label: " (before)", script: before }];
}

/** How often to measure, unless ROUNDS says otherwise. */
export function rounds(usual: number): number {
  return Number(process.env["ROUNDS"] ?? usual);
}
