import type { Run } from "../../../../src/moments/run/run.ts";
import { sessionLedger } from "../../../../src/moments/state/ledger.ts";
import { peekState, stateFile } from "../../../../src/moments/state/session-state.ts";
import type { Edit } from "../../../../src/moments/tool-use.ts";
import { rules } from "../../../../src/sources/rules/source.ts";
import { setTrust } from "../../../../src/store/trust.ts";
import { engineWorld } from "../../../support/engine.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

export const NO_ANY = `---
name: no-any
checks:
  edits:
    never: '\\bany\\b'
    files: "src/**/*.ts"
    message: Use unknown.
---
Never use any.`;

/** The same with this reaction. */
export const noAny = (reaction: string) => NO_ANY.replace("message:", `reaction: ${reaction}\n    message:`);

/** A rule with these checks, as YAML on one line. */
export const ruleWith = (checks: string, name = "the-rule") =>
  `---\nname: ${name}\nchecks: ${checks}\n---\nIts text.`;

/** A session that has begun in a project with these rules. `own`: the user's. */
export async function checkedWorld(
  project: Record<string, string>,
  { own = {}, more = {} }: { own?: Record<string, string>; more?: Partial<Run> } = {},
) {
  const place = temporaryWorld(prefixed(".continuo/rules/", project));
  write(place.home.root, prefixed("rules/", own));
  // A slow machine must not make a source late.
  const patient = { momentDeadlineMs: 60_000, sourceDeadlineMs: 30_000 };
  const world = engineWorld([rules], patient, place, { canRefuseStop: true, ...more });
  const session = { host: "claude-code", id: "s1" } as const;
  const first = await world.start();
  const editOf = (text: string, edit: Partial<Edit> = {}): Edit => ({
    path: "src/a.ts",
    kind: "part",
    hunks: [{ text, line: 12 }],
    ...edit,
  });
  return {
    ...world,
    first,
    trust: () => setTrust(place.home, place.project.id, "", Date.now()),
    state: () => peekState(place.home, session),
    statePath: stateFile(place.home, session, { lockWaitMs: 0, onDamaged: () => undefined }).path,
    ledger: () => sessionLedger(place.home, session),
    broken: () => sessionLedger(place.home, session).filter((line) => line.kind === "broken"),
    edit: (text: string, edit: Partial<Edit> = {}, id?: string) =>
      world.call({ edits: () => [editOf(text, edit)] }, id),
    guardEdit: (text: string, edit: Partial<Edit> = {}) => world.guard({ edits: () => [editOf(text, edit)] }),
    run: (command: string, tool: { hasFailed?: boolean } = {}) =>
      world.call({ name: "Bash", command, input: { command }, ...tool }),
    guardRun: (command: string) => world.guard({ name: "Bash", command, input: { command } }),
  };
}

/** The lines about broken rules in an addition. */
export function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.startsWith("- "));
}

function prefixed(folder: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [folder + name, text]));
}
