import { describeError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { findAll, findersFor } from "../../../moments/find.ts";
import type { FindFilter, Findings, Hit } from "../../../moments/ports/finder.ts";
import type { ToolContext } from "../../../moments/ports/tool.ts";
import { termsOf } from "../../../search/words.ts";
import { findHome } from "../../../store/home.ts";
import type { World } from "../../command.ts";
import { agentNamer, shortId } from "../../names.ts";
import { ago } from "../../terminal/ago.ts";
import { highlighted } from "../../terminal/highlight.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { INDENT } from "./hit-lines.ts";

/** A person waits for new sessions to be indexed, within reason. */
const PATIENCE_MS = 10_000;
const DEADLINE_MS = 30_000;

export interface FoundElsewhere {
  /** Under the name of the kind, as `--json` prints it; null when it could not be searched. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}

/** Results of one other kind than notes. */
export async function foundElsewhere(
  world: World,
  kind: string,
  request: {
    readonly query: string;
    readonly filter: FindFilter;
    readonly page: number;
    readonly pageSize: number;
    /** How long new files may be read first. */
    readonly patienceMs?: number;
  },
): Promise<FoundElsewhere> {
  const { env, cwd, now, history } = world;
  const call: ToolContext = {
    session: { host: "cli", id: "" },
    cwd,
    home: findHome(env),
    env,
    now: now(),
    history,
  };
  const { pageSize, patienceMs = PATIENCE_MS, ...sought } = request;
  const finders = findersFor(await world.finders(), kind, request.filter, call);
  const options = { call, pageSize, deadlineMs: DEADLINE_MS, onFailure: () => undefined };
  // If this search fails, the notes are still shown.
  const [answer] = await findAll(finders, { ...sought, patienceMs }, options).catch((error: unknown) => {
    world.tell?.(`continuo: the ${kind} could not be searched: ${describeError(error).message}`);
    return [];
  });
  if (answer === undefined || "failure" in answer) return { data: { [kind]: null }, lines: [] };
  const { hits, total, notices } = answer.findings;
  for (const notice of notices) world.tell?.(`continuo: ${notice}`);
  return {
    data: { [kind]: { total, results: hits.map(foundToJson) } },
    lines: await foundLines(world, kind, request.query, answer.findings, answer.finder.nothing),
  };
}

function foundToJson({ time, goOn, ...rest }: Hit) {
  return { ...rest, modified: new Date(time).toISOString(), resume: goOn ?? null };
}

/** As notes are shown: on a terminal with the age, the short command and the words that match in colour. */
async function foundLines(
  world: World,
  kind: string,
  query: string,
  { hits, total }: Findings,
  nothing: string,
): Promise<string[]> {
  if (hits.length === 0) return [nothing];
  const { screen = PLAIN, now } = world;
  const paint = paintFor(screen);
  const words = termsOf(query);
  const agent = await agentNamer(world);
  const fold = (line: string) => wrapOn(INDENT + line, screen);
  return [
    ...hits.flatMap(({ score, title, where, time, excerpt, goOn }) => {
      const [id = "", host = "", ...facts] = where;
      const name = oneLine(title).replace(/^"(.*)"$/, "$1");
      // Relative times are for people; the day is the exact form.
      const told = [agent(host), ...facts.filter((one) => one !== dayOf(time)), ago(time, now())];
      const place = screen.isTerminal ? told : where;
      const command = screen.isTerminal ? `continuo sessions resume ${shortId(id)}` : goOn;
      return [
        wrapOn(
          `${paint("dim", score.toFixed(2))}  ${highlighted(paint, name, words, (text) => paint("bold", text))}`,
          screen,
          { hang: INDENT.length },
        ),
        fold(paint("dim", oneLine(place.join(", ")))),
        ...(excerpt === "" ? [] : [fold(highlighted(paint, oneLine(excerpt), words))]),
        ...(goOn === undefined || command === undefined ? [] : [INDENT + paint("cyan", oneLine(command))]),
        "",
      ];
    }),
    counted(total, kind.replace(/s$/, "")),
  ];
}

/** As finders write it. */
function dayOf(time: number): string {
  return Number.isNaN(new Date(time).getTime()) ? "" : new Date(time).toISOString().slice(0, 10);
}
