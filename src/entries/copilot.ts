/** `continuo/copilot`: Continuo for programs that are built on Copilot's SDK. */
import type { Client } from "../hosts/copilot/sdk/api.ts";
import { type Options, wrapClient } from "../hosts/copilot/sdk/wrap-client.ts";
import { loadParts } from "./parts.ts";

export type { Client } from "../hosts/copilot/sdk/api.ts";
export { mergeHooks } from "../hosts/copilot/sdk/merge-hooks.ts";
export type { Options } from "../hosts/copilot/sdk/wrap-client.ts";

/**
 * The two calls of a `CopilotClient` that begin a session, with Continuo added. The program's own config still applies:
 * its hooks are called too, its tools come first, and its system message is extended.
 */
export function continuo<Create extends object, Resume extends object, Session>(
  client: Client<Create, Resume, Session>,
  options: Options = {},
): Client<Create, Resume, Session> {
  return wrapClient(client, options, loadParts);
}
