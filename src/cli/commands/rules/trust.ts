import { resolve } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { findProject } from "../../../moments/project.ts";
import type { Guard } from "../../../sources/rules/rule.ts";
import { findHome } from "../../../store/home.ts";
import { type KeptAside, setTrust, type Trust } from "../../../store/trust.ts";
import type { Input, Outcome } from "../../command.ts";
import { canAsk, confirmed } from "../../terminal/input.ts";
import { textOption } from "../../terminal/options.ts";
import { counted } from "../../terminal/table.ts";
import { judgeAll } from "./judged.ts";

/** Lets the guards of this project stop tool calls. Shows them first, so that people know what they trust. */
export async function trust(input: Input): Promise<Outcome> {
  const { project, judged } = await judgeAll(input);
  const guards = guardsOf(judged.map(({ rule }) => rule));
  const what =
    guards.length === 0
      ? [
          `There are no guards in ${oneLine(project.root)} yet. Guards that are added later may stop tool calls.`,
        ]
      : [`These guards, and any that are added later, may stop tool calls in ${oneLine(project.root)}:`];
  const preview = [...what, ...guardLines(guards)].join("\n");
  if (input.values["yes"] !== true && !canAsk(input))
    throw new ContinuoError("not-confirmed", "not confirmed: there is no terminal to ask on", {
      hint: `${preview}\nTo trust them: continuo rules trust --yes`,
    });
  if (!confirmed(input, `${preview}\nTrust this project's guards?`))
    return {
      data: { project: project.id, trusted: false, guards },
      text: "Nothing was changed.",
      exitCode: 1,
    };
  const aside = await setTrust(findHome(input.env), project.id, fingerprintOf(guards), input.now());
  return {
    data: { project: project.id, trusted: true, guards, ...(aside && { damagedFile: aside.path }) },
    text: [
      `The guards of ${oneLine(project.root)} are now trusted${guards.length === 0 ? "; there are none yet." : ":"}`,
      ...guardLines(guards),
      ...asideLines(aside),
      "To make a host check them, run continuo install HOST again.",
    ].join("\n"),
  };
}

export async function untrust(input: Input): Promise<Outcome> {
  const project = findProject(resolve(input.cwd, textOption(input, "project") ?? "."));
  const aside = await setTrust(findHome(input.env), project.id, undefined, input.now());
  return {
    data: { project: project.id, trusted: false, ...(aside && { damagedFile: aside.path }) },
    text: [`The guards of ${oneLine(project.root)} are off.`, ...asideLines(aside)].join("\n"),
  };
}

function asideLines(aside: KeptAside | undefined): string[] {
  if (aside === undefined) return [];
  const kept = counted(aside.projects, "trusted project");
  return [`trust.json was damaged: ${kept} could be read and kept. The damaged file: ${aside.path}`];
}

export interface ShownGuard extends Guard {
  readonly rule: string;
  readonly path: string;
}

interface Guarded {
  readonly name: string;
  readonly file: { readonly path: string };
  readonly guards: readonly Guard[];
}

export function guardsOf(rules: readonly Guarded[]): ShownGuard[] {
  return rules.flatMap(({ name, file, guards }) =>
    guards.map((guard) => ({ rule: name, path: file.path, ...guard })),
  );
}

/** One line per guard, shown before a project is trusted. */
export function guardLines(guards: readonly ShownGuard[]): string[] {
  return guards.map(({ action, tools, pattern, message, path }) => {
    const when = pattern === undefined ? "" : ` when /${pattern}/`;
    return `  ${oneLine(`${action} ${tools.join(", ")}${when}: ${message} (${path})`)}`;
  });
}

export function fingerprintOf(guards: readonly ShownGuard[]): string {
  const all = guards.map(({ path, action, tools, pattern, message }) =>
    JSON.stringify([path, action, tools, pattern ?? null, message]),
  );
  return fingerprint(all.sort().join("\n"));
}

/** Trust also covers later guards, so the user should know when they differ from those that were shown. */
export function haveChanged(trust: Trust, project: string, guards: readonly ShownGuard[]): boolean {
  const shown = Object.hasOwn(trust.shown, project) ? trust.shown[project] : undefined;
  return trust.projects.includes(project) && shown !== undefined && shown !== fingerprintOf(guards);
}
