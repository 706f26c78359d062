// Makes the file of the table of meaning from what training wrote:
//   node scripts/meaning/pack.ts FOLDER OUT --version 1 [--dimensions 256] [--bits 4] [--prune]
// FOLDER has vocab.txt (a piece a line) and one of table-N.i8 with scales.f16, table-N.f16, table-N.f32; row i is line i.
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { type TableContents, writeTable } from "./write-table.ts";

export interface PackOptions {
  readonly version: string;
  readonly dimensions: number;
  readonly bits: 4 | 8;
  readonly prune: boolean;
}

/** A vector that is shorter than this changes no mean. */
const NEAR_ZERO = 0.02;

export function packed(folder: string, options: PackOptions): Uint8Array {
  const pieces = readFileSync(join(folder, "vocab.txt"), "utf8").replace(/\n$/, "").split("\n");
  const { vectors, columns } = readVectors(folder, pieces.length);
  const contents: TableContents = {
    ...options,
    // The reference takes [CLS] and the like out of the text, and splits [unused1] at its brackets: none is ever looked up.
    pieces: pieces.flatMap((text, i) => {
      if (/^\[[^\]]+\]$/.test(text)) return [];
      const vector = vectors.subarray(i * columns, i * columns + options.dimensions);
      const length = Math.hypot(...vector);
      const isNothing = length === 0 || (options.prune && (length < NEAR_ZERO || cannotOccur(text)));
      return [{ text, vector: isNothing ? undefined : vector }];
    }),
  };
  return writeTable(contents);
}

/** Pieces that the tokenizer never makes, because it would have changed or split them before. */
function cannotOccur(piece: string): boolean {
  const text = piece.replace(/^##(?=.)/, "");
  const plain = text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
  const parts = text.match(/[\p{P}$+<=>^`|~]|[^\p{P}$+<=>^`|~]+/gu) ?? [];
  const isWord = [...text].length === 1 && !piece.startsWith("##");
  const isSplit = /[\p{P}$+<=>^`|~\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/u.test(text) && !isWord;
  return plain !== text || parts.length > 1 || isSplit;
}

export function readVectors(folder: string, rows: number): { vectors: Float32Array; columns: number } {
  const [name] = globSync("table-*.{i8,f16,f32}", { cwd: folder });
  if (name === undefined) throw new Error(`no table-N.i8, .f16 or .f32 in ${folder}`);
  const bytes = new Uint8Array(readFileSync(join(folder, name)));
  if (name.endsWith(".f32")) return shaped(new Float32Array(bytes.buffer), rows);
  if (name.endsWith(".f16")) return shaped(halves(bytes), rows);
  const scales = halves(new Uint8Array(readFileSync(join(folder, "scales.f16"))));
  const columns = bytes.length / rows;
  const vectors = Float32Array.from(
    new Int8Array(bytes.buffer),
    (value, i) => value * (scales[Math.floor(i / columns)] ?? 0),
  );
  return shaped(vectors, rows);
}

function shaped(vectors: Float32Array, rows: number): { vectors: Float32Array; columns: number } {
  const columns = vectors.length / rows;
  if (!Number.isInteger(columns)) throw new Error(`${vectors.length} values do not fill ${rows} rows`);
  return { vectors, columns };
}

function halves(bytes: Uint8Array<ArrayBuffer>): Float32Array {
  return Float32Array.from(new Uint16Array(bytes.buffer), (half) => {
    const sign = half & 0x8000 ? -1 : 1;
    const exponent = (half >> 10) & 31;
    const fraction = half & 1023;
    return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
  });
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      version: { type: "string" },
      dimensions: { type: "string", default: "256" },
      bits: { type: "string", default: "4" },
      prune: { type: "boolean", default: false },
    },
  });
  const [folder = "", out = ""] = positionals;
  const bits = Number(values.bits);
  // An index writes "" and "-" for passages without a vector.
  const isVersion = /^[a-z0-9][a-z0-9.-]*$/i.test(values.version ?? "");
  if (!existsSync(folder) || out === "" || !values.version || !isVersion || (bits !== 4 && bits !== 8))
    throw new Error("usage: pack.ts FOLDER OUT --version V [--dimensions N] [--bits 4|8] [--prune]");
  const table = packed(folder, {
    version: values.version,
    dimensions: Number(values.dimensions),
    bits,
    prune: values.prune,
  });
  writeFileSync(out, table);
  console.log(`${out}: ${table.length} bytes, ${gzipSync(table, { level: 9 }).length} with gzip -9`);
}
