import type { Source, SourceModule } from "../../moments/ports/source.ts";
import { priorityOf } from "../order.ts";

const source: Source = {
  name: "todos",
  answersChildren: false,
  settings: { word: { kind: "text", default: "water the plants", help: "what is to be done" } },
  answers: {
    start: (_moment, { settings }) => ({
      sections: [
        {
          source: "todos",
          title: "To do",
          nature: "reference",
          priority: priorityOf("todos"),
          essential: false,
          items: [
            {
              key: "first",
              name: "first",
              text: String(settings["word"]),
              reason: "it is open",
              priority: 0,
            },
          ],
        },
      ],
    }),
  },
};

/** Everything that todos offers; it exists only in the test that adds it. */
export const todos: SourceModule = {
  source,
  tools: async () => [
    {
      name: "list_todos",
      title: "List todos",
      effect: "reads",
      description: "What is to be done.",
      parameters: { type: "object", properties: {} },
      origin: null,
      run: async () => ({ ok: true, text: "water the plants" }),
    },
  ],
};
