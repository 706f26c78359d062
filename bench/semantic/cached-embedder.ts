import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import type { Embedder } from "../../src/models/embedder.ts";

/** Embedding the benchmark's texts takes minutes, so the vectors are cached in a file. */
export function cachedEmbedder(embedder: Embedder, path: string): Embedder {
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS vector (key TEXT PRIMARY KEY, data BLOB)");
  const get = db.prepare("SELECT data FROM vector WHERE key = ?");
  const put = db.prepare("INSERT OR REPLACE INTO vector VALUES (?, ?)");
  const one = async (text: string): Promise<Float32Array> => {
    const key = createHash("sha256").update(text).digest("hex").slice(0, 32);
    const known = get.get(key)?.["data"];
    if (known instanceof Uint8Array) return new Float32Array(known.slice().buffer);
    const [vector = new Float32Array()] = await embedder.embed([text], "document");
    put.run(key, new Uint8Array(vector.buffer));
    return vector;
  };
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    async embed(texts) {
      const vectors: Float32Array[] = [];
      for (const text of texts) vectors.push(await one(text));
      return vectors;
    },
  };
}
