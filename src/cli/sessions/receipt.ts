import { ContinuoError } from "../../moments/errors.ts";
import { findHome } from "../../store/home.ts";
import { readRecords } from "../../store/journal.ts";
import { type LedgerLine, ledgerJournal, readLedger } from "../../store/ledger.ts";
import type { Input, Outcome } from "../command.ts";

/** What one session was given, moment by moment, what it cost, and what each compaction lost. */
export function receipt(input: Input): Outcome {
  const all = readLedger(readRecords(ledgerJournal(findHome(input.env))).records);
  const wanted = input.positionals[1] ?? all.at(-1)?.session;
  const lines = all.filter((line) => line.session === wanted);
  if (wanted === undefined || lines.length === 0) {
    const known = [...new Set(all.map((line) => line.session))].slice(-5).reverse();
    throw new ContinuoError(
      "no-such-session",
      wanted === undefined ? "nothing was delivered yet" : `nothing is known of session "${wanted}"`,
      {
        hint:
          known.length === 0
            ? "wire a host first: continuo install claude-code"
            : `the last ones: ${known.join(", ")}`,
      },
    );
  }
  const delivered = lines.filter((line) => line.kind === "delivered");
  const tokens = delivered.reduce((sum, line) => sum + line.tokens, 0);
  const compactions = lines.filter((line) => line.kind === "compacted").length;
  const data = { session: wanted, tokens, deliveries: delivered.length, compactions, lines };
  const text = [
    `Session ${wanted}: ${delivered.length} deliveries, ${tokens} tokens, ${compactions} compaction(s)`,
    ...lines.map((line) => `  ${line.at.slice(0, 19)}  epoch ${line.epoch}  ${describe(line)}`),
  ].join("\n");
  return { data, text };
}

function describe(line: LedgerLine): string {
  switch (line.kind) {
    case "delivered":
      return [
        `${line.what}, ${line.tokens} tokens: ${line.items.map((item) => item.title).join(", ") || "only a note"}`,
        ...line.items.map((item) => `    ${item.title}: ${item.reason}`),
        ...(line.dropped.length === 0
          ? []
          : [`    no room for: ${line.dropped.map((item) => item.title).join(", ")}`]),
      ].join("\n");
    case "replayed":
      return "snapshot replayed on resume, unchanged";
    case "compacting":
      return `the host compacts (${line.trigger})`;
    case "compacted":
      return `compacted: ${line.active.length} active before, ${line.reasserted.length} asserted again${line.lost.length === 0 ? "" : `, no longer: ${line.lost.join(", ")}`}`;
    case "summarised":
      return `the summary (${line.characters} characters) kept ${line.keptFiles.length} of ${line.keptFiles.length + line.lostFiles.length} files in use${line.lostFiles.length === 0 ? "" : `, lost ${line.lostFiles.join(", ")}`}${line.restated.length === 0 ? "" : `; it restates ${line.restated.join(", ")}`}`;
    case "context":
      return line.reason === "changed"
        ? `context changed${line.setName === undefined ? "" : ` (${line.setName})`}: ${[...line.added.map((item) => `+ ${item}`), ...line.removed.map((item) => `- ${item}`)].join(", ")}`
        : `context told (${line.reason})`;
    case "ended":
      return `ended (${line.why})`;
  }
}
