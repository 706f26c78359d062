import { saidIn, saidText } from "../describe/quoted-session.ts";
import { rankWithin } from "../search/within.ts";
import type { Passage } from "../session.ts";

/** What of a session a model is given to answer from. */
export interface Material {
  readonly text: string;
  readonly bytes: number;
  /** There was no room for all of it. */
  readonly truncated: boolean;
}

const MOST_RANKED = 60;
/** What the name of its turn, and a gap before it, add to a passage. */
const FRAME_BYTES = 150;
/** Up to where the room is filled by the best passages, and by these and the summaries; the newest get the rest. */
const BEST_SHARE = 0.5;
const SUMMARY_SHARE = 0.75;

/** The whole session where it fits; else what has the question's words, summaries of compactions, and the newest turns. */
export function materialFor(passages: readonly Passage[], question: string, maxBytes: number): Material {
  const whole = fill([[passages, maxBytes]]);
  const truncated = whole.size < passages.length;
  const chosen = truncated ? fill(parts(passages, question, maxBytes)) : whole;
  const said = saidIn(withGaps(passages.filter((one) => chosen.has(one)).map(callsAsWords)));
  const text = saidText(said, { maxBytes, keep: "recent", ids: true });
  return { text, bytes: Buffer.byteLength(text), truncated };
}

type Part = readonly [candidates: readonly Passage[], upTo: number];

function parts(passages: readonly Passage[], question: string, maxBytes: number): Part[] {
  const newestFirst = passages.toReversed();
  const best = rankWithin(passages, question, MOST_RANKED).flatMap(({ at }) =>
    // With those around it: what was asked in one is often answered in the next.
    [at, at + 1, at - 1].flatMap((place) => passages[place] ?? []),
  );
  return [
    // What a session is about is said at its beginning.
    [[...passages.slice(0, 1), ...best], maxBytes * BEST_SHARE],
    [newestFirst.filter(({ role }) => role === "summary"), maxBytes * SUMMARY_SHARE],
    [newestFirst, maxBytes],
  ];
}

function fill(all: readonly Part[]): Set<Passage> {
  const chosen = new Set<Passage>();
  let bytes = 0;
  for (const [candidates, upTo] of all)
    for (const passage of candidates) {
      if (chosen.has(passage)) continue;
      const cost = Buffer.byteLength(passage.text) + FRAME_BYTES;
      if (bytes + cost > upTo) break;
      chosen.add(passage);
      bytes += cost;
    }
  return chosen;
}

/** What was run, and on which files, answers questions too. */
function callsAsWords(passage: Passage): Passage {
  return passage.isCalls ? { ...passage, isCalls: false, text: `\nTools used:\n${passage.text}` } : passage;
}

/** Two turns that did not follow each other must not be read as if they had. */
function withGaps(chosen: readonly Passage[]): Passage[] {
  return chosen.map((passage, i) => {
    const skipped = passage.at - (chosen[i - 1]?.at ?? -1) - 1;
    return skipped === 0
      ? passage
      : { ...passage, text: `\n(${skipped} passages left out here)\n${passage.text}` };
  });
}
