// Compiles src/search/vectors/kernel.wat into kernel-bytes.ts. Run it after a change of the .wat; a test compares the two.
// The result is committed, so that neither a build nor a run from source needs the compiler.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import wabt from "wabt";

const folder = join(import.meta.dirname, "../../src/search/vectors");

export async function compiledKernel() {
  const source = readFileSync(join(folder, "kernel.wat"), "utf8");
  const module = (await wabt()).parseWat("kernel.wat", source, { simd: true });
  return Buffer.from(module.toBinary({}).buffer).toString("base64");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const lines = (await compiledKernel()).match(/.{1,100}/g) ?? [];
  writeFileSync(
    join(folder, "kernel-bytes.ts"),
    `/** What scripts/vectors/kernel.mjs made of kernel.wat, in base64. */
export const KERNEL_BYTES = [
${lines.map((line) => `  "${line}",\n`).join("")}].join("");
`,
  );
}
