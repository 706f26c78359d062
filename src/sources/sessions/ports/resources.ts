import type { ResourceDefinition } from "../../../moments/ports/resource.ts";

// Read when first asked for: a server is started with every session, and few ask for sessions.
const reading = () => import("./session-reads.ts");

export const SESSION_RESOURCES: readonly ResourceDefinition[] = [
  {
    uriTemplate: "session://{host}/{id}",
    name: "session",
    description: "What a past session was about",
    mimeType: "text/markdown",
    read: async ({ host = "", id = "" }, call) => (await reading()).readSession(host, id, call),
    list: async (call) => (await reading()).listSessions(call),
    complete: async (variable, typed, call) => (await reading()).completeSession(variable, typed, call),
  },
];
