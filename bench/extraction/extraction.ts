import { createHash } from "node:crypto";
import { candidatesIn, type Found } from "../../src/sources/profile/learning/extraction/candidates.ts";
import { ownSentences } from "../../src/sources/profile/learning/extraction/own-sentences.ts";
import { addRepeats, type Repeat } from "../../src/sources/profile/learning/extraction/repeats.ts";
import { normalise } from "../../src/sources/profile/text.ts";
import { printTable } from "../measure.ts";
import { type Collection, type Conversation, collections, DATA } from "./conversations.ts";
import { LABELS } from "./labels.ts";

type Half = "tuned on" | "held out";

interface Proposed {
  readonly conversation: string;
  readonly half: Half;
  readonly found: Found;
  /** The key of the labels: the texts belong to others and must not be published. */
  readonly hash: string;
}

/** How many of the proposals are useful, by the rule in docs/design/extraction-judging.md. `--show` prints each of them. */
export async function run(): Promise<void> {
  const all = collections();
  if (all === undefined) {
    console.log(`skipped: ${DATA} is not there; CONTINUO_BENCH_DATA names the folder with the data sets`);
    return;
  }
  const rows = all.flatMap((collection) => {
    const proposed = proposalsIn(collection);
    if (process.argv.includes("--show"))
      show(
        collection.name,
        proposed.filter((one) => !process.argv.includes("--tuned") || one.half === "tuned on"),
      );
    return (["tuned on", "held out"] as const).map((half) => rowOf(collection, half, proposed));
  });
  printTable(
    [
      "data set",
      "half",
      "sessions",
      "user turns",
      "sentences",
      "proposals",
      "sessions with any",
      "useful",
      "unlabelled",
      "precision",
      "recall of stated instructions",
    ],
    rows,
  );
  const { turns, found } = asIfPasted(all);
  console.log(`\nThe assistants' ${turns} turns, read as if a user had typed them: ${found} candidates.`);
}

/** Assistants often write "always" and "never" without giving an instruction: this tests the patterns alone. */
function asIfPasted(all: readonly Collection[]): { turns: number; found: number } {
  const turns = all
    .flatMap(({ conversations }) => conversations)
    .flatMap((one) => one.turns.filter((turn) => turn.role === "assistant" && !turn.marks.sidechain));
  const found = turns.flatMap((turn) => candidatesIn({ ...turn, role: "user", marks: {} }));
  const strong = found.filter((one) => !one.isWeak).map((one) => normalise(one.content));
  return { turns: turns.length, found: new Set(strong).size };
}

/** The same on every machine, and independent of sessions that are added later. */
function halfOf(id: string): Half {
  return Number.parseInt(sha(id).slice(0, 2), 16) % 2 === 0 ? "tuned on" : "held out";
}

/** Treats them as sessions of one project, one after the other: nothing is proposed twice. */
function proposalsIn({ name, conversations }: Collection): Proposed[] {
  const known = new Set<string>();
  let memory: readonly Repeat[] = [];
  return conversations.flatMap(({ id, turns }) => {
    const found = turns.flatMap(candidatesIn);
    const repeats = addRepeats(
      memory,
      found.filter((one) => one.isWeak),
      { session: id, project: name, at: 0 },
    );
    memory = repeats.memory;
    const fresh = [...found.filter((one) => !one.isWeak), ...repeats.due].filter((one) => {
      const value = normalise(one.content);
      return !known.has(value) && known.add(value);
    });
    return fresh
      .toSorted((a, b) => b.confidence - a.confidence)
      .map((one) => ({
        conversation: id,
        half: halfOf(id),
        found: one,
        hash: sha(normalise(one.content)).slice(0, 12),
      }));
  });
}

function rowOf({ name, conversations }: Collection, half: Half, all: readonly Proposed[]): string[] {
  const own = conversations.filter(({ id }) => halfOf(id) === half);
  const proposed = all.filter((one) => one.half === half);
  const judged = proposed.filter(({ hash }) => LABELS[hash] !== undefined);
  const useful = judged.filter(({ hash }) => LABELS[hash] === "useful").length;
  const turns = own.flatMap((one) => one.turns).filter((turn) => turn.role === "user");
  return [
    name,
    half,
    own.length,
    turns.length,
    turns.flatMap(ownSentences).length,
    proposed.length,
    new Set(proposed.map((one) => one.conversation)).size,
    useful,
    proposed.length - judged.length,
    judged.length === 0 ? "–" : (useful / judged.length).toFixed(2),
    recall(own),
  ].map(String);
}

/** Whether anything was found in the turn, before the limit per session. */
function recall(conversations: readonly Conversation[]): string {
  const gold = conversations.flatMap(({ turns, gold: ids }) => turns.filter((turn) => ids?.has(turn.id)));
  const hit = gold.filter((turn) => candidatesIn(turn).some((one) => !one.isWeak)).length;
  return gold.length === 0 ? "–" : `${hit}/${gold.length}`;
}

function show(name: string, proposed: readonly Proposed[]): void {
  for (const { conversation, half, found, hash } of proposed) {
    console.log(
      `${hash} ${LABELS[hash] ?? "unlabelled"} · ${name} · ${half} · ${conversation} · ${found.turn}`,
    );
    console.log(`  [${found.type}, ${found.family}] ${found.content}\n  evidence: ${found.evidence}\n`);
  }
}

function sha(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
