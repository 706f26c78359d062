import { defineTool } from "../tool.ts";

export const getConfig = defineTool({
  name: "GetConfig",
  summary: "where the memory folder is",
  params: {},
  run(_, { memory }) {
    const [main, ...also] = memory.roots;
    return {
      plain: { memoryPath: main?.path ?? null, also: also.map(({ path }) => path) },
      text: memory.roots
        .map(({ name, path }) => `${name === undefined ? "Memory Path" : `@${name}`}: ${path}`)
        .join("\n"),
    };
  },
});
