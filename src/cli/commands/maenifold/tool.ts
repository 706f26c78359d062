import type { Memory } from "../../../sources/notes/memory.ts";
import type { SyncResult } from "../../../sources/notes/note-index/sync.ts";
import { type Given, type Params, readGiven, wanted } from "./params.ts";

/** The result of a tool, for programs and as maenifold prints it. */
export interface ToolResult {
  /** Printed by default. */
  readonly plain: unknown;
  /** `data` in the envelope of `--json`, with more details (default: `plain`). */
  readonly data?: unknown;
  readonly text: string;
  /** Printed to stderr. */
  readonly notices?: readonly string[];
}

interface Place {
  readonly memory: Memory;
  readonly onProgress: (result: Readonly<SyncResult>) => void;
}

export interface Tool {
  readonly name: string;
  readonly summary: string;
  readonly params: Params;
  /** Whether it reads the index, which is then synced first. */
  readonly asksIndex: boolean;
  call(payload: Readonly<Record<string, unknown>>, place: Place): Promise<ToolResult>;
}

/** One tool of the contract. `run` gets checked parameters. */
export function defineTool<const S extends Params>(tool: {
  readonly name: string;
  readonly summary: string;
  readonly params: S;
  readonly asksIndex?: true;
  run(given: Given<S>, place: Place): Promise<ToolResult> | ToolResult;
}): Tool {
  const { name, summary, params } = tool;
  return {
    name,
    summary,
    params,
    asksIndex: tool.asksIndex === true,
    async call(payload, place) {
      const { given, unknown } = readGiven(payload, params);
      const result = await tool.run(given, place);
      if (unknown.length === 0) return result;
      const notice = `${name} ignores the unknown ${unknown.map((key) => JSON.stringify(key)).join(", ")}; it takes ${Object.keys(params).join(", ")}`;
      return { ...result, notices: [...(result.notices ?? []), notice] };
    },
  };
}

/** The parameters of a tool: the answer to `learn: true`. */
export function learn({ name, summary, params }: Tool): ToolResult {
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
