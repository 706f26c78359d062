import { encode } from "gpt-tokenizer/encoding/o200k_base";
import type { JsonSchema, ToolDefinition } from "../../src/moments/ports/tool.ts";

/** How one host puts Continuo's tools into its requests, as recorded with the versions that the tests use. */
export interface HostForm {
  readonly host: string;
  readonly namesSession: boolean;
  readonly defers: boolean;
  /** The texts that are in the request because of these tools. */
  readonly sent: (tools: readonly ToolDefinition[]) => readonly string[];
}

type Send = (name: string, description: string, parameters: JsonSchema) => object;

function each(send: Send): HostForm["sent"] {
  return (tools) =>
    tools.map(({ name, description, parameters }) => JSON.stringify(send(name, description, parameters)));
}

const asFunction: Send = (name, description, parameters) => ({
  type: "function",
  function: { name, description, parameters },
});

/** Gemini CLI adds this to every tool. */
const WAIT = {
  type: "boolean",
  description:
    "Set to true to wait for all previously requested tools in this turn to complete before starting. Set to false (or omit) to run in parallel. Use true when this tool depends on the output of previous tools.",
};

const named = (prefix: string): Send => {
  return (name, description, input_schema) => ({ name: prefix + name, description, input_schema });
};

const claudeCode = each(named("mcp__continuo__"));
const IN_PROCESS = { namesSession: true, defers: false };

export const HOST_FORMS: readonly HostForm[] = [
  {
    host: "Claude Code",
    namesSession: true,
    defers: true,
    // Of a deferred tool, its name.
    sent: (tools) => [
      ...claudeCode(tools.filter(({ need = "often" }) => need === "often")),
      ...tools.flatMap(({ name, need = "often" }) => (need === "often" ? [] : `mcp__continuo__${name}\n`)),
    ],
  },
  {
    ...IN_PROCESS,
    host: "OpenCode",
    sent: each((name, description, parameters) =>
      asFunction(name, description, { ...parameters, required: parameters.required ?? [] }),
    ),
  },
  {
    ...IN_PROCESS,
    host: "pi",
    sent: each((name, description, parameters) => ({
      name,
      description,
      eager_input_streaming: true,
      input_schema: { ...parameters, required: parameters.required ?? [] },
    })),
  },
  {
    ...IN_PROCESS,
    host: "Codex",
    sent: (tools) => [
      JSON.stringify({
        type: "namespace",
        name: "mcp__continuo",
        description: "Tools in the mcp__continuo namespace.",
        tools: tools.map(({ name, description, parameters }) => ({
          type: "function",
          name,
          description,
          strict: false,
          parameters,
        })),
      }),
    ],
  },
  { ...IN_PROCESS, host: "Copilot CLI", sent: each(named("continuo-")) },
  { ...IN_PROCESS, host: "Copilot SDK", sent: each(asFunction) },
  {
    host: "Gemini CLI",
    namesSession: false,
    defers: false,
    sent: each((name, description, { properties, ...schema }) => ({
      name: `mcp_continuo_${name}`,
      description,
      parametersJsonSchema: { ...schema, properties: { ...properties, wait_for_previous: WAIT } },
    })),
  },
  { host: "another MCP client", namesSession: false, defers: false, sent: each(asFunction) },
];

/** By a real tokenizer, o200k. */
export function tokensOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + encode(text).length, 0);
}
