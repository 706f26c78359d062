import { isRecord } from "../../../base/json.ts";
import { shellWord } from "../../../base/text.ts";
import type { FindFilter } from "../../../moments/ports/finder.ts";
import type { Input } from "../../command.ts";
import { stepLine } from "../../terminal/next-step.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { foundElsewhere } from "./found-elsewhere.ts";

/** A hint is not worth a wait: what is indexed already has to be enough. */
const PATIENCE_MS = 200;

/** Where no note was found: whether past sessions have it, and the command that shows them. */
export async function sessionsHint(input: Input, query: string, filter: FindFilter): Promise<string[]> {
  const silent = { ...input, tell: () => undefined };
  const request = { query, filter, page: 1, pageSize: 1, patienceMs: PATIENCE_MS };
  const { data } = await foundElsewhere(silent, "sessions", request).catch(() => ({ data: {} })); // cannot be searched so
  const found: unknown = (data as Record<string, unknown>)["sessions"];
  const total = isRecord(found) && typeof found["total"] === "number" ? found["total"] : 0;
  if (total === 0) return [];
  const words = input.positionals.map(shellWord).join(" ");
  const match = total === 1 ? "matches" : "match";
  return [
    stepLine(
      input.screen ?? PLAIN,
      `continuo search ${words} --sessions`,
      `${counted(total, "past session")} ${match}`,
    ),
  ];
}
