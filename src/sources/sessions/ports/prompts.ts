import type { PromptDefinition } from "../../../moments/ports/prompt.ts";

// Read when first asked for: a server is started with every session, and few look back.
const rendering = () => import("./prompt-texts.ts");

const SESSION = { name: "session", description: "id, name or last" };

export const SESSION_PROMPTS: readonly PromptDefinition[] = [
  {
    name: "recall",
    description: "Find past sessions, of any agent",
    arguments: [{ name: "query", description: "a few words", required: true }],
    render: async ({ query = "" }, call) => (await rendering()).recallPrompt(query, call),
  },
  {
    name: "ask",
    description: "Ask a past session",
    arguments: [
      { ...SESSION, required: true },
      { name: "question", description: "about it", required: true },
    ],
    render: async ({ session = "", question = "" }, call) =>
      (await rendering()).askPrompt(session, question, call),
    complete: async (argument, typed, call) =>
      argument === "session" ? (await rendering()).sessionNames(typed, call) : [],
  },
  {
    name: "handoff",
    description: "Go on with a past session",
    arguments: [SESSION],
    render: async ({ session }, call) => (await rendering()).handoffPrompt(session, call),
    complete: async (_argument, typed, call) => (await rendering()).sessionNames(typed, call),
  },
];
