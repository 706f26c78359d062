import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withLastSession } from "../../../src/sources/profile/answers.ts";
import { changeSeed } from "../../../src/sources/profile/file/change.ts";
import { newId } from "../../../src/sources/profile/file/ids.ts";
import { setUp } from "../../../src/sources/profile/file/setup.ts";
import { readSidecar } from "../../../src/sources/profile/file/sidecar.ts";
import { undoLast } from "../../../src/sources/profile/learning/apply.ts";
import {
  accept,
  type Decided,
  forget,
  learn,
  refresh,
  reject,
  supersede,
} from "../../../src/sources/profile/learning/decide.ts";
import { decisionsInForce } from "../../../src/sources/profile/learning/decision-log.ts";
import { propose } from "../../../src/sources/profile/learning/propose.ts";
import { CATEGORIES, LEARNING_TYPES, type SeedConfig } from "../../../src/sources/profile/types.ts";
import { exampleSeed, learning, NOW, parsed, placeAt, seedFolder } from "./seeds.ts";
import { strictlyRead } from "./strict-reader.ts";

const LOCK = { lockWaitMs: 5000, commit: false };
const at = new Date(NOW).toISOString();

type Operation = readonly [kind: string, pick: number, text: string];

const operations = fc.array(
  fc.tuple(
    fc.constantFrom(
      "propose",
      "accept",
      "reject",
      "learn",
      "forget",
      "supersede",
      "refresh",
      "undo",
      "session",
      "setup",
    ),
    fc.nat(20),
    fc.string({ unit: "binary", minLength: 1, maxLength: 30 }),
  ),
  { maxLength: 25 },
);

/** Everything that a person may do, as the commands do it. What is not possible at this point does nothing. */
async function perform(path: string, [kind, pick, text]: Operation): Promise<void> {
  const type = LEARNING_TYPES[pick % 3]!;
  if (kind === "undo")
    return void (await undoLast(placeAt(path), 1 + (pick % 2), { now: NOW, lockWaitMs: 5000 }));
  if (kind === "propose") {
    const confidence = pick / 20;
    const candidate = { type, content: text, evidence: text, confidence, method: "regex" as const };
    return void (await propose([candidate], { place: placeAt(path), sessionId: `s${pick}`, now: NOW }));
  }
  await changeSeed(
    path,
    (config) => {
      const plain = (after: SeedConfig) => ({ config: after, kind: "Update" as const, what: kind });
      if (kind === "session") {
        return plain(withLastSession(config, { host: "pi", session: text, project: text, at: NOW + pick }));
      }
      if (kind === "setup") return plain(setUp({ principalName: text, aiName: text }, config));
      const decided = decide(config, kind, pick, text);
      if (decided === undefined) return undefined;
      const records = [{ kind: "decided" as const, at, batch: newId(), steps: [decided.step] }];
      return { ...plain(decided.config), records };
    },
    LOCK,
  );
}

function decide(config: SeedConfig, kind: string, pick: number, text: string): Decided | undefined {
  const pending = config.state.proposals.filter((one) => one.status === "pending");
  const proposal = pending[pick % (pending.length || 1)];
  const learned = CATEGORIES.flatMap((category) =>
    config.learned[category].map((one) => ({ category, learning: one })),
  );
  const found = learned[pick % (learned.length || 1)];
  if (kind === "learn") return learn(config, LEARNING_TYPES[pick % 3]!, learning(newId(), text));
  if (kind === "accept") return proposal && accept(config, proposal, { now: at, content: text });
  if (kind === "reject") return proposal && reject(config, proposal, at);
  if (found === undefined) return undefined;
  if (kind === "forget") return forget(config, found.category, found.learning);
  if (kind === "supersede") return supersede(config, found.category, found.learning, "other");
  return refresh(config, found.category, found.learning, at);
}

describe("any sequence of operations", () => {
  it("leaves a file that the strictest reader accepts, with every key in its place", async () => {
    await fc.assert(
      fc.asyncProperty(operations, async (sequence) => {
        const { path } = seedFolder();
        for (const operation of sequence) {
          await perform(path, operation);
          expect(strictlyRead(readFileSync(path, "utf8")), operation[0]).toEqual([]);
        }
      }),
      { numRuns: 25 },
    );
  });

  it("can be undone to the learnings and pending proposals before the first decision", async () => {
    await fc.assert(
      fc.asyncProperty(operations, async (sequence) => {
        const { path } = seedFolder();
        const before = exampleSeed();
        for (const operation of sequence) {
          if (operation[0] !== "propose" && operation[0] !== "undo") await perform(path, operation);
        }
        while (decisionsInForce(readSidecar(path)).length > 0)
          await undoLast(placeAt(path), 3, { now: NOW, lockWaitMs: 5000 });
        expect(parsed(path).learned).toEqual(before.learned);
      }),
      { numRuns: 15 },
    );
  });
});
