import { describeError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { findAll, findersFor } from "../../../moments/find.ts";
import type { FindFilter, Findings, Hit } from "../../../moments/ports/finder.ts";
import type { ToolContext } from "../../../moments/ports/tool.ts";
import { FINDERS } from "../../../sources/finders.ts";
import { findHome } from "../../../store/home.ts";
import type { World } from "../../command.ts";

/** A person who asks for it waits for what is new to be read, within reason. */
const PATIENCE_MS = 10_000;
const DEADLINE_MS = 30_000;

export interface Elsewhere {
  /** Under the kind's name, as `--json` prints it; null when it could not be searched. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}

/** What is found besides notes, of one kind. */
export async function foundElsewhere(
  world: World,
  kind: string,
  asked: {
    readonly query: string;
    readonly filter: FindFilter;
    readonly page: number;
    readonly pageSize: number;
  },
): Promise<Elsewhere> {
  const { env, cwd, now, history } = world;
  const call: ToolContext = {
    session: { host: "cli", id: "" },
    cwd,
    home: findHome(env),
    env,
    now: now(),
    history,
  };
  const { pageSize, ...request } = asked;
  const finders = findersFor(FINDERS, kind, asked.filter, call);
  const options = { call, pageSize, deadlineMs: DEADLINE_MS, onFailure: () => undefined };
  // What is wrong with it is no reason to keep the notes back.
  const [answer] = await findAll(finders, { ...request, patienceMs: PATIENCE_MS }, options).catch(
    (error: unknown) => {
      world.tell?.(`continuo: the ${kind} could not be searched: ${describeError(error).message}`);
      return [];
    },
  );
  if (answer === undefined || "failure" in answer) return { data: { [kind]: null }, lines: [] };
  const { hits, total, notices } = answer.findings;
  for (const notice of notices) world.tell?.(`continuo: ${notice}`);
  return {
    data: { [kind]: { total, results: hits.map(told) } },
    lines: linesOf(answer.findings, kind, answer.finder.nothing),
  };
}

function told({ time, goOn, ...rest }: Hit) {
  return { ...rest, modified: new Date(time).toISOString(), resume: goOn ?? null };
}

function linesOf({ hits, total }: Findings, kind: string, nothing: string): string[] {
  if (hits.length === 0) return [nothing];
  return [
    ...hits.flatMap(({ score, title, where, excerpt, goOn }) => [
      `${score.toFixed(2)}  ${oneLine(title)}`,
      `      ${oneLine(where.join(", "))}`,
      ...(excerpt === "" ? [] : [`      ${oneLine(excerpt)}`]),
      ...(goOn === undefined ? [] : [`      ${oneLine(goOn)}`]),
      "",
    ]),
    `${total} ${kind}`,
  ];
}
