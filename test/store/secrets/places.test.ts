import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Turn } from "../../../src/moments/ports/turn.ts";
import { passagesOf } from "../../../src/search/passages.ts";
import { readNote } from "../../../src/sources/notes/files/note.ts";
import type { MemoryRoot } from "../../../src/sources/notes/files/roots.ts";
import { noteFilesOf } from "../../../src/sources/notes/note-index/note-files.ts";
import { passagesOfTurn } from "../../../src/sources/sessions/indexing/units.ts";
import { recordHealth } from "../../../src/store/health.ts";
import { maskSecrets, redact, redactDeep } from "../../../src/store/redact.ts";
import { temporaryFolder, temporaryWorld, write } from "../../support/world.ts";
import { ALNUM, BASE64, drawing, HEX } from "./drawing.ts";
import { plantedSecrets } from "./planted.ts";

const draw = drawing(11);
const body = draw.of(ALNUM, 36);
const token = `ghp_${body}`;

const turn = (more: Partial<Turn>): Turn =>
  ({ id: "t", role: "user", text: "", calls: [], marks: {}, ...more }) as Turn;

describe("secrets are redacted before a text is cut", () => {
  it("in a command that is cut in the middle of a token", () => {
    const command = `${"a ".repeat(145)}${token}`;
    const [passage] = passagesOfTurn(
      turn({ role: "assistant", calls: [{ name: "Bash", input: { command }, files: [] }] as never }),
    );
    expect(passage?.[3]).not.toContain(body.slice(0, 4));
  });

  it("in a long turn whose middle, where a private key begins, is left out", () => {
    const lines = Array.from({ length: 400 }, () => draw.of(BASE64, 64));
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${lines.slice(0, 200).join("\n")}\n-----END RSA PRIVATE KEY-----`;
    const text = `${"words and words\n".repeat(1240)}${key}\n${"more words\n".repeat(100)}`;
    const kept = passagesOfTurn(turn({ text }))
      .map(([, , , one]) => one)
      .join("");
    expect(lines.filter((line) => kept.includes(line))).toEqual([]);
  });

  it("in the message of a failure", () => {
    const { home } = temporaryWorld();
    recordHealth(home.logs, {
      at: new Date(0).toISOString(),
      where: "w",
      code: "c",
      message: `${"x ".repeat(240)}${token}`,
    });
    expect(readFileSync(join(home.logs, "health-000001.jsonl"), "utf8")).not.toContain(body.slice(0, 8));
  });
});

describe("a note as it is indexed", () => {
  it("has no secrets, and has the passages and the checksum of its file", async () => {
    const folder = temporaryFolder();
    write(folder, {
      "a.md": `---\ntitle: Key ${token}\ntags: [ops]\npassword: ${draw.of(HEX, 20)}\n---\n${`Some words.\n\n`.repeat(200)}${token}\n\n${"More words.\n\n".repeat(200)}`,
    });
    const root: MemoryRoot = { path: folder, kind: "continuo", isWritable: true };
    const indexed = await noteFilesOf(root).read(join(folder, "a.md"));
    const file = await readNote(root, join(folder, "a.md"));
    expect(JSON.stringify(indexed)).not.toContain(body);
    expect(indexed).toMatchObject({
      title: "Key [redacted:github-token]",
      tags: ["ops"],
      checksum: file?.checksum,
      problems: [],
    });
    expect(passagesOf(indexed?.body ?? "").map((one) => one.length)).toEqual(
      passagesOf(file?.body ?? "").map((one) => one.length),
    );
  });
});

describe("redaction", () => {
  it("keeps length and lines when it masks, and changes nothing when repeated", () => {
    for (const { text } of plantedSecrets(3)) {
      const masked = maskSecrets(text);
      expect(masked.length).toBe(text.length);
      expect(masked.split("\n").length).toBe(text.split("\n").length);
      expect(redact(redact(text))).toBe(redact(text));
    }
  });

  it("recognises a secret in a JSON value by its key, and leaves other values alone", () => {
    const value = draw.of(ALNUM, 12);
    expect(redactDeep({ env: { DB_PASSWORD: value, tokens: 12, key: "rules:a" } })).toEqual({
      env: { DB_PASSWORD: "[redacted:value]", tokens: 12, key: "rules:a" },
    });
  });

  it("finds at least 98% of newly generated secrets", () => {
    const planted = plantedSecrets(4711);
    const missed = planted.filter(({ text, parts }) =>
      parts.some((part) => redact(text).toLowerCase().includes(part.toLowerCase())),
    );
    expect(missed.length / planted.length).toBeLessThanOrEqual(0.02);
  });
});
