import type { ResourceDefinition } from "../../moments/ports/resource.ts";

// Read when first asked for: a server is started with every session, and few ask for notes.
const reading = () => import("./resource-reads.ts");

export const MEMORY_RESOURCES: readonly ResourceDefinition[] = [
  {
    uriTemplate: "memory://{+path}",
    name: "note",
    description: "One of the user's notes",
    mimeType: "text/markdown",
    read: async ({ path = "" }, call) => (await reading()).readResource(path, call),
    list: async (call) => (await reading()).listResources(call),
    complete: async (_variable, typed, call) => (await reading()).completeResource(typed, call),
  },
];
