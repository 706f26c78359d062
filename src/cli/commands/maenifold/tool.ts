import type { Memory } from "../../../sources/memory/memory.ts";
import { type Given, type Params, readGiven, wanted } from "./params.ts";

/** What a tool says, once for programs and once as maenifold prints it. */
export interface Said {
  /** Printed by default. */
  readonly plain: unknown;
  /** Under `data` in the envelope of `--json`, where more is told. `plain` when absent. */
  readonly data?: unknown;
  readonly text: string;
  /** Told beside the answer. */
  readonly notices?: readonly string[];
}

export interface Place {
  readonly memory: Memory;
  progress(line: string): void;
}

export interface Tool {
  readonly name: string;
  readonly summary: string;
  readonly params: Params;
  /** It asks the index, which is first brought to what the files say. */
  readonly asksIndex: boolean;
  call(payload: Readonly<Record<string, unknown>>, place: Place): Promise<Said>;
}

/** One tool of the contract; what it is given has been checked against its parameters. */
export function defineTool<const S extends Params>(tool: {
  readonly name: string;
  readonly summary: string;
  readonly params: S;
  readonly asksIndex?: true;
  run(given: Given<S>, place: Place): Promise<Said> | Said;
}): Tool {
  const { name, summary, params } = tool;
  return {
    name,
    summary,
    params,
    asksIndex: tool.asksIndex === true,
    async call(payload, place) {
      const { given, unknown } = readGiven(payload, params);
      const said = await tool.run(given, place);
      if (unknown.length === 0) return said;
      const notice = `${name} knows no ${unknown.map((key) => JSON.stringify(key)).join(", ")}; it takes ${Object.keys(params).join(", ")}`;
      return { ...said, notices: [...(said.notices ?? []), notice] };
    },
  };
}

/** What a tool takes: the answer to `learn: true`. */
export function learn({ name, summary, params }: Tool): Said {
  const rows = Object.entries(params).map(([key, param]) => ({
    name: key,
    required: param.required === true,
    takes: wanted(param),
    help: param.help,
  }));
  return {
    plain: { tool: name, summary, parameters: rows },
    text: [
      `# ${name}: ${summary}`,
      "",
      ...rows.map((row) => `- ${row.name}${row.required ? " (required)" : ""}: ${row.takes}; ${row.help}`),
    ].join("\n"),
  };
}
