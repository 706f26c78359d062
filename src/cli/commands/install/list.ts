import { oneLine } from "../../../base/for-terminal.ts";
import type { Outcome } from "../../command.ts";
import { type Paint, paintFor } from "../../terminal/paint.ts";
import type { Screen } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import type { AgentState } from "./agents.ts";
import { entriesInWords, filesInWords } from "./words.ts";

/** What `continuo install` says alone: every agent, its state, and the command for it. */
export function listOfAgents(states: readonly AgentState[], env: NodeJS.ProcessEnv, screen: Screen): Outcome {
  const paint = paintFor(screen);
  const here = states.filter(({ isFound, state }) => isFound || state !== "not connected");
  const others = states.filter((one) => !here.includes(one)).map(({ installer }) => installer);
  const waiting = here.filter(({ state }) => state === "not connected");
  const lines = [
    ...(here.length === 0
      ? ["No agent was found on this machine."]
      : here.flatMap((one) => about(one, env, paint))),
    "",
    ...(others.length === 0
      ? []
      : [
          `Not found here: ${others.map(({ label, host }) => `${label} (${host})`).join(", ")}`,
          `Any other MCP client: ${paint("cyan", "continuo install other")}`,
        ]),
    ...(waiting.length > 1
      ? [`To connect all that were found: ${paint("cyan", "continuo install --all")}`]
      : []),
  ];
  return { data: { agents: states.map(toJson) }, text: wrapOn(lines.join("\n"), screen, { hang: 2 }) };
}

function about({ installer, version, ...one }: AgentState, env: NodeJS.ProcessEnv, paint: Paint): string[] {
  const { host, label } = installer;
  const name = paint("bold", label) + (version === undefined ? "" : ` ${oneLine(version)}`);
  const entries = entriesInWords(one.adds);
  if (one.state === "connected")
    return [
      `${name}: ${paint("green", "connected")}`,
      ...(entries === "" ? [] : [`  Has ${entries} in ${filesInWords(one.files, env)}`]),
      `  To remove: ${paint("cyan", `continuo uninstall ${host}`)}`,
    ];
  if (one.state === "needs attention")
    return [
      `${name}: ${paint("yellow", "needs attention")}`,
      `  ${oneLine(one.problem)}`,
      ...(one.fix === "" ? [] : [`  To fix: ${paint("cyan", oneLine(one.fix.replace(/^run: /, "")))}`]),
    ];
  return [
    `${name}: not connected`,
    `  To connect: ${paint("cyan", `continuo install ${host}`)}${entries === "" ? "" : paint("dim", ` (adds ${entries})`)}`,
  ];
}

function toJson({ installer, isFound, version, state, problem, fix, adds, files }: AgentState): object {
  const { host, label } = installer;
  return { host, label, isFound, version: version ?? null, state, problem, fix, adds, files };
}
