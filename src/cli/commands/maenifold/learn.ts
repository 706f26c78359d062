import { wanted } from "./params.ts";
import type { Said, Tool } from "./tool.ts";

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
